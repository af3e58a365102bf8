import type { Uuid } from '../base/uuid.ts';
import type { VerificationGuard } from '../storage/transactionVerification.ts';

/** A record of an internal topic: key and value as Kafka frames them (int16 version first). Null value: tombstone. */
export interface CoordinatorRecord {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
  /** Written as part of this producer's transaction: it counts once a marker says that it was committed. */
  readonly producerId?: bigint;
}

/** A marker in a coordinator's log, which ends a producer's transaction there. */
export interface CoordinatorMarker {
  readonly producerId: bigint;
  readonly isCommit: boolean;
}

/** What reading a coordinator's log gives, in its order. */
export type CoordinatorEntry = CoordinatorRecord | CoordinatorMarker;

export function isMarker(entry: CoordinatorEntry): entry is CoordinatorMarker {
  return 'isCommit' in entry;
}

/** The transaction that records are written in. */
export interface TransactionalWrite {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** From the verification; undefined where the transaction has records in the partition already. */
  readonly guard: VerificationGuard | undefined;
}

/** A marker that does not say of which version its transaction is; no log takes it. [TransactionVersion.TV_UNKNOWN] */
export const unknownTransactionVersion = -1;

/** A marker to be written. */
export interface TransactionEnd extends CoordinatorMarker {
  readonly producerEpoch: number;
  readonly coordinatorEpoch: number;
  readonly transactionVersion: number;
}

/** Where a coordinator's decisions become durable. */
export interface PartitionWriter {
  /**
   * Appends records as one batch to a partition of the coordinator's internal topic. Resolves once they are
   * committed (the high watermark has passed them); rejects if they will never be, with an `AppendError`
   * where there is an error code for it. A coordinator has at most one append per partition under way.
   */
  append(
    partition: number,
    records: readonly CoordinatorRecord[],
    transaction?: TransactionalWrite,
  ): Promise<void>;
  /** What an append may take at most: max.message.bytes of the topic. */
  maxBatchBytes(partition: number): number;
  /** Appends the marker that ends a transaction; otherwise as `append`. */
  appendMarker(partition: number, marker: TransactionEnd): Promise<void>;
}

/** Why records will never be committed: the error code that a Produce of them would have got. */
export class AppendError extends Error {
  override name = 'AppendError';
  readonly errorCode: number;

  constructor(errorCode: number, message: string) {
    super(message);
    this.errorCode = errorCode;
  }
}

/** What a coordinator asks about topics. */
export interface TopicDirectory {
  topicId(name: string): Uuid | undefined;
  topicName(id: Uuid): string | undefined;
  /** Undefined: no such topic. */
  partitionCount(name: string): number | undefined;
  names(): Iterable<string>;
  /** Grows with every change of the metadata. */
  version(): bigint;
}
