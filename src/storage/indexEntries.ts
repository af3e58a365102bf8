/**
 * Fixed-size entries in memory whose file is the same bytes. The owner flushes: what was added since the
 * last flush is in `unflushed`.
 */
export class IndexEntries {
  readonly entrySize: number;
  #bytes: Buffer;
  #count: number;
  #flushed: number;

  /** Takes over `bytes`, whole entries as read from the file. */
  constructor(entrySize: number, bytes: Buffer = Buffer.alloc(0)) {
    this.entrySize = entrySize;
    this.#bytes = bytes;
    this.#count = Math.floor(bytes.length / entrySize);
    this.#flushed = this.#count;
  }

  get count(): number {
    return this.#count;
  }

  /** Memory taken, room for more entries included. */
  get sizeInBytes(): number {
    return this.#bytes.length;
  }

  get sizeOfEntries(): number {
    return this.#count * this.entrySize;
  }

  /** The bytes behind the entries; entry `n` begins at `n * entrySize`. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Makes room for one more entry and answers where its bytes go. */
  add(): number {
    const at = this.#count * this.entrySize;
    if (at + this.entrySize > this.#bytes.length) this.#grow();
    this.#count++;
    return at;
  }

  truncate(count: number): void {
    this.#count = Math.min(this.#count, count);
    this.#flushed = Math.min(this.#flushed, this.#count);
  }

  /** Entries that the file does not have yet, and where in the file they belong. */
  get unflushed(): { readonly bytes: Buffer; readonly position: number } {
    const position = this.#flushed * this.entrySize;
    return { bytes: this.#bytes.subarray(position, this.#count * this.entrySize), position };
  }

  get isFlushed(): boolean {
    return this.#flushed === this.#count;
  }

  markFlushed(sizeInBytes: number): void {
    this.#flushed = Math.max(this.#flushed, Math.floor(sizeInBytes / this.entrySize));
  }

  #grow(): void {
    const grown = Buffer.alloc(Math.max(32 * this.entrySize, this.#bytes.length * 2));
    this.#bytes.copy(grown);
    this.#bytes = grown;
  }
}

/** The last of `count` sorted entries that is not after the target, -1 where all are. */
export function floorEntry(count: number, isAfterTarget: (entry: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfterTarget(middle)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
