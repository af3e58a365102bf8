/** Where bytes were copied to. */
interface KeptBytes {
  readonly block: Buffer;
  readonly start: number;
  readonly end: number;
}

const smallestBlockBytes = 64 * 1024;
const largestBlockBytes = 1024 * 1024;

/**
 * Bytes of batches, copied into blocks of their own: what is held is what is counted, and a fetch's answer can be let
 * go.
 */
export class BatchBlocks {
  #bytes = 0;
  #block: Buffer | undefined;
  #used = 0;

  /** Memory held: whole blocks. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Copies bytes into the present block, or into a new one where they do not fit. */
  keep(bytes: Buffer): KeptBytes {
    if (!this.#block || this.#used + bytes.length > this.#block.length) {
      // A small tail stays small; a large one has few blocks.
      const size = Math.min(Math.max(this.#bytes / 8, smallestBlockBytes), largestBlockBytes);
      this.#block = Buffer.allocUnsafeSlow(Math.max(Math.trunc(size), bytes.length));
      this.#used = 0;
      this.#bytes += this.#block.length;
    }
    const start = this.#used;
    bytes.copy(this.#block, start);
    this.#used += bytes.length;
    return { block: this.#block, start, end: this.#used };
  }

  /** Nothing that is kept is in a block any more. */
  letGo(block: Buffer): void {
    this.#bytes -= block.length;
    if (block === this.#block) this.#block = undefined;
  }
}
