import { asBuffer } from './byteReader.ts';
import { ProtocolError } from './protocolError.ts';

/** Kafka's default of socket.request.max.bytes. */
export const defaultMaxFrameBytes = 104_857_600;

const sizeBytes = 4;
/** A frame that arrives in pieces starts with this much memory, and doubles as its bytes arrive. */
const firstAssemblyBytes = 1 << 16;

/** Where memory for frames that arrive in pieces comes from, and goes to when they are done with. */
export interface FrameMemory {
  /** At least so many bytes. */
  take(bytes: number): Buffer;
  give(buffer: Buffer): void;
}

const plainMemory: FrameMemory = {
  take: (bytes) => Buffer.allocUnsafe(bytes),
  give: () => undefined,
};

/**
 * Cuts a stream of bytes into frames: push what arrives, then take frames until there is none. A
 * frame that lies within one chunk is a view of it; only one that is spread over chunks is copied, at
 * most twice, and never into more memory than twice what has arrived.
 */
export class FrameSplitter {
  /** A larger frame is refused as soon as its size is known. */
  maxFrameBytes: number;
  /** Chunks that are not used up; the first from `#offset` on. */
  #chunks: Buffer[] = [];
  #offset = 0;
  #chunkBytes = 0;
  #assembly: Assembly | undefined;
  readonly #memory: FrameMemory;
  /** That of the last frame, if it was put together here. */
  #lent: Buffer | undefined;

  constructor(maxFrameBytes = defaultMaxFrameBytes, memory = plainMemory) {
    this.maxFrameBytes = maxFrameBytes;
    this.#memory = memory;
  }

  /** Bytes that have arrived and are not yet part of a frame taken. */
  get bufferedBytes(): number {
    return this.#chunkBytes + (this.#assembly?.length ?? 0);
  }

  /** Adds bytes; they must not change until the frames in them are done with. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(asBuffer(chunk));
    this.#chunkBytes += chunk.length;
  }

  /**
   * The next whole frame, without its size, or undefined until more arrives. Throws a ProtocolError
   * for a size that is negative or too large; after that the stream cannot be followed any further.
   */
  next(): Buffer | undefined {
    if (this.#assembly === undefined) {
      const size = this.#nextSize();
      if (size === undefined) return undefined;
      const [chunk] = this.#chunks;
      if (size === 0) return Buffer.alloc(0);
      if (chunk !== undefined && size <= chunk.length - this.#offset) return this.#cut(size);
      this.#assembly = new Assembly(size, this.#memory);
    }
    return this.#assemble(this.#assembly);
  }

  /** Gives back the memory of the last frame: nobody looks at it any more. */
  recycle(): void {
    if (this.#lent) this.#memory.give(this.#lent);
    this.#lent = undefined;
  }

  /** Reads a size, if all four bytes are there. */
  #nextSize(): number | undefined {
    if (this.#chunkBytes < sizeBytes) return undefined;
    let bytes = this.#cut(sizeBytes);
    while (bytes.length < sizeBytes) {
      bytes = Buffer.concat([bytes, this.#cut(sizeBytes - bytes.length)]);
    }
    const size = bytes.readInt32BE();
    if (size >= 0 && size <= this.maxFrameBytes) return size;
    throw new ProtocolError(`a frame of ${size} bytes; at most ${this.maxFrameBytes} are taken`);
  }

  #assemble(assembly: Assembly): Buffer | undefined {
    while (this.#chunks.length > 0) {
      const frame = assembly.add(this.#cut(assembly.missing));
      if (frame === undefined) continue;
      this.#assembly = undefined;
      this.#lent = frame.memory;
      return frame.bytes;
    }
    return undefined;
  }

  /** Takes up to `size` bytes off the first chunk. */
  #cut(size: number): Buffer {
    const [chunk] = this.#chunks;
    if (chunk === undefined) throw new ProtocolError('there are no bytes to cut');
    const bytes = chunk.subarray(this.#offset, this.#offset + size);
    this.#offset += bytes.length;
    this.#chunkBytes -= bytes.length;
    if (this.#offset === chunk.length) {
      this.#chunks.shift();
      this.#offset = 0;
    }
    return bytes;
  }
}

/** A frame of known size whose bytes are still coming. */
class Assembly {
  readonly #size: number;
  readonly #source: FrameMemory;
  #memory: Buffer;
  length = 0;

  constructor(size: number, source: FrameMemory) {
    this.#size = size;
    this.#source = source;
    this.#memory = source.take(Math.min(size, firstAssemblyBytes));
  }

  get missing(): number {
    return this.#size - this.length;
  }

  /** Adds at most `missing` bytes; returns the frame once it is whole. */
  add(bytes: Buffer): { readonly bytes: Buffer; readonly memory: Buffer } | undefined {
    const length = this.length + bytes.length;
    if (length > this.#memory.length) {
      const larger = this.#source.take(Math.min(this.#size, length * 2));
      this.#memory.copy(larger, 0, 0, this.length);
      this.#source.give(this.#memory);
      this.#memory = larger;
    }
    bytes.copy(this.#memory, this.length);
    this.length = length;
    if (length < this.#size) return undefined;
    return { bytes: this.#memory.subarray(0, length), memory: this.#memory };
  }
}
