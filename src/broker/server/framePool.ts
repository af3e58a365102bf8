import type { FrameMemory } from '../../protocol/frameSplitter.ts';

/** Smaller memory is left to the garbage collector, which is quick about it. */
const leastBytes = 128 << 10;
/** What is kept for later, all sizes together. */
const maxIdleBytes = 32 << 20;

/**
 * Memory of large requests, used again. Left to the garbage collector it would pile up at the speed of the
 * network: a collector that is behind frees nothing until it is through.
 */
export class FramePool implements FrameMemory {
  /** By size, which is a power of two. */
  readonly #idle = new Map<number, Buffer[]>();
  #idleBytes = 0;

  take(bytes: number): Buffer {
    if (bytes <= leastBytes / 2) return Buffer.allocUnsafe(bytes);
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const buffer = this.#idle.get(size)?.pop();
    if (!buffer) return Buffer.allocUnsafeSlow(size);
    this.#idleBytes -= size;
    return buffer;
  }

  give(buffer: Buffer): void {
    const size = buffer.length;
    if (size < leastBytes || this.#idleBytes + size > maxIdleBytes) return;
    this.#idleBytes += size;
    const idle = this.#idle.get(size);
    if (idle) idle.push(buffer);
    else this.#idle.set(size, [buffer]);
  }
}
