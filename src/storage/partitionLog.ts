import { Emitter, type Event } from '../base/event.ts';
import type { Uuid } from '../base/uuid.ts';
import type { RecordBatch } from '../protocol/records/recordBatch.ts';
import type { EpochEndOffset } from './leaderEpochCache.ts';
import type { LogConfig } from './logConfig.ts';
import type { LogToClean } from './cleanable.ts';
import type { CompactionOptions } from './logCompaction.ts';
import type { CleaningResult } from './logCleaning.ts';
import type { LogAccess } from './logAccess.ts';
import type { StartCheckpoint } from './logCheckpoint.ts';
import { LogGate } from './logGate.ts';
import type { LogHome } from './logHome.ts';
import { LogOffsets } from './logOffsets.ts';
import type {
  AppendInfo,
  AppendOptions,
  ReadOptions,
  ReadResult,
  TimestampedOffset,
} from './logTypes.ts';
import {
  validateClientBatch,
  validateCoordinatorBatch,
  validateReplicatedBatches,
} from './logValidator.ts';
import type { OpenLog } from './openLog.ts';
import type { ProducerEntry } from './producerEntry.ts';
import type { StorageContext } from './storageContext.ts';
import { StorageError } from './storageError.ts';
import type { VerificationGuard, VerificationRequest } from './transactionVerification.ts';
import type { UnwrittenLog } from './unwrittenLog.ts';

export type { AppendInfo, AppendOptions, ReadOptions, ReadResult, TimestampedOffset };
export type { EpochEndOffset } from './leaderEpochCache.ts';

/** Identity and beginnings of a log, as the log manager knows them before the folder is read. */
export interface PartitionLogOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly topic: string;
  readonly partition: number;
  readonly topicId: Uuid;
  readonly config: LogConfig;
  readonly checkpoint: StartCheckpoint;
  readonly home: LogHome<PartitionLog>;
  /** It has a folder. */
  readonly isBegun: boolean;
  /** What the disk said instead of whose folder it is: that is still to be found out. */
  readonly unreadable?: unknown;
}

/**
 * One replica's log: Kafka's UnifiedLog. Calls that change it run one at a time in the order they were made.
 * Offsets are known from the checkpoints at once; the folder is read on first use, so `sizeInBytes`,
 * `leaderEpoch` and `lastStableOffset` are exact only after `open()` or any other awaited call. A log that is
 * not begun has no folder: it is empty, and who only looks at it does not begin it.
 */
export class PartitionLog {
  readonly topic: string;
  readonly partition: number;
  readonly topicId: Uuid;
  readonly #options: PartitionLogOptions;
  readonly #offsets: LogOffsets;
  readonly #didChange = new Emitter<void>();
  #config: LogConfig;
  readonly #gate: LogGate;
  readonly #access: LogAccess;

  constructor(options: PartitionLogOptions) {
    this.topic = options.topic;
    this.partition = options.partition;
    this.topicId = options.topicId;
    this.#options = options;
    this.#config = options.config;
    const { logStartOffset: logStart, recoveryPoint, highWatermark } = options.checkpoint;
    const { cleanedOffset: cleaned } = options.checkpoint;
    // After a clean stop the recovery point is the log end.
    const logEnd = recoveryPoint > logStart ? recoveryPoint : logStart;
    this.#offsets = new LogOffsets({ logStart, logEnd, highWatermark, recoveryPoint, cleaned });
    this.#gate = this.#newGate();
    this.#access = this.#gate.access;
  }

  /** Fires when records were appended, or the high watermark or the log start moved. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }
  get logStartOffset(): bigint {
    return this.#offsets.logStart;
  }
  /** The offset that the next record gets. */
  get logEndOffset(): bigint {
    return this.#offsets.logEnd;
  }
  get highWatermark(): bigint {
    return this.#offsets.highWatermark;
  }
  /** What read_committed readers may see up to: never past the high watermark or into an open transaction. */
  get lastStableOffset(): bigint {
    return this.#offsets.lastStable;
  }
  /** Everything below is on the disk for certain. */
  get recoveryPoint(): bigint {
    return this.#offsets.recoveryPoint;
  }
  /** Up to where the log was compacted; undefined: never. */
  get cleanedOffset(): bigint | undefined {
    return this.#offsets.cleaned;
  }
  get sizeInBytes(): number {
    return this.#open?.state.segments.sizeInBytes ?? 0;
  }
  get segmentCount(): number {
    return this.#open?.state.segments.all.length ?? 0;
  }
  /** The latest leader epoch in the log, -1 where it is empty. */
  get leaderEpoch(): number {
    return this.#access.view?.leaderEpoch ?? -1;
  }
  /** Bytes handed to `append` that are not yet written; slow the senders down when this passes 8 MiB. */
  get unwrittenBytes(): number {
    return this.#gate.unwrittenBytes;
  }
  /** Bytes written that may not be on the disk yet. */
  get unflushedBytes(): number {
    return this.#open?.state.unflushedBytes ?? 0;
  }
  /** Whether a flush has anything to do. */
  get isDirty(): boolean {
    return this.#open?.state.isDirty ?? false;
  }
  get isOpen(): boolean {
    return this.#open !== undefined;
  }
  /**
   * Why the partition is offline: its folder could not be read when that was last tried, or a sync failed since.
   * Everything is refused with it until `open` has worked.
   */
  get problem(): StorageError | undefined {
    return this.#access.problem;
  }
  /** What its files hold past the recovery point is not known to be sound. */
  get needsRecovery(): boolean {
    return this.#access.needsRecovery;
  }
  /** Whether it has a folder. */
  get isBegun(): boolean {
    return this.#access.isBegun;
  }
  get isClosed(): boolean {
    return this.#access.isClosed;
  }
  get config(): LogConfig {
    return this.#config;
  }
  updateConfig(config: LogConfig): void {
    this.#config = config;
  }

  /** Reads the folder if that has not happened yet, recovering the log where it has to be. */
  async open(): Promise<void> {
    if (this.#unwritten === undefined) await this.#access.ensureOpen();
  }

  /** As `open`; where that fails, `problem` says why. */
  async tryOpen(): Promise<void> {
    await this.open().catch(() => undefined);
  }

  /** As `open`, and makes the folder where there is none. */
  async begin(): Promise<void> {
    await this.#access.ensureOpen();
  }

  /**
   * Appends one v2 batch (`replication`: any number). Offsets are set in place in `records`, which belongs
   * to the log until the promise settles. Resolves once the operating system has the bytes. Rejects with
   * `StorageError`; nothing of a rejected append stays in the log, unless the partition is offline since: then its
   * records may be there once it has been recovered.
   */
  async append(records: Buffer, options: AppendOptions): Promise<AppendInfo> {
    this.#access.refuseIfClosed();
    const batches = this.#validated(records, options);
    const sizeInBytes = batches.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const { transactionVersion = 0 } = options;
    return this.#gate.append({ ...options, batches, sizeInBytes, transactionVersion });
  }

  /** Moves the high watermark forward, never past the log end; an older value is ignored. */
  advanceHighWatermark(offset: bigint): void {
    if (!this.#offsets.advanceHighWatermark(offset)) return;
    this.#open?.state.onHighWatermark();
    this.#didChange.fire();
  }

  /** Rejects with OFFSET_OUT_OF_RANGE below the log start or past the log end. */
  async read(options: ReadOptions): Promise<ReadResult> {
    this.#access.refuseIfClosed();
    return this.#gate.looking((log) => log.read(options));
  }

  /** The first record whose timestamp is at or after `timestampMs`. */
  async offsetForTimestamp(timestampMs: bigint): Promise<TimestampedOffset | undefined> {
    return this.#gate.looking((log) => log.offsetForTimestamp(timestampMs));
  }

  /** The stored record with the largest timestamp, the first of them where there are several (ListOffsets -3). */
  async offsetOfMaxTimestamp(): Promise<TimestampedOffset | undefined> {
    return this.#gate.looking((log) => log.offsetOfMaxTimestamp());
  }

  /** The leader epoch under which the record at `offset` was written; -1 where that is not known. */
  async epochForOffset(offset: bigint): Promise<number> {
    const { state } = await this.#access.usable();
    return state.epochs.epochForOffset(offset);
  }

  /** Answers OffsetForLeaderEpoch: where the epoch, or the last one before it, ends in this log. */
  async endOffsetForEpoch(leaderEpoch: number): Promise<EpochEndOffset> {
    return this.#gate.looking((log) => log.endOffsetForEpoch(leaderEpoch));
  }

  /** What a new leader does first: its epoch begins at the log end [Partition.makeLeader]. */
  async startLeaderEpoch(leaderEpoch: number): Promise<void> {
    if (this.#unwritten) this.#unwritten.startLeaderEpoch(leaderEpoch);
    else await this.#gate.exclusively(({ state }) => state.startLeaderEpoch(leaderEpoch));
  }

  /** The producers that the log remembers (DescribeProducers). */
  async activeProducers(): Promise<readonly ProducerEntry[]> {
    return this.#gate.looking((log) => log.activeProducers);
  }

  /**
   * Begins to ask the coordinator whether a transaction may write here; the guard goes with the append.
   * Undefined where the transaction has data here, so that nothing is to be asked. Rejects with
   * INVALID_PRODUCER_EPOCH for a producer that was fenced.
   */
  async startVerification(request: VerificationRequest): Promise<VerificationGuard | undefined> {
    const { state } = await this.#access.usable();
    return state.producers.startVerification(request);
  }

  /** DeleteRecords: moves the log start up to `offset`; past the high watermark OFFSET_OUT_OF_RANGE. */
  async deleteRecordsBefore(offset: bigint): Promise<void> {
    this.#access.refuseIfClosed();
    if (this.#unwritten) {
      this.#checkDeletable(offset);
      return;
    }
    await this.#gate.changing(({ state }) => {
      this.#checkDeletable(offset);
      state.advanceLogStart(offset);
    });
    await this.#options.home.persistLogStarts().catch((error: unknown) => {
      throw this.#access.failure(error);
    });
  }

  /** Removes everything at and past `offset` (a follower that diverged from its leader). */
  truncateTo(offset: bigint): Promise<void> {
    return this.#gate.changing(async ({ state, reader }) => {
      reader.forgetPositions();
      await state.truncateTo(offset);
      reader.forgetPositions();
    });
  }

  /** Drops all records and goes on at `offset` (a follower whose leader has nothing it could follow). */
  truncateFullyAndStartAt(offset: bigint): Promise<void> {
    return this.#gate.changing(async ({ state, reader }) => {
      reader.forgetPositions();
      await state.startOver(offset);
    });
  }

  /** Deletes segments that are over the topic's time or size limit; answers how many. */
  async applyRetention(): Promise<number> {
    if (this.#unwritten) return 0;
    return this.#gate.changing(({ state }) => state.applyRetention());
  }

  /** Forgets producers that have been silent for too long. [UnifiedLog.removeExpiredProducers] */
  async removeExpiredProducers(): Promise<void> {
    if (this.#unwritten) return;
    await this.#gate.changing(({ state }) => state.removeExpiredProducers());
  }

  /** What a compaction would take. */
  surveyCompaction(): Promise<LogToClean> {
    return this.#gate.guarded(({ compaction }) => compaction.survey());
  }

  /** Keeps the latest record of each key in the closed segments. Reads and appends go on meanwhile. */
  async compact(options: CompactionOptions): Promise<CleaningResult> {
    this.#access.refuseIfClosed();
    const { compaction } = await this.#access.usable();
    const result = await compaction.run(options);
    this.#didChange.fire();
    return result;
  }

  /** Starts a new segment, unless the active one is empty. */
  roll(): Promise<void> {
    return this.#gate.exclusively(({ state }) => state.roll());
  }

  /** Makes everything written so far durable and moves the recovery point there. */
  flush(): Promise<void> {
    return this.#gate.flush();
  }

  /** The clean end: writes what a restart needs, makes all durable and closes the files. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.#gate.close();
    } finally {
      this.#didChange.dispose();
    }
  }

  /** The end without a flush, before the folder is deleted; what is under way is finished. */
  async abandon(): Promise<void> {
    await this.#gate.abandon();
    this.#didChange.fire();
    this.#didChange.dispose();
  }

  #newGate(): LogGate {
    const { home } = this.#options;
    return new LogGate({
      ...this.#options,
      name: this.#name,
      offsets: this.#offsets,
      config: () => this.#config,
      // Kafka makes that segment, or opens it, as it comes to know the log.
      firstIndexBytes: this.#options.config.segmentIndexBytes,
      makeFolder: () => home.makeFolder(this),
      noteChanged: () => home.noteChanged(this),
      onDidChange: () => this.#didChange.fire(),
      onDidOpen: (wasOffline) => {
        home.noteChanged(this);
        if (wasOffline) home.noteRecovered(this);
      },
      onDidFail: () => {
        home.noteFailed(this);
        this.#didChange.fire();
      },
    });
  }

  get #open(): OpenLog | undefined {
    return this.#access.open;
  }

  get #unwritten(): UnwrittenLog | undefined {
    return this.#access.unwritten;
  }

  get #name(): string {
    return `${this.topic}-${this.partition}`;
  }

  #validated(records: Buffer, { origin }: AppendOptions): readonly RecordBatch[] {
    if (origin === 'replication') return validateReplicatedBatches(records, this.#name);
    const nowMs = this.#options.context.clock.nowMs();
    const options = { config: this.#config, nowMs, partitionName: this.#name };
    const validate = origin === 'client' ? validateClientBatch : validateCoordinatorBatch;
    return [validate(records, options)];
  }

  #checkDeletable(offset: bigint): void {
    const { highWatermark } = this.#offsets;
    if (offset <= highWatermark) return;
    throw new StorageError(
      'OFFSET_OUT_OF_RANGE',
      `${this.#name}: records up to ${offset} cannot be deleted, the high watermark is ${highWatermark}`,
    );
  }
}
