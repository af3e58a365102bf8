import type { BatchHeader } from '../protocol/records/recordBatch.ts';
import type { IndexHolder } from './indexCache.ts';
import { OffsetIndex } from './offsetIndex.ts';
import type { SegmentFiles } from './segmentFiles.ts';
import {
  newIndexes,
  readIndexes,
  rewriteIndexes,
  type SegmentIndexes,
  sizeOfIndexes,
  writeUnflushed,
} from './segmentIndexes.ts';
import type { ScanResult, ScannedBatch } from './segmentScan.ts';
import { TimeIndex, type TimestampOffset } from './timeIndex.ts';
import { TransactionIndex } from './transactionIndex.ts';

/** Kafka's default of index.interval.bytes, for indexes that are rebuilt outside recovery. */
const defaultIndexIntervalBytes = 4096;

/** The batches that are indexed. */
interface IndexedSegment {
  readonly baseOffset: bigint;
  readonly size: number;
  readonly isDeleted: boolean;
  scan(
    options: { from: number; depth: 'headers' },
    visit: (found: ScannedBatch) => boolean | undefined,
  ): Promise<ScanResult>;
}

/**
 * What a segment's indexes know of its batches: read on first use, rebuilt where the files are missing or damaged, and
 * grown by each batch that is appended.
 */
export class SegmentIndexing implements IndexHolder {
  readonly #files: SegmentFiles;
  readonly #segment: IndexedSegment;
  #indexes: SegmentIndexes | undefined;
  #loading: Promise<SegmentIndexes> | undefined;
  #bytesSinceEntry = 0;
  #largest: TimestampOffset | undefined;
  /** The active segment's indexes grow; those of the others may leave memory. */
  #isActive = false;

  constructor(files: SegmentFiles, segment: IndexedSegment) {
    this.#files = files;
    this.#segment = segment;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Keeps the indexes in memory, or lets them go again. */
  setActive(isActive: boolean): void {
    this.#isActive = isActive;
    if (isActive) this.leaveCache();
  }

  leaveCache(): void {
    this.#files.context.indexCache.forget(this);
  }

  /** Called by the index cache; what is not yet in the files stays. */
  dropIndexes(): void {
    const { offset, time, transactions } = this.#indexes ?? newIndexes(this.#segment.baseOffset);
    const isWritten = [offset, time, transactions].every(({ entries }) => entries.isFlushed);
    if (isWritten && !this.#isActive) this.#indexes = undefined;
  }

  /** Of a segment that is deleted: nobody writes them any more. */
  discard(): void {
    this.leaveCache();
    this.#indexes = undefined;
  }

  async indexes(): Promise<SegmentIndexes> {
    const indexes = this.#indexes ?? (await (this.#loading ??= this.#load()));
    if (!this.#isActive && !this.#segment.isDeleted)
      this.#files.context.indexCache.touch(this, sizeOfIndexes(indexes));
    return indexes;
  }

  /** The largest timestamp and the last offset of the batch that has it; timestamp -1 where there is none. */
  async largestTimestamp(): Promise<TimestampOffset> {
    // Loading may find it in the batches.
    const { time } = await this.indexes();
    return (this.#largest ??= time.last);
  }

  /** Whether the file of the transaction index can be this segment's; there may be none. */
  async areTransactionsSound(): Promise<boolean> {
    const bytes = await this.#files.context.fileSystem.readFile(this.#files.pathOf('.txnindex'));
    return bytes === undefined || TransactionIndex.isSound(bytes, this.#segment.baseOffset);
  }

  /** Whether one more entry fits into files of this size. The indexes must be in memory. */
  hasRoom(indexBytes: number): boolean {
    if (this.#indexes === undefined) return true;
    const { offset, time } = this.#indexes;
    return (
      offset.entries.count < OffsetIndex.maxEntries(indexBytes) &&
      time.entries.count < TimeIndex.maxEntries(indexBytes)
    );
  }

  /** A new segment is begun: it has no files to read, and is written to. */
  begin(): void {
    this.#indexes = newIndexes(this.#segment.baseOffset);
    this.#isActive = true;
  }

  /** Nothing is indexed; the batches are to be added one by one. */
  startOver(transactions?: TransactionIndex): void {
    const { baseOffset } = this.#segment;
    const fresh = newIndexes(baseOffset);
    this.#indexes = { ...fresh, ...(transactions && { transactions }) };
    this.#largest = { timestamp: -1n, offset: baseOffset };
    this.#bytesSinceEntry = 0;
  }

  add(header: BatchHeader, position: number, indexIntervalBytes: number): void {
    const indexes = this.#indexes;
    if (header.maxTimestamp > (this.#largest?.timestamp ?? -1n))
      this.#largest = { timestamp: header.maxTimestamp, offset: header.lastOffset };
    if (this.#bytesSinceEntry > indexIntervalBytes && indexes !== undefined) {
      indexes.offset.append(header.lastOffset, position);
      if (this.#largest !== undefined) indexes.time.maybeAppend(this.#largest);
      this.#bytesSinceEntry = 0;
    }
    this.#bytesSinceEntry += header.sizeInBytes;
  }

  /** The segment was cut at `position`, where `offset` was; `indexes` are those from before. */
  async truncate(
    indexes: SegmentIndexes,
    { offset, position }: { readonly offset: bigint; readonly position: number },
  ): Promise<void> {
    indexes.offset.truncateToPosition(position);
    indexes.time.truncateToOffset(offset);
    indexes.transactions.truncateToOffset(offset);
    this.#bytesSinceEntry = 0;
    this.#largest = undefined;
    await this.rewrite();
    await this.#findLargestTimestamp(indexes);
  }

  /** Writes the entries that the files do not have yet; the closing entry first where the segment is over. */
  async write(isClosing: boolean): Promise<void> {
    if (this.#indexes === undefined) return;
    if (isClosing && this.#largest !== undefined) this.#indexes.time.maybeAppend(this.#largest);
    await writeUnflushed(this.#files, this.#indexes);
  }

  /** All batches were added: what comes next counts from here. [LogSegment.recover] */
  async finishRecovery(): Promise<void> {
    this.#bytesSinceEntry = 0;
    await this.rewrite();
  }

  async rewrite(): Promise<void> {
    if (this.#indexes !== undefined) await rewriteIndexes(this.#files, this.#indexes);
  }

  async #load(): Promise<SegmentIndexes> {
    try {
      const { baseOffset, size } = this.#segment;
      const { isComplete, ...found } = await readIndexes(this.#files, baseOffset, size);
      if (isComplete) this.#indexes = found;
      else await this.#rebuild(found.transactions);
      return (this.#indexes ??= found);
    } finally {
      this.#loading = undefined;
    }
  }

  /** Offset and time index, from the batches' headers. */
  async #rebuild(transactions: TransactionIndex): Promise<void> {
    const path = this.#files.pathOf('.log');
    this.#files.context.logger.warn(`the indexes of ${path} are missing or damaged: rebuilding`);
    this.startOver(transactions);
    await this.#segment.scan({ from: 0, depth: 'headers' }, ({ header, position }) => {
      this.add(header, position, defaultIndexIntervalBytes);
      return undefined;
    });
    if (!this.#isActive && this.#largest) this.#indexes?.time.maybeAppend(this.#largest);
    await this.finishRecovery();
  }

  /** After a cut: the last index entry may be older than the largest timestamp that is left. */
  async #findLargestTimestamp({ offset, time }: SegmentIndexes): Promise<void> {
    let largest = time.last;
    const from = offset.floor(largest.offset).position;
    await this.#segment.scan({ from, depth: 'headers' }, ({ header }) => {
      if (header.maxTimestamp > largest.timestamp)
        largest = { timestamp: header.maxTimestamp, offset: header.lastOffset };
      return undefined;
    });
    this.#largest = largest;
  }
}
