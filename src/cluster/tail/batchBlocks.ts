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
  /** How many hold something in each block. */
  readonly #holders = new Map<Buffer, number>();
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
    }
    const start = this.#used;
    bytes.copy(this.#block, start);
    this.#used += bytes.length;
    return { block: this.#block, start, end: this.#used };
  }

  /** A block counts from its first holder until the last of them lets it go. */
  hold(block: Buffer): void {
    const holders = this.#holders.get(block) ?? 0;
    this.#holders.set(block, holders + 1);
    if (holders === 0) this.#bytes += block.length;
  }

  letGo(block: Buffer): void {
    const holders = (this.#holders.get(block) ?? 0) - 1;
    if (holders > 0) {
      this.#holders.set(block, holders);
      return;
    }
    this.#holders.delete(block);
    this.#bytes -= block.length;
    if (block === this.#block) this.#block = undefined;
  }
}
