import { IndexEntries } from './indexEntries.ts';

/** An entry: int16 version 0, then producer id, first, last and last stable offset, int64 each [AbortedTxn]. */
const entrySize = 34;

export interface AbortedTransactionEntry {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
  /** Offset of the abort marker. */
  readonly lastOffset: bigint;
  /** The last stable offset once this transaction was over: no earlier entry matters to a reader past it. */
  readonly lastStableOffset: bigint;
}

/** A segment's `.txnindex`: the transactions whose abort marker is in it. There is no file while it is empty. */
export class TransactionIndex {
  readonly entries: IndexEntries;

  constructor(bytes?: Buffer) {
    this.entries = new IndexEntries(entrySize, bytes);
  }

  static isSound(bytes: Buffer, baseOffset: bigint): boolean {
    if (bytes.length % entrySize !== 0) return false;
    let lastOffset = baseOffset - 1n;
    for (let at = 0; at < bytes.length; at += entrySize) {
      const firstOffset = bytes.readBigInt64BE(at + 10);
      const before = lastOffset;
      lastOffset = bytes.readBigInt64BE(at + 18);
      if (bytes.readInt16BE(at) !== 0 || lastOffset <= before || firstOffset > lastOffset)
        return false;
    }
    return true;
  }

  append(entry: AbortedTransactionEntry): void {
    const at = this.entries.add();
    const { bytes } = this.entries;
    bytes.writeInt16BE(0, at);
    bytes.writeBigInt64BE(entry.producerId, at + 2);
    bytes.writeBigInt64BE(entry.firstOffset, at + 10);
    bytes.writeBigInt64BE(entry.lastOffset, at + 18);
    bytes.writeBigInt64BE(entry.lastStableOffset, at + 26);
  }

  /** Aborted transactions with data in [from, to), oldest marker first; `isComplete`: later segments add none. */
  collect(from: bigint, to: bigint): { found: AbortedTransactionEntry[]; isComplete: boolean } {
    const found: AbortedTransactionEntry[] = [];
    for (let n = 0; n < this.entries.count; n++) {
      const entry = this.#entry(n);
      if (entry.lastOffset >= from && entry.firstOffset < to) found.push(entry);
      if (entry.lastStableOffset >= to) return { found, isComplete: true };
    }
    return { found, isComplete: false };
  }

  /** Drops transactions whose marker is at or past `offset`. */
  truncateToOffset(offset: bigint): void {
    let kept = 0;
    while (kept < this.entries.count && this.#entry(kept).lastOffset < offset) kept++;
    this.entries.truncate(kept);
  }

  #entry(n: number): AbortedTransactionEntry {
    const { bytes } = this.entries;
    const at = n * entrySize;
    return {
      producerId: bytes.readBigInt64BE(at + 2),
      firstOffset: bytes.readBigInt64BE(at + 10),
      lastOffset: bytes.readBigInt64BE(at + 18),
      lastStableOffset: bytes.readBigInt64BE(at + 26),
    };
  }
}
