/**
 * The output side that snappy and LZ4 share: literals, and copies of what has already come out. Every
 * length is checked before a byte moves, so that damaged or hostile input can only throw.
 */
export class BackReferenceOutput {
  readonly bytes: Buffer;
  #size = 0;

  /** Room for exactly `capacity` bytes; the caller has bounded it. */
  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafe(capacity);
  }

  get size(): number {
    return this.#size;
  }

  literal(source: Uint8Array, start: number, length: number): void {
    if (start + length > source.length) throw new Error('a literal runs past the end');
    this.#reserve(length);
    this.bytes.set(source.subarray(start, start + length), this.#size);
    this.#size += length;
  }

  /** Copies `length` bytes from `distance` back; source and target may overlap, which repeats a pattern. */
  copy(distance: number, length: number): void {
    if (distance === 0 || distance > this.#size) throw new Error('a copy from before the start');
    this.#reserve(length);
    const from = this.#size - distance;
    if (distance >= length) {
      this.bytes.copyWithin(this.#size, from, from + length);
    } else {
      for (let i = 0; i < length; i++) this.bytes[this.#size + i] = this.bytes[from + i] ?? 0;
    }
    this.#size += length;
  }

  #reserve(length: number): void {
    if (this.#size + length > this.bytes.length) throw new Error('more output than was announced');
  }
}
