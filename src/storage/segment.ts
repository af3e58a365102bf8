import type { BatchHeader } from '../protocol/records/recordBatch.ts';
import { SegmentFiles, type SegmentSuffix } from './segmentFiles.ts';
import { type SegmentIndexes, syncIndexes } from './segmentIndexes.ts';
import { SegmentIndexing } from './segmentIndexing.ts';
import { scanBatches, type ScanResult, type ScannedBatch } from './segmentScan.ts';
import type { StorageContext } from './storageContext.ts';
import type { TimestampOffset } from './timeIndex.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';
import { writeAgain } from './writeAgain.ts';

/**
 * One stretch of a log: the `.log` file with its indexes [LogSegment]. `size` counts what is written and
 * readable; the log appends behind it and then tells with `noteAppended`.
 */
export class Segment {
  readonly baseOffset: bigint;
  /** When the segment was begun or, after a restart, found. */
  readonly #createdMs: number;
  readonly #context: StorageContext;
  readonly #files: SegmentFiles;
  readonly #indexing: SegmentIndexing;
  #size: number;
  #syncedSize: number;
  #firstTimestamp: bigint | undefined;
  #writtenMs: number;
  #isRemoved = false;

  constructor(options: {
    context: StorageContext;
    directory: string;
    baseOffset: bigint;
    size: number;
    writtenMs?: number;
    suffix?: SegmentSuffix;
  }) {
    this.#context = options.context;
    this.#files = new SegmentFiles(options, options.suffix);
    this.baseOffset = options.baseOffset;
    this.#createdMs = options.context.clock.nowMs();
    this.#writtenMs = options.writtenMs ?? this.#createdMs;
    this.#size = options.size;
    this.#syncedSize = 0;
    this.#indexing = new SegmentIndexing(this.#files, this);
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
    writtenMs: number;
  }): Promise<Segment> {
    return Segment.#begin(options, '.cleaned');
  }

  static async #begin(
    options: { context: StorageContext; directory: string; baseOffset: bigint; writtenMs?: number },
    suffix: SegmentSuffix,
  ): Promise<Segment> {
    const segment = new Segment({ ...options, size: 0, suffix });
    await segment.#files.create();
    segment.#indexing.begin();
    return segment;
  }

  get size(): number {
    return this.#size;
  }

  /** The time of the last write, that of the file [LogSegment.lastModified]. */
  get writtenMs(): number {
    return this.#writtenMs;
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
    this.#indexing.setActive(isActive);
  }

  indexes(): Promise<SegmentIndexes> {
    return this.#indexing.indexes();
  }

  /** The largest timestamp and the last offset of the batch that has it; timestamp -1 where there is none. */
  largestTimestamp(): Promise<TimestampOffset> {
    return this.#indexing.largestTimestamp();
  }

  /** What retention goes by: where no record has a timestamp, the time of the last write. */
  async retentionTimestampMs(): Promise<number> {
    const { timestamp } = await this.largestTimestamp();
    return timestamp >= 0n ? Number(timestamp) : this.#writtenMs;
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
    return first >= 0n ? Number(maxTimestamp - first) : nowMs - this.#createdMs;
  }

  /** Whether `lastOffset` and one more index entry still fit. The indexes must be in memory. */
  hasRoomFor(lastOffset: bigint, indexBytes: number): boolean {
    if (lastOffset - this.baseOffset > 0x7fff_ffffn) return false;
    return this.#indexing.hasRoom(indexBytes);
  }

  /** Takes note of a batch that was written at the end of the file. */
  noteAppended(header: BatchHeader, indexIntervalBytes: number): void {
    const position = this.#size;
    this.#size += header.sizeInBytes;
    if (this.#files.suffix === '') this.#writtenMs = this.#context.clock.nowMs();
    this.#firstTimestamp ??= header.maxTimestamp;
    this.#indexing.add(header, position, indexIntervalBytes);
  }

  async noteAborted(entry: AbortedTransactionEntry): Promise<void> {
    (await this.indexes()).transactions.append(entry);
  }

  /** Whether the index of aborted transactions can be this segment's. */
  areAbortedSound(): Promise<boolean> {
    return this.#indexing.areTransactionsSound();
  }

  async replaceAborted(entries: readonly AbortedTransactionEntry[]): Promise<void> {
    const { transactions } = await this.indexes();
    transactions.truncateToOffset(this.baseOffset);
    for (const entry of entries) transactions.append(entry);
    await this.#indexing.rewrite();
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
    this.#indexing.startOver();
    this.#firstTimestamp = undefined;
    this.#syncedSize = 0;
    const indexed = { size: 0 };
    const { validBytes, fault } = await this.#scanTo(fileSize, (found) => {
      if (!this.#isOffsetInRange(found.header)) return false;
      this.#indexing.add(found.header, found.position, indexIntervalBytes);
      visit(found);
      indexed.size = found.position + found.header.sizeInBytes;
      return undefined;
    });
    this.#size = Math.min(validBytes, indexed.size);
    const isCut = this.#size < fileSize;
    if (isCut) await this.#truncateFile();
    await this.#indexing.finishRecovery();
    return isCut ? (fault ?? 'an offset does not belong to the segment') : undefined;
  }

  /** Removes the batch at `position`, whose base offset is at or past `offset`, and all after it. */
  async truncateTo(offset: bigint, position: number): Promise<void> {
    const indexes = await this.indexes();
    this.#size = position;
    this.#syncedSize = Math.min(this.#syncedSize, position);
    await this.#truncateFile();
    if (position === 0) this.#firstTimestamp = undefined;
    await this.#indexing.truncate(indexes, { offset, position });
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
  writeIndexes(isClosing: boolean): Promise<void> {
    return this.#indexing.write(isClosing);
  }

  /** Makes what is written durable. Of the active segment only the data: its indexes can be rebuilt. */
  async sync(): Promise<void> {
    const size = this.#size;
    await this.#context.handles.use(this.logPath, (file) => file.sync());
    if (!this.#indexing.isActive || this.#files.suffix === '.cleaned')
      await syncIndexes(this.#files);
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
    this.#indexing.leaveCache();
    await this.#files.release();
  }

  /** Renames the files. Who is about to read them may find none and has to look at the log anew. */
  async changeSuffix(suffix: SegmentSuffix): Promise<void> {
    if (suffix === '.deleted') this.#indexing.discard();
    await this.#files.changeSuffix(suffix);
  }

  async removeFiles(): Promise<void> {
    this.#isRemoved = true;
    this.#indexing.leaveCache();
    await this.#files.remove();
  }

  #isOffsetInRange({ baseOffset, lastOffset }: BatchHeader): boolean {
    return baseOffset >= this.baseOffset && lastOffset - this.baseOffset <= 0x7fff_ffffn;
  }

  #scanTo(to: number, visit: (found: ScannedBatch) => boolean | undefined): Promise<ScanResult> {
    return this.#context.handles.use(this.logPath, (file) =>
      scanBatches(file, { from: 0, to, depth: 'all' }, visit),
    );
  }

  async #truncateFile(): Promise<void> {
    await this.#context.handles.use(this.logPath, (file) => file.truncate(this.#size));
  }
}
