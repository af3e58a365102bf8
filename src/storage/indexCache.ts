/** Something whose indexes are in memory and can be dropped, since their files are complete. */
export interface IndexHolder {
  dropIndexes(): void;
}

/**
 * Which segments have their indexes in memory: a bounded number of bytes, the least recently used dropped
 * first. A full segment has 5 MB of indexes, so a large log would not fit.
 */
export class IndexCache {
  readonly #capacityBytes: number;
  /** In order of last use, with bytes. */
  readonly #holders = new Map<IndexHolder, number>();
  #bytes = 0;

  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes;
  }

  get sizeInBytes(): number {
    return this.#bytes;
  }

  /** Notes a use. Others may be told to drop theirs; the holder itself is not. */
  touch(holder: IndexHolder, sizeInBytes: number): void {
    this.forget(holder);
    this.#holders.set(holder, sizeInBytes);
    this.#bytes += sizeInBytes;
    for (const oldest of this.#holders.keys()) {
      if (this.#bytes <= this.#capacityBytes || oldest === holder) return;
      this.forget(oldest);
      oldest.dropIndexes();
    }
  }

  forget(holder: IndexHolder): void {
    this.#bytes -= this.#holders.get(holder) ?? 0;
    this.#holders.delete(holder);
  }
}
