import { Emitter, type Event } from '../base/event.ts';
import type { Uuid } from '../base/uuid.ts';
import type { RecordBatch } from '../protocol/records/recordBatch.ts';
import type { EpochEndOffset } from './leaderEpochCache.ts';
import type { LogConfig } from './logConfig.ts';
import type { LogToClean } from './cleanable.ts';
import { type CompactionOptions, LogCompaction } from './logCompaction.ts';
import type { CleaningResult } from './logCleaning.ts';
import { type LogCheckpoint, loadLog } from './logLoader.ts';
import { LogOffsets } from './logOffsets.ts';
import { LogReader } from './logReader.ts';
import { LogState, storageFailure } from './logState.ts';
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
import { LogWriter, type PendingAppend } from './logWriter.ts';
import type { ProducerEntry } from './producerEntry.ts';
import type { StorageContext } from './storageContext.ts';
import { StorageError } from './storageError.ts';
import type { VerificationGuard, VerificationRequest } from './transactionVerification.ts';
import { UnwrittenLog } from './unwrittenLog.ts';

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
  readonly checkpoint: LogCheckpoint & { readonly highWatermark: bigint };
  readonly home: LogHome;
  /** It has a folder. */
  readonly isBegun: boolean;
}

/** What a log needs of who keeps it. */
export interface LogHome {
  /** Makes the folder of a log that is not begun, before the first thing is written there. */
  makeFolder(log: PartitionLog): Promise<void>;
  /** Makes it durable that log starts were moved by a client, before that is answered. */
  persistLogStarts(): Promise<void>;
  /** There may be something to flush. */
  noteChanged(log: PartitionLog): void;
}

interface OpenLog {
  readonly state: LogState;
  readonly reader: LogReader;
  readonly compaction: LogCompaction;
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
  #lazyWriter: LogWriter | undefined;
  readonly #didChange = new Emitter<void>();
  #config: LogConfig;
  #open: OpenLog | undefined;
  #opening: Promise<OpenLog> | undefined;
  /** Undefined once there is a folder. */
  #unwritten: UnwrittenLog | undefined;
  #isClosed = false;

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
    if (!options.isBegun) this.#unwritten = new UnwrittenLog(this.#name, this.#offsets);
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
    return this.#open?.state.epochs.latestEpoch ?? this.#unwritten?.leaderEpoch ?? -1;
  }
  /** Bytes handed to `append` that are not yet written; slow the senders down when this passes 8 MiB. */
  get unwrittenBytes(): number {
    return this.#lazyWriter?.unwrittenBytes ?? 0;
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
  /** Whether it has a folder. */
  get isBegun(): boolean {
    return this.#unwritten === undefined;
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }
  get config(): LogConfig {
    return this.#config;
  }
  updateConfig(config: LogConfig): void {
    this.#config = config;
  }

  /** Reads the folder if that has not happened yet, recovering the log where it has to be. */
  async open(): Promise<void> {
    if (this.#unwritten === undefined) await this.#ensureOpen();
  }

  /** As `open`, and makes the folder where there is none. */
  async begin(): Promise<void> {
    await this.#ensureOpen();
  }

  /**
   * Appends one v2 batch (`replication`: any number). Offsets are set in place in `records`, which belongs
   * to the log until the promise settles. Resolves once the operating system has the bytes. Rejects with
   * `StorageError`; nothing of a rejected append stays in the log.
   */
  async append(records: Buffer, options: AppendOptions): Promise<AppendInfo> {
    this.#refuseIfClosed();
    const batches = this.#validated(records, options);
    const sizeInBytes = batches.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const { transactionVersion = 0 } = options;
    return this.#writer.append({ ...options, batches, sizeInBytes, transactionVersion });
  }

  /** Moves the high watermark forward, never past the log end; an older value is ignored. */
  advanceHighWatermark(offset: bigint): void {
    if (!this.#offsets.advanceHighWatermark(offset)) return;
    this.#open?.state.onHighWatermark();
    this.#didChange.fire();
  }

  /** Rejects with OFFSET_OUT_OF_RANGE below the log start or past the log end. */
  async read(options: ReadOptions): Promise<ReadResult> {
    this.#refuseIfClosed();
    if (this.#unwritten) return this.#unwritten.read(options);
    return this.#guarded(({ reader }) => reader.read(options));
  }

  /** The first record whose timestamp is at or after `timestampMs`. */
  async offsetForTimestamp(timestampMs: bigint): Promise<TimestampedOffset | undefined> {
    if (this.#unwritten) return undefined;
    return this.#guarded(({ reader }) => reader.offsetForTimestamp(timestampMs));
  }

  /** The stored record with the largest timestamp, the first of them where there are several (ListOffsets -3). */
  async offsetOfMaxTimestamp(): Promise<TimestampedOffset | undefined> {
    if (this.#unwritten) return undefined;
    return this.#guarded(({ reader }) => reader.offsetOfMaxTimestamp());
  }

  /** The leader epoch under which the record at `offset` was written; -1 where that is not known. */
  async epochForOffset(offset: bigint): Promise<number> {
    const { state } = await this.#ensureOpen();
    return state.epochs.epochForOffset(offset);
  }

  /** Answers OffsetForLeaderEpoch: where the epoch, or the last one before it, ends in this log. */
  async endOffsetForEpoch(leaderEpoch: number): Promise<EpochEndOffset> {
    if (this.#unwritten) return this.#unwritten.endOffsetForEpoch(leaderEpoch);
    const { state } = await this.#ensureOpen();
    return state.epochs.endOffsetFor(leaderEpoch, this.#offsets.logEnd);
  }

  /** What a new leader does first: its epoch begins at the log end [Partition.makeLeader]. */
  async startLeaderEpoch(leaderEpoch: number): Promise<void> {
    if (this.#unwritten) this.#unwritten.startLeaderEpoch(leaderEpoch);
    else await this.#exclusively(({ state }) => state.startLeaderEpoch(leaderEpoch));
  }

  /** The producers that the log remembers (DescribeProducers). */
  async activeProducers(): Promise<readonly ProducerEntry[]> {
    if (this.#unwritten) return [];
    const { state } = await this.#ensureOpen();
    return state.producers.entries;
  }

  /**
   * Begins to ask the coordinator whether a transaction may write here; the guard goes with the append.
   * Undefined where the transaction has data here, so that nothing is to be asked. Rejects with
   * INVALID_PRODUCER_EPOCH for a producer that was fenced.
   */
  async startVerification(request: VerificationRequest): Promise<VerificationGuard | undefined> {
    const { state } = await this.#ensureOpen();
    return state.producers.startVerification(request);
  }

  /** DeleteRecords: moves the log start up to `offset`; past the high watermark OFFSET_OUT_OF_RANGE. */
  async deleteRecordsBefore(offset: bigint): Promise<void> {
    this.#refuseIfClosed();
    if (this.#unwritten) {
      this.#checkDeletable(offset);
      return;
    }
    await this.#changing(({ state }) => {
      this.#checkDeletable(offset);
      state.advanceLogStart(offset);
    });
    await this.#options.home.persistLogStarts();
  }

  /** Removes everything at and past `offset` (a follower that diverged from its leader). */
  truncateTo(offset: bigint): Promise<void> {
    return this.#changing(async ({ state, reader }) => {
      reader.forgetPositions();
      await state.truncateTo(offset);
      reader.forgetPositions();
    });
  }

  /** Drops all records and goes on at `offset` (a follower whose leader has nothing it could follow). */
  truncateFullyAndStartAt(offset: bigint): Promise<void> {
    return this.#changing(async ({ state, reader }) => {
      reader.forgetPositions();
      await state.startOver(offset);
    });
  }

  /** Deletes segments that are over the topic's time or size limit; answers how many. */
  async applyRetention(): Promise<number> {
    if (this.#unwritten) return 0;
    return this.#changing(({ state }) => state.applyRetention());
  }

  /** What a compaction would take. */
  surveyCompaction(): Promise<LogToClean> {
    return this.#guarded(({ compaction }) => compaction.survey());
  }

  /** Keeps the latest record of each key in the closed segments. Reads and appends go on meanwhile. */
  async compact(options: CompactionOptions): Promise<CleaningResult> {
    this.#refuseIfClosed();
    const { compaction } = await this.#ensureOpen();
    const result = await compaction.run(options);
    this.#didChange.fire();
    return result;
  }

  /** Starts a new segment, unless the active one is empty. */
  roll(): Promise<void> {
    return this.#exclusively(({ state }) => state.roll());
  }

  /** Makes everything written so far durable and moves the recovery point there. */
  async flush(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    const prepared = await this.#exclusively(({ state }) => state.prepareFlush());
    await open.state.sync(prepared).catch((error: unknown) => {
      throw storageFailure(this.#name, error);
    });
  }

  /** The clean end: writes what a restart needs, makes all durable and closes the files. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#opening?.catch(() => undefined);
      if (this.#open !== undefined) await this.#finish(this.#open.state);
    } catch (error) {
      throw storageFailure(this.#name, error);
    } finally {
      this.#isClosed = true;
      this.#didChange.dispose();
    }
  }

  /** The end without a flush, before the folder is deleted; what is under way is finished. */
  async abandon(): Promise<void> {
    this.#isClosed = true;
    await this.#writer.exclusively(async () => {
      await this.#opening?.catch(() => undefined);
      await this.#open?.state.release();
    });
    this.#didChange.fire();
    this.#didChange.dispose();
  }

  async #finish(state: LogState): Promise<void> {
    try {
      const prepared = await this.#exclusively(async () => {
        this.#isClosed = true;
        await state.finish();
        return state.prepareFlush();
      });
      await state.sync(prepared);
    } finally {
      await state.release();
    }
  }

  /** Most logs are never written to. */
  get #writer(): LogWriter {
    return (this.#lazyWriter ??= new LogWriter((group) => this.#write(group)));
  }

  async #write(group: readonly PendingAppend[]): Promise<void> {
    try {
      const { state } = await this.#ensureOpen();
      await state.append(group);
      this.#options.home.noteChanged(this);
    } catch (error) {
      for (const { outcome } of group) outcome.reject(storageFailure(this.#name, error));
    }
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

  async #exclusively<T>(work: (open: OpenLog) => T | Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    try {
      return await this.#writer.exclusively(() => this.#guarded(work));
    } finally {
      this.#options.home.noteChanged(this);
    }
  }

  async #changing<T>(work: (open: OpenLog) => T | Promise<T>): Promise<T> {
    const result = await this.#exclusively(work);
    this.#didChange.fire();
    return result;
  }

  /** Turns what the file system throws into Kafka's error. */
  async #guarded<T>(work: (open: OpenLog) => T | Promise<T>): Promise<T> {
    try {
      return await work(this.#open ?? (await this.#ensureOpen()));
    } catch (error) {
      throw storageFailure(this.#name, error);
    }
  }

  async #ensureOpen(): Promise<OpenLog> {
    return this.#open ?? (this.#opening ??= this.#load());
  }

  async #load(): Promise<OpenLog> {
    try {
      const unwritten = this.#unwritten;
      if (unwritten) await this.#makeFolder();
      const { context, directory, checkpoint } = this.#options;
      const loaded = await loadLog({ context, directory, config: this.#config, checkpoint });
      this.#noteLoss(loaded.logEndOffset);
      const { logStartOffset: logStart, logEndOffset: logEnd, recoveryPoint } = loaded;
      this.#offsets.settle({ logStart, logEnd, recoveryPoint });
      const config = (): LogConfig => this.#config;
      const offsets = this.#offsets;
      const onDidAppend = (): void => this.#didChange.fire();
      const state = new LogState({ context, directory, offsets, loaded, config, onDidAppend });
      if (unwritten && unwritten.leaderEpoch >= 0) state.startLeaderEpoch(unwritten.leaderEpoch);
      const { segments } = state;
      const reader = new LogReader({ context, name: this.#name, offsets, segments });
      const exclusively = <T>(work: () => Promise<T>): Promise<T> => this.#exclusively(work);
      const compaction = new LogCompaction({
        context,
        directory,
        offsets,
        state,
        config,
        exclusively,
      });
      this.#open = { state, reader, compaction };
      this.#options.home.noteChanged(this);
      return this.#open;
    } catch (error) {
      this.#opening = undefined;
      throw storageFailure(this.#name, error);
    }
  }

  async #makeFolder(): Promise<void> {
    this.#refuseIfClosed();
    await this.#options.home.makeFolder(this);
    this.#unwritten = undefined;
  }

  #checkDeletable(offset: bigint): void {
    const { highWatermark } = this.#offsets;
    if (offset <= highWatermark) return;
    throw new StorageError(
      'OFFSET_OUT_OF_RANGE',
      `${this.#name}: records up to ${offset} cannot be deleted, the high watermark is ${highWatermark}`,
    );
  }

  #noteLoss(logEnd: bigint): void {
    const { checkpoint, context } = this.#options;
    if (checkpoint.hadCleanShutdown && logEnd < checkpoint.recoveryPoint)
      context.logger.error(
        `${this.#name} was closed cleanly at offset ${checkpoint.recoveryPoint} but now ends at ${logEnd}: its files were changed since`,
      );
  }

  #refuseIfClosed(): void {
    if (this.#isClosed)
      throw new StorageError('KAFKA_STORAGE_ERROR', `${this.#name} is closed or being deleted`);
  }
}
