import type { EpochEndOffset } from './leaderEpochCache.ts';
import type { ProducerEntry } from './producerEntry.ts';
import type { VerificationGuard } from './transactionVerification.ts';

/** Who appends: it decides what is checked and whether offsets are assigned or already there. */
export type AppendOrigin = 'client' | 'coordinator' | 'replication';

export interface AppendOptions {
  readonly origin: AppendOrigin;
  readonly leaderEpoch: number;
  /** For the marker of a transaction: 2 where the coordinator uses transactions v2 (KIP-890), 0 if left out. */
  readonly transactionVersion?: number;
  /**
   * A batch of a transaction is refused unless the transaction has data here already, or the coordinator was
   * asked and this is the proof. Left out: batches are taken as they are.
   */
  readonly verification?: { readonly guard: VerificationGuard | undefined };
}

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
  /** At most 8 MiB are returned at once, however much is asked for, unless the first batch is larger. */
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
  /** Only for reads up to the last stable offset: those with records in what was read. */
  readonly abortedTransactions: readonly AbortedTransaction[];
  /** The reader may see more of the segment that was read; it stopped for its size. */
  readonly isCut: boolean;
  /** The reader may see something of later segments. */
  readonly isBehind: boolean;
}

/** An offset found by timestamp; the epoch is that of the record's batch. */
export interface TimestampedOffset {
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly leaderEpoch: number;
}

/** What can be asked of a log, has it a folder or not. */
export interface LogView {
  /** The latest leader epoch, -1 where none is known. */
  readonly leaderEpoch: number;
  readonly activeProducers: readonly ProducerEntry[];
  read(options: ReadOptions): ReadResult | Promise<ReadResult>;
  offsetForTimestamp(timestampMs: bigint): undefined | Promise<TimestampedOffset | undefined>;
  offsetOfMaxTimestamp(): undefined | Promise<TimestampedOffset | undefined>;
  endOffsetForEpoch(leaderEpoch: number): EpochEndOffset;
}
