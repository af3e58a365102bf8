import type { BatchHeader } from '../protocol/records/recordBatch.ts';
import type { LogConfig } from './logConfig.ts';
import { OffsetIndex } from './offsetIndex.ts';
import { SegmentFiles, type SegmentSuffix } from './segmentFiles.ts';
import {
  newIndexes,
  readIndexes,
  rewriteIndexes,
  type SegmentIndexes,
  sizeOfIndexes,
  syncIndexes,
  writeUnflushed,
} from './segmentIndexes.ts';
import { scanBatches, type ScanResult, type ScannedBatch } from './segmentScan.ts';
import type { StorageContext } from './storageContext.ts';
import { TimeIndex, type TimestampOffset } from './timeIndex.ts';
import type { AbortedTransactionEntry, TransactionIndex } from './transactionIndex.ts';
import { writeAgain } from './writeAgain.ts';

/**
 * One stretch of a log: the `.log` file with its indexes [LogSegment]. `size` counts what is written and
 * readable; the log appends behind it and then tells with `noteAppended`. Indexes are read on first use and
 * rebuilt where they are missing or damaged.
 */
export class Segment {
  readonly baseOffset: bigint;
  /** When the segment was begun or, after a restart, last written to. */
  readonly createdMs: number;
  readonly #context: StorageContext;
  readonly #files: SegmentFiles;
  #size: number;
  #syncedSize: number;
  #indexes: SegmentIndexes | undefined;
  #loading: Promise<SegmentIndexes> | undefined;
  #bytesSinceIndexEntry = 0;
  #largest: TimestampOffset | undefined;
  #firstTimestamp: bigint | undefined;
  /** The active segment's indexes grow; those of the others may leave memory. */
  #isActive = false;
  #isRemoved = false;

  constructor(options: {
    context: StorageContext;
    directory: string;
    baseOffset: bigint;
    size: number;
    createdMs: number;
    suffix?: SegmentSuffix;
  }) {
    this.#context = options.context;
    this.#files = new SegmentFiles(options, options.suffix);
    this.baseOffset = options.baseOffset;
    this.createdMs = options.createdMs;
    this.#size = options.size;
    this.#syncedSize = 0;
  }

  /** Begins a segment: empty files, over whatever was there. */
  static async create(
    context: StorageContext,
    directory: string,
    baseOffset: bigint,
  ): Promise<Segment> {
    return Segment.#begin({ context, directory, baseOffset }, '');
  }

  /** Begins a segment that takes the place of others once it is written; it is as old as they were. */
  static createCleaned(options: {
    context: StorageContext;
    directory: string;
    baseOffset: bigint;
    createdMs: number;
  }): Promise<Segment> {
    return Segment.#begin(options, '.cleaned');
  }

  static async #begin(
    options: { context: StorageContext; directory: string; baseOffset: bigint; createdMs?: number },
    suffix: SegmentSuffix,
  ): Promise<Segment> {
    const { context, baseOffset } = options;
    const { createdMs = context.clock.nowMs() } = options;
    const segment = new Segment({ ...options, size: 0, createdMs, suffix });
    await segment.#files.create();
    segment.#indexes = newIndexes(baseOffset);
    segment.#isActive = true;
    return segment;
  }

  get size(): number {
    return this.#size;
  }

  get isSynced(): boolean {
    return this.unsyncedBytes === 0;
  }

  /** Bytes written that may not be on the disk yet. */
  get unsyncedBytes(): number {
    return Math.max(0, this.#size - this.#syncedSize);
  }

  get isDeleted(): boolean {
    return this.#isRemoved || this.#files.suffix === '.deleted';
  }

  get logPath(): string {
    return this.#files.pathOf('.log');
  }

  /** Keeps the indexes in memory, or lets them go again. */
  setActive(isActive: boolean): void {
    this.#isActive = isActive;
    if (isActive) this.#context.indexCache.forget(this);
  }

  /** Called by the index cache; what is not yet in the files stays. */
  dropIndexes(): void {
    const { offset, time, transactions } = this.#indexes ?? newIndexes(this.baseOffset);
    const isWritten = [offset, time, transactions].every(({ entries }) => entries.isFlushed);
    if (isWritten && !this.#isActive) this.#indexes = undefined;
  }

  async indexes(): Promise<SegmentIndexes> {
    const indexes = this.#indexes ?? (await (this.#loading ??= this.#loadIndexes()));
    if (!this.#isActive && !this.isDeleted)
      this.#context.indexCache.touch(this, sizeOfIndexes(indexes));
    return indexes;
  }

  /** The largest timestamp and the last offset of the batch that has it; timestamp -1 where there is none. */
  async largestTimestamp(): Promise<TimestampOffset> {
    return (this.#largest ??= (await this.indexes()).time.last);
  }

  /** What retention goes by: where no record has a timestamp, the time of the last write. */
  async retentionTimestampMs(): Promise<number> {
    const { timestamp } = await this.largestTimestamp();
    return timestamp >= 0n ? Number(timestamp) : this.createdMs;
  }

  /** Reads what appending goes by: the indexes, the largest timestamp and the first. */
  async prepareToAppend(): Promise<void> {
    await this.indexes();
    await this.largestTimestamp();
    await this.firstTimestamp();
  }

  /** The timestamp of the first batch, -1 where there is none. */
  async firstTimestamp(): Promise<bigint> {
    if (this.#firstTimestamp === undefined && this.#size > 0)
      await this.scan({ from: 0, depth: 'headers', chunkBytes: 4096 }, ({ header }) => {
        this.#firstTimestamp = header.maxTimestamp;
        return false;
      });
    return this.#firstTimestamp ?? -1n;
  }

  /** How far segment.ms is used up, by the records' own time where they have one [timeWaitedForRoll]. */
  ageMs(nowMs: number, maxTimestamp: bigint): number {
    const first = this.#firstTimestamp ?? -1n;
    return first >= 0n ? Number(maxTimestamp - first) : nowMs - this.createdMs;
  }

  /** Whether `lastOffset` and one more index entry still fit. The indexes must be in memory. */
  hasRoomFor(lastOffset: bigint, config: LogConfig): boolean {
    if (lastOffset - this.baseOffset > 0x7fff_ffffn) return false;
    if (this.#indexes === undefined) return true;
    const { offset, time } = this.#indexes;
    return (
      offset.entries.count < OffsetIndex.maxEntries(config.segmentIndexBytes) &&
      time.entries.count < TimeIndex.maxEntries(config.segmentIndexBytes)
    );
  }

  /** Takes note of a batch that was written at the end of the file. */
  noteAppended(header: BatchHeader, indexIntervalBytes: number): void {
    const position = this.#size;
    this.#size += header.sizeInBytes;
    this.#firstTimestamp ??= header.maxTimestamp;
    this.#indexBatch(header, position, indexIntervalBytes);
  }

  async noteAborted(entry: AbortedTransactionEntry): Promise<void> {
    (await this.indexes()).transactions.append(entry);
  }

  scan(
    options: { from: number; depth: 'headers' | 'all'; chunkBytes?: number },
    visit: (found: ScannedBatch) => boolean | undefined,
  ): Promise<ScanResult> {
    const to = this.#size;
    return this.#context.handles.use(this.logPath, (file) =>
      scanBatches(file, { ...options, to }, visit),
    );
  }

  /**
   * Reads every byte, cuts the file where the first unsound batch begins and rebuilds the indexes
   * [LogSegment.recover]. `visit` sees each sound batch. Answers what was wrong, if anything was.
   */
  async recover(
    indexIntervalBytes: number,
    visit: (found: ScannedBatch) => void,
  ): Promise<string | undefined> {
    const fileSize = this.#size;
    this.#startOver();
    const indexed = { size: 0 };
    const { validBytes, fault } = await this.#scanTo(fileSize, (found) => {
      if (!this.#isOffsetInRange(found.header)) return false;
      this.#indexBatch(found.header, found.position, indexIntervalBytes);
      visit(found);
      indexed.size = found.position + found.header.sizeInBytes;
      return undefined;
    });
    this.#size = Math.min(validBytes, indexed.size);
    const isCut = this.#size < fileSize;
    if (isCut) await this.#truncateFile();
    await this.#rewriteIndexes();
    return isCut ? (fault ?? 'an offset does not belong to the segment') : undefined;
  }

  /** Removes the batch at `position`, whose base offset is at or past `offset`, and all after it. */
  async truncateTo(offset: bigint, position: number): Promise<void> {
    const indexes = await this.indexes();
    this.#size = position;
    this.#syncedSize = Math.min(this.#syncedSize, position);
    await this.#truncateFile();
    indexes.offset.truncateToPosition(position);
    indexes.time.truncateToOffset(offset);
    indexes.transactions.truncateToOffset(offset);
    this.#bytesSinceIndexEntry = 0;
    this.#largest = undefined;
    if (position === 0) this.#firstTimestamp = undefined;
    await this.#rewriteIndexes();
    await this.#findLargestTimestamp(indexes);
  }

  /** What comes after the last batch, and whether the file ends with it. */
  async end(): Promise<{ readonly nextOffset: bigint; readonly isSound: boolean }> {
    const { offset } = await this.indexes();
    let nextOffset = this.baseOffset;
    const { fault } = await this.scan(
      { from: offset.last.position, depth: 'headers', chunkBytes: 16_384 },
      ({ header }) => {
        nextOffset = header.lastOffset + 1n;
        return undefined;
      },
    );
    return { nextOffset, isSound: fault === undefined };
  }

  /** Writes the index entries that the files do not have yet; the closing entry first where it is over. */
  async writeIndexes(isClosing: boolean): Promise<void> {
    if (this.#indexes === undefined) return;
    if (isClosing && this.#largest !== undefined) this.#indexes.time.maybeAppend(this.#largest);
    await writeUnflushed(this.#files, this.#indexes);
  }

  /** Makes what is written durable. Of the active segment only the data: its indexes can be rebuilt. */
  async sync(): Promise<void> {
    const size = this.#size;
    await this.#context.handles.use(this.logPath, (file) => file.sync());
    if (!this.#isActive || this.#files.suffix === '.cleaned') await syncIndexes(this.#files);
    this.#syncedSize = Math.max(this.#syncedSize, Math.min(size, this.#size));
  }

  /** Writes the file's bytes from `offset` on once more: after a failed sync no other sync is one of theirs. */
  async writeAgain(offset: bigint): Promise<void> {
    const { position: from } = (await this.indexes()).offset.floor(offset);
    const to = this.#size;
    await this.#context.handles.use(this.logPath, (file) => writeAgain(file, { from, to }));
  }

  markSynced(): void {
    this.#syncedSize = this.#size;
  }

  async releaseFiles(): Promise<void> {
    this.#context.indexCache.forget(this);
    await this.#files.release();
  }

  /** Renames the files. Who is about to read them may find none and has to look at the log anew. */
  async changeSuffix(suffix: SegmentSuffix): Promise<void> {
    if (suffix === '.deleted') {
      this.#context.indexCache.forget(this);
      this.#indexes = undefined;
    }
    await this.#files.changeSuffix(suffix);
  }

  async removeFiles(): Promise<void> {
    this.#isRemoved = true;
    this.#context.indexCache.forget(this);
    await this.#files.remove();
  }

  #isOffsetInRange({ baseOffset, lastOffset }: BatchHeader): boolean {
    return baseOffset >= this.baseOffset && lastOffset - this.baseOffset <= 0x7fff_ffffn;
  }

  #indexBatch(header: BatchHeader, position: number, indexIntervalBytes: number): void {
    const indexes = this.#indexes;
    if (header.maxTimestamp > (this.#largest?.timestamp ?? -1n))
      this.#largest = { timestamp: header.maxTimestamp, offset: header.lastOffset };
    if (this.#bytesSinceIndexEntry > indexIntervalBytes && indexes !== undefined) {
      indexes.offset.append(header.lastOffset, position);
      if (this.#largest !== undefined) indexes.time.maybeAppend(this.#largest);
      this.#bytesSinceIndexEntry = 0;
    }
    this.#bytesSinceIndexEntry += header.sizeInBytes;
  }

  #startOver(transactions?: TransactionIndex): void {
    const fresh = newIndexes(this.baseOffset);
    this.#indexes = { ...fresh, ...(transactions && { transactions }) };
    this.#largest = { timestamp: -1n, offset: this.baseOffset };
    this.#firstTimestamp = undefined;
    this.#bytesSinceIndexEntry = 0;
    this.#syncedSize = 0;
  }

  #scanTo(to: number, visit: (found: ScannedBatch) => boolean | undefined): Promise<ScanResult> {
    return this.#context.handles.use(this.logPath, (file) =>
      scanBatches(file, { from: 0, to, depth: 'all' }, visit),
    );
  }

  async #truncateFile(): Promise<void> {
    await this.#context.handles.use(this.logPath, (file) => file.truncate(this.#size));
  }

  async #loadIndexes(): Promise<SegmentIndexes> {
    try {
      const { isComplete, ...found } = await readIndexes(this.#files, this.baseOffset, this.#size);
      if (isComplete) this.#indexes = found;
      else await this.#rebuildIndexes(found.transactions);
      return (this.#indexes ??= found);
    } finally {
      this.#loading = undefined;
    }
  }

  /** Offset and time index, from the batches' headers. */
  async #rebuildIndexes(transactions: TransactionIndex): Promise<void> {
    this.#context.logger.warn(`the indexes of ${this.logPath} are missing or damaged: rebuilding`);
    const synced = this.#syncedSize;
    this.#startOver(transactions);
    this.#syncedSize = synced;
    await this.scan({ from: 0, depth: 'headers' }, ({ header, position }) => {
      this.#indexBatch(header, position, defaultIndexIntervalBytes);
      return undefined;
    });
    await this.#rewriteIndexes();
  }

  async #rewriteIndexes(): Promise<void> {
    if (this.#indexes !== undefined) await rewriteIndexes(this.#files, this.#indexes);
  }

  /** After a cut: the last index entry may be older than the largest timestamp that is left. */
  async #findLargestTimestamp({ offset, time }: SegmentIndexes): Promise<void> {
    let largest = time.last;
    await this.scan(
      { from: offset.floor(largest.offset).position, depth: 'headers' },
      ({ header }) => {
        if (header.maxTimestamp > largest.timestamp)
          largest = { timestamp: header.maxTimestamp, offset: header.lastOffset };
        return undefined;
      },
    );
    this.#largest = largest;
  }
}

/** Kafka's default of index.interval.bytes, for indexes that are rebuilt outside recovery. */
const defaultIndexIntervalBytes = 4096;
