import { floorEntry, IndexEntries } from './indexEntries.ts';

/** An entry: int64 timestamp, int32 offset relative to the segment's base [TimeIndex]. */
const entrySize = 12;

export interface TimestampOffset {
  readonly timestamp: bigint;
  readonly offset: bigint;
}

/**
 * A segment's `.timeindex`. An entry says: the largest timestamp up to here is this one, in the batch that
 * ends at this offset.
 */
export class TimeIndex {
  readonly entries: IndexEntries;
  readonly #baseOffset: bigint;

  constructor(baseOffset: bigint, bytes?: Buffer) {
    this.#baseOffset = baseOffset;
    this.entries = new IndexEntries(entrySize, bytes);
  }

  /** Whether the bytes can be this segment's index: whole entries, both columns rising. */
  static isSound(bytes: Buffer): boolean {
    if (bytes.length % entrySize !== 0) return false;
    for (let at = 0; at < bytes.length; at += entrySize) {
      if (bytes.readInt32BE(at + 8) < 0) return false;
      if (at === 0) continue;
      const before = at - entrySize;
      if (bytes.readBigInt64BE(at) <= bytes.readBigInt64BE(before)) return false;
      if (bytes.readInt32BE(at + 8) < bytes.readInt32BE(before + 8)) return false;
    }
    return true;
  }

  /** One entry is kept free for the one that closes the segment [TimeIndex.isFull]. */
  static maxEntries(maxIndexBytes: number): number {
    return Math.floor(maxIndexBytes / entrySize) - 1;
  }

  /** Adds an entry unless the timestamp is no larger than the last one. */
  maybeAppend({ timestamp, offset }: TimestampOffset): void {
    if (timestamp <= this.last.timestamp) return;
    const at = this.entries.add();
    this.entries.bytes.writeBigInt64BE(timestamp, at);
    this.entries.bytes.writeInt32BE(Number(offset - this.#baseOffset), at + 8);
  }

  /** The last entry with a timestamp below `timestamp`: the record looked for lies past it. */
  lastBelow(timestamp: bigint): TimestampOffset {
    const { bytes, count } = this.entries;
    const found = floorEntry(count, (n) => bytes.readBigInt64BE(n * entrySize) >= timestamp);
    return this.#entryOrNone(found);
  }

  /** Timestamp -1 where the index is empty. */
  get last(): TimestampOffset {
    return this.#entryOrNone(this.entries.count - 1);
  }

  /** Drops entries of batches that end at or past `offset`. */
  truncateToOffset(offset: bigint): void {
    const relative = Number(offset - this.#baseOffset);
    const { bytes, count } = this.entries;
    const kept = floorEntry(count, (n) => bytes.readInt32BE(n * entrySize + 8) >= relative) + 1;
    this.entries.truncate(kept);
  }

  #entryOrNone(n: number): TimestampOffset {
    if (n < 0) return { timestamp: -1n, offset: this.#baseOffset };
    const { bytes } = this.entries;
    return {
      timestamp: bytes.readBigInt64BE(n * entrySize),
      offset: this.#baseOffset + BigInt(bytes.readInt32BE(n * entrySize + 8)),
    };
  }
}
