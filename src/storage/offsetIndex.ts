import { floorEntry, IndexEntries } from './indexEntries.ts';

/** An entry: int32 offset relative to the segment's base, int32 position in the log file [OffsetIndex]. */
const entrySize = 8;

export interface OffsetPosition {
  readonly offset: bigint;
  readonly position: number;
}

/** A segment's `.index`: the last offset of some batches, and where in the file those batches begin. */
export class OffsetIndex {
  readonly entries: IndexEntries;
  readonly #baseOffset: bigint;

  constructor(baseOffset: bigint, bytes?: Buffer) {
    this.#baseOffset = baseOffset;
    this.entries = new IndexEntries(entrySize, bytes);
  }

  /** Whether the bytes can be this segment's index: whole entries that rise and lie within the log file. */
  static isSound(bytes: Buffer, logSize: number): boolean {
    if (bytes.length % entrySize !== 0) return false;
    let lastOffset = -1;
    let lastPosition = -1;
    for (let at = 0; at < bytes.length; at += entrySize) {
      const offset = bytes.readInt32BE(at);
      const position = bytes.readInt32BE(at + 4);
      if (offset <= lastOffset || position <= lastPosition || position >= logSize) return false;
      lastOffset = offset;
      lastPosition = position;
    }
    return true;
  }

  static maxEntries(maxIndexBytes: number): number {
    return Math.floor(maxIndexBytes / entrySize);
  }

  append(lastOffsetOfBatch: bigint, position: number): void {
    const at = this.entries.add();
    this.entries.bytes.writeInt32BE(Number(lastOffsetOfBatch - this.#baseOffset), at);
    this.entries.bytes.writeInt32BE(position, at + 4);
  }

  /** The last entry at or below `offset`; the segment's beginning where there is none. */
  floor(offset: bigint): OffsetPosition {
    const relative = Number(offset - this.#baseOffset);
    const { bytes, count } = this.entries;
    const found = floorEntry(count, (n) => bytes.readInt32BE(n * entrySize) > relative);
    return found < 0 ? { offset: this.#baseOffset, position: 0 } : this.#entry(found);
  }

  /**
   * The first entry of a batch that begins at or past a position in the log file; for the position of the very first
   * entry it is the second, as Kafka's search never compares the first. [AbstractIndex.binarySearch]
   */
  firstFrom(position: number): OffsetPosition | undefined {
    const found = this.#lastBefore(position) + 1;
    const isVeryFirst = found === 0 && this.#positionOf(0) === position;
    const slot = isVeryFirst ? 1 : found;
    return slot < this.entries.count ? this.#entry(slot) : undefined;
  }

  get last(): OffsetPosition {
    const { count } = this.entries;
    return count === 0 ? { offset: this.#baseOffset, position: 0 } : this.#entry(count - 1);
  }

  /** Drops entries of batches at or past a position in the log file. */
  truncateToPosition(position: number): void {
    this.entries.truncate(this.#lastBefore(position) + 1);
  }

  /** -1 where there is none. */
  #lastBefore(position: number): number {
    const { bytes, count } = this.entries;
    return floorEntry(count, (n) => bytes.readInt32BE(n * entrySize + 4) >= position);
  }

  #positionOf(n: number): number | undefined {
    const { bytes, count } = this.entries;
    return n < count ? bytes.readInt32BE(n * entrySize + 4) : undefined;
  }

  #entry(n: number): OffsetPosition {
    const { bytes } = this.entries;
    return {
      offset: this.#baseOffset + BigInt(bytes.readInt32BE(n * entrySize)),
      position: bytes.readInt32BE(n * entrySize + 4),
    };
  }
}
