import { Emitter, type Event } from '../base/event.ts';
import type { Uuid } from '../base/uuid.ts';
import type { LogConfig } from './logConfig.ts';

/** Who appends: it decides what is checked and whether offsets are assigned or already there. */
export type AppendOrigin = 'client' | 'coordinator' | 'replication';

export interface AppendInfo {
  readonly baseOffset: bigint;
  readonly lastOffset: bigint;
  readonly maxTimestamp: bigint;
  /** -1 where the topic keeps the client's timestamps (CreateTime). */
  readonly logAppendTimeMs: bigint;
  readonly logStartOffset: bigint;
  /** A retry of a batch that is already in the log: the offsets are those of the first time. */
  readonly isDuplicate: boolean;
}

export interface ReadOptions {
  readonly offset: bigint;
  readonly maxBytes: number;
  /** What the reader may see: nothing at or past this offset is returned. */
  readonly upTo: 'highWatermark' | 'lastStable' | 'logEnd';
  /** Return the first batch even where it is larger than `maxBytes`. */
  readonly minOneBatch: boolean;
}

export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

export interface ReadResult {
  /** Whole batches; the first contains the offset asked for. Empty where there is nothing to see. */
  readonly records: Buffer;
  readonly highWatermark: bigint;
  readonly lastStableOffset: bigint;
  readonly logStartOffset: bigint;
  readonly abortedTransactions: readonly AbortedTransaction[];
}

/** An offset found by timestamp; the epoch is that of the record itself. */
export interface TimestampedOffset {
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly leaderEpoch: number;
}

/** Answer to "where does this epoch end" (OffsetForLeaderEpoch); -1 and -1n: not known here. */
export interface EpochEndOffset {
  readonly leaderEpoch: number;
  readonly endOffset: bigint;
}

/** Identity and beginnings of a log, as the log manager knows them before the folder is read. */
export interface PartitionLogOptions {
  readonly topic: string;
  readonly partition: number;
  readonly topicId: Uuid;
  readonly config: LogConfig;
}

/**
 * One replica's log: Kafka's UnifiedLog. Calls that change it run one at a time in the order they were made.
 * Offsets are known from the checkpoints at once; the folder is read on first use, so `sizeInBytes` and
 * `leaderEpoch` are exact only after `open()` or any other awaited call.
 */
export class PartitionLog {
  readonly topic: string;
  readonly partition: number;
  readonly topicId: Uuid;
  #config: LogConfig;
  readonly #didChange = new Emitter<void>();

  constructor(options: PartitionLogOptions) {
    this.topic = options.topic;
    this.partition = options.partition;
    this.topicId = options.topicId;
    this.#config = options.config;
  }

  /** Fires when records were appended, or the high watermark or the log start moved. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }
  get logStartOffset(): bigint {
    return notBuilt();
  }
  get logEndOffset(): bigint {
    return notBuilt();
  }
  get highWatermark(): bigint {
    return notBuilt();
  }
  get lastStableOffset(): bigint {
    return notBuilt();
  }
  get sizeInBytes(): number {
    return notBuilt();
  }
  /** The latest leader epoch in the log, -1 where it is empty. */
  get leaderEpoch(): number {
    return notBuilt();
  }
  /** Bytes handed to `append` that are not yet written; slow the senders down when this passes 8 MiB. */
  get unwrittenBytes(): number {
    return notBuilt();
  }
  get config(): LogConfig {
    return this.#config;
  }
  updateConfig(config: LogConfig): void {
    this.#config = config;
  }

  /** Reads the folder if that has not happened yet. */
  open(): Promise<void> {
    return notBuilt();
  }

  /**
   * Appends one v2 batch (`replication`: any number). Offsets are set in place in `records`, which belongs
   * to the log until the promise settles. Resolves once the operating system has the bytes. Rejects with
   * `StorageError`; nothing of a rejected append stays in the log.
   */
  append(
    _records: Buffer,
    _options: { origin: AppendOrigin; leaderEpoch: number },
  ): Promise<AppendInfo> {
    return notBuilt();
  }

  /** Moves the high watermark forward, never past the log end; an older value is ignored. */
  advanceHighWatermark(_offset: bigint): void {
    notBuilt();
  }

  /** Rejects with OFFSET_OUT_OF_RANGE below the log start or past the log end. */
  read(_options: ReadOptions): Promise<ReadResult> {
    return notBuilt();
  }

  /** The first record whose timestamp is at or after `timestampMs`. */
  offsetForTimestamp(_timestampMs: bigint): Promise<TimestampedOffset | undefined> {
    return notBuilt();
  }

  /** The record with the largest timestamp, the first of them where there are several (ListOffsets -3). */
  offsetOfMaxTimestamp(): Promise<TimestampedOffset | undefined> {
    return notBuilt();
  }

  /** The leader epoch under which the record at `offset` was written; -1 where that is not known. */
  epochForOffset(_offset: bigint): Promise<number> {
    return notBuilt();
  }

  endOffsetForEpoch(_leaderEpoch: number): Promise<EpochEndOffset> {
    return notBuilt();
  }

  /** DeleteRecords: moves the log start up to `offset`, at most the high watermark. */
  deleteRecordsBefore(_offset: bigint): Promise<void> {
    return notBuilt();
  }

  /** Removes everything at and past `offset` (a follower that diverged from its leader). */
  truncateTo(_offset: bigint): Promise<void> {
    return notBuilt();
  }

  /** Deletes segments that are over the topic's time or size limit; answers how many. */
  applyRetention(): Promise<number> {
    return notBuilt();
  }

  /** Starts a new segment, unless the active one is empty. */
  roll(): Promise<void> {
    return notBuilt();
  }

  /** Makes everything written so far durable and moves the recovery point there. */
  flush(): Promise<void> {
    return notBuilt();
  }

  close(): Promise<void> {
    return notBuilt();
  }
}

function notBuilt(): never {
  throw new Error('not built yet');
}
