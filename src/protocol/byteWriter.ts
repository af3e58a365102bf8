import { ProtocolError } from './protocolError.ts';

const firstChunkBytes = 512;
const largestChunkBytes = 1 << 20;
/** From this size on, bytes become a part of their own instead of being copied. */
const ownPartBytes = 1024;

/**
 * Writes Kafka's primitives into memory that grows by adding chunks, never by copying. Large byte
 * strings are kept as they are, so that a socket or a file can take header and payload in one
 * vectored write.
 */
export class ByteWriter {
  /**
   * Drop what the version cannot carry, instead of refusing it: right for a response, whose client has asked
   * for no more than its version has.
   */
  readonly isLenient: boolean;
  #chunk = Buffer.allocUnsafe(firstChunkBytes);
  /** Where the part that is being written starts in the chunk, and where it ends. */
  #start = 0;
  #end = 0;
  #parts: Buffer[] = [];
  #partsBytes = 0;

  constructor(options: { isLenient?: boolean } = {}) {
    this.isLenient = options.isLenient ?? false;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#partsBytes + this.#end - this.#start;
  }

  writeBoolean(value: boolean): void {
    this.writeInt8(value ? 1 : 0);
  }

  writeInt8(value: number): void {
    this.#end = this.#room(1).writeInt8(value, this.#end);
  }

  writeInt16(value: number): void {
    this.#end = this.#room(2).writeInt16BE(value, this.#end);
  }

  writeInt32(value: number): void {
    this.#end = this.#room(4).writeInt32BE(value, this.#end);
  }

  writeInt64(value: bigint): void {
    this.#end = this.#room(8).writeBigInt64BE(value, this.#end);
  }

  writeUint16(value: number): void {
    this.#end = this.#room(2).writeUInt16BE(value, this.#end);
  }

  writeUint32(value: number): void {
    this.#end = this.#room(4).writeUInt32BE(value, this.#end);
  }

  writeFloat64(value: number): void {
    this.#end = this.#room(8).writeDoubleBE(value, this.#end);
  }

  /** The 16 bytes behind 22 characters of URL-safe base64. */
  writeUuid(value: string): void {
    const written = value.length === 22 ? this.#room(17).write(value, this.#end, 'base64url') : 0;
    if (written !== 16) throw new ProtocolError(`"${value}" is not a UUID in URL-safe base64`);
    this.#end += 16;
  }

  /** `length` bytes of UTF-8, which the caller has counted. */
  writeString(value: string, length: number): void {
    const chunk = this.#room(length);
    this.#end += chunk.write(value, this.#end, 'utf8');
  }

  /** Bytes as they are. Large ones are not copied: they must not change before the result is used. */
  writeBytes(bytes: Uint8Array): void {
    if (bytes.length < ownPartBytes) {
      this.#room(bytes.length).set(bytes, this.#end);
      this.#end += bytes.length;
      return;
    }
    this.#endPart();
    this.#addPart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** Base-128; takes 0 to 2^32 - 1. */
  writeUnsignedVarint(value: number): void {
    const chunk = this.#room(5);
    let rest = value >>> 0;
    let end = this.#end;
    for (; rest >= 0x80; rest >>>= 7) chunk[end++] = (rest & 0x7f) | 0x80;
    chunk[end++] = rest;
    this.#end = end;
  }

  /** Zigzag base-128 of an int32. */
  writeVarint(value: number): void {
    this.writeUnsignedVarint((value << 1) ^ (value >> 31));
  }

  /** Zigzag base-128 of an int64. */
  writeVarlong(value: bigint): void {
    if (value >= -0x4000_0000n && value < 0x4000_0000n) {
      this.writeVarint(Number(value));
      return;
    }
    const chunk = this.#room(10);
    let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
    let end = this.#end;
    for (; rest >= 0x80n; rest >>= 7n) chunk[end++] = Number(rest & 0x7fn) | 0x80;
    chunk[end++] = Number(rest);
    this.#end = end;
  }

  /** Everything another writer has written; that writer must not be used again. */
  append(other: ByteWriter): void {
    for (const part of other.takeParts()) this.writeBytes(part);
  }

  /** What has been written, in order and in pieces. Ends the writing. */
  takeParts(): Buffer[] {
    this.#endPart();
    return this.#parts;
  }

  /** What has been written, in one piece. Ends the writing. */
  takeBuffer(): Buffer {
    const [first, ...rest] = this.takeParts();
    if (first === undefined) return Buffer.alloc(0);
    return rest.length === 0 ? first : Buffer.concat([first, ...rest], this.#partsBytes);
  }

  /** The chunk, with room for `length` more bytes at `#end`. */
  #room(length: number): Buffer {
    if (length <= this.#chunk.length - this.#end) return this.#chunk;
    this.#endPart();
    const doubled = Math.min(this.#chunk.length * 2, largestChunkBytes);
    this.#chunk = Buffer.allocUnsafe(Math.max(doubled, length));
    this.#start = this.#end = 0;
    return this.#chunk;
  }

  #endPart(): void {
    if (this.#end > this.#start) this.#addPart(this.#chunk.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }

  #addPart(part: Buffer): void {
    this.#parts.push(part);
    this.#partsBytes += part.length;
  }
}
