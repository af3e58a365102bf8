import { decodeUtf8 } from '../base/javaUtf8.ts';
import { ProtocolError } from './protocolError.ts';

/** Kafka's own limit for the length of a string, whatever the width of its length field. */
const longestString = 32767;

/**
 * More array items than any message needs: the metadata of half a million partitions. It keeps a request
 * of one-byte items from taking gigabytes and minutes.
 */
const mostItems = 1 << 22;

/** Ends the reading of something that turned out long. Nobody outside sees it. */
const isLong = new Error('a long list');

/** The same memory as a Buffer, for its reading methods. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Reads Kafka's primitives from bytes it does not trust: every length is held against the bytes that
 * are left before anything is allocated, and everything wrong is a ProtocolError. What is read as
 * bytes shares the memory of what is being read.
 */
export class ByteReader {
  readonly #buffer: Buffer;
  #position: number;
  #items = 0;
  #heapBytes = 0;
  /** While something is read that has to be short: at how many items it is long. */
  #longAtItems = Infinity;

  constructor(bytes: Uint8Array, position = 0) {
    this.#buffer = asBuffer(bytes);
    this.#position = position;
  }

  /** Bytes read so far. */
  get position(): number {
    return this.#position;
  }

  get remaining(): number {
    return this.#buffer.length - this.#position;
  }

  readBoolean(): boolean {
    return this.readInt8() !== 0;
  }

  readInt8(): number {
    return this.#buffer.readInt8(this.#take(1));
  }

  readInt16(): number {
    return this.#buffer.readInt16BE(this.#take(2));
  }

  readInt32(): number {
    return this.#buffer.readInt32BE(this.#take(4));
  }

  readInt64(): bigint {
    return this.#buffer.readBigInt64BE(this.#take(8));
  }

  readUint16(): number {
    return this.#buffer.readUInt16BE(this.#take(2));
  }

  readUint32(): number {
    return this.#buffer.readUInt32BE(this.#take(4));
  }

  readFloat64(): number {
    return this.#buffer.readDoubleBE(this.#take(8));
  }

  /** 16 bytes, as the 22 characters of URL-safe base64 that Kafka prints. */
  readUuid(): string {
    const start = this.#take(16);
    return this.#buffer.toString('base64url', start, start + 16);
  }

  /** A view of the next `length` bytes. */
  readBytes(length: number): Buffer {
    const start = this.#take(length);
    return this.#buffer.subarray(start, start + length);
  }

  /** `length` bytes of UTF-8; what is not UTF-8 becomes U+FFFD, as in Java. */
  readString(length: number): string {
    if (length === 0) return '';
    if (length > longestString) {
      throw this.error(`a string of ${length} bytes is longer than ${longestString}`);
    }
    const start = this.#take(length);
    return decodeUtf8(this.#buffer, start, start + length);
  }

  /** Base-128, at most 5 bytes, 0 to 2^32 - 1. [ByteUtils.readUnsignedVarint] */
  readUnsignedVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#buffer[this.#take(1)] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw this.error('a varint does not end after 5 bytes');
  }

  /** Zigzag base-128, an int32 in at most 5 bytes. */
  readVarint(): number {
    const raw = this.readUnsignedVarint();
    return (raw >>> 1) ^ -(raw & 1);
  }

  /** Zigzag base-128, an int64 in at most 10 bytes. */
  readVarlong(): bigint {
    let low = 0;
    for (let shift = 0; shift < 49; shift += 7) {
      const byte = this.#buffer[this.#take(1)] ?? 0;
      low += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return BigInt(low % 2 === 0 ? low / 2 : -(low + 1) / 2);
    }
    return this.#readLongVarlong(BigInt(low));
  }

  /** The last three bytes of a varlong whose first seven hold `low`. */
  #readLongVarlong(low: bigint): bigint {
    let raw = low;
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#buffer[this.#take(1)] ?? 0;
      raw |= BigInt(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      const unsigned = BigInt.asUintN(64, raw);
      return BigInt.asIntN(64, (unsigned >> 1n) ^ -(unsigned & 1n));
    }
    throw this.error('a varlong does not end after 10 bytes');
  }

  /**
   * Allows an array of `count` items: no more than there are bytes left, as in Kafka's own readers,
   * even where an item takes no bytes; and no more in one message than any needs. `heapBytes` is what all of
   * them are going to take in memory.
   */
  allowItems(count: number, heapBytes: number): void {
    if (count > this.remaining) {
      throw this.error(`an array of ${count} items in ${this.remaining} bytes`);
    }
    this.#items += count;
    this.#heapBytes += heapBytes;
    if (this.#items > this.#longAtItems) throw isLong;
    if (this.#items > mostItems) throw this.error(`more than ${mostItems} array items`);
  }

  /**
   * Reads something that has no more than so many array items in it; answers undefined, and stays, where it has more.
   */
  readIfShort<T>(mostItemsIn: number, read: (reader: ByteReader) => T): T | undefined {
    const [position, items, heapBytes] = [this.#position, this.#items, this.#heapBytes];
    this.#longAtItems = items + mostItemsIn;
    try {
      return read(this);
    } catch (error) {
      if (error !== isLong) throw error;
      this.#position = position;
      this.#items = items;
      this.#heapBytes = heapBytes;
      return undefined;
    } finally {
      this.#longAtItems = Infinity;
    }
  }

  /** Items of the arrays that were begun so far. */
  get itemsRead(): number {
    return this.#items;
  }

  /** What those items take in memory, by estimate; the characters of strings are counted as part of the frame. */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  skip(length: number): void {
    this.#take(length);
  }

  /** A ProtocolError that names the current position. */
  error(reason: string): ProtocolError {
    return new ProtocolError(reason, { position: this.#position });
  }

  /** Moves past `length` bytes and returns where they start. */
  #take(length: number): number {
    const start = this.#position;
    if (length < 0 || length > this.#buffer.length - start) {
      throw this.error(`${length} bytes are needed, and ${this.remaining} are left`);
    }
    this.#position = start + length;
    return start;
  }
}
