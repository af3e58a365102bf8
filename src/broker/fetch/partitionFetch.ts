import type { Uuid } from '../../base/uuid.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { AbortedTransaction } from '../../storage/logTypes.ts';
import type { ReadResult } from '../../storage/partitionLog.ts';

/** What a fetch asks of one partition. */
export interface PartitionFetch {
  /** Which partition it is among those of its request or session. */
  readonly key: string;
  /** Undefined: the topic id is not known. */
  readonly topic: string | undefined;
  /** All zeros in versions that have names only. */
  readonly topicId: Uuid;
  readonly partition: number;
  readonly currentLeaderEpoch: number;
  readonly fetchOffset: bigint;
  readonly lastFetchedEpoch: number;
  readonly partitionMaxBytes: number;
}

export interface DivergingEpoch {
  readonly epoch: number;
  readonly endOffset: bigint;
}

/** Where a log stands, and what of it counts for nothing; null where that was not looked up. */
export interface ReadOffsets extends Pick<
  ReadResult,
  'highWatermark' | 'lastStableOffset' | 'logStartOffset'
> {
  readonly abortedTransactions: readonly AbortedTransaction[] | null;
}

export interface PartitionRead {
  readonly fetch: PartitionFetch;
  readonly error: ErrorName;
  readonly records: Buffer;
  /** Not there where nothing could be read. */
  readonly offsets?: ReadOffsets;
  readonly divergingEpoch?: DivergingEpoch;
  /**
   * What counts against the least that the client wants: of a log that has more, all that it asked for, whole batches
   * or not. [DelayedFetch.tryComplete]
   */
  readonly countedBytes: number;
  /** The client has to hear of it at once: an error in reading, logs that diverge, or an older segment. */
  readonly isUrgent: boolean;
  /** It was refused before anything was looked for. */
  readonly isRefused?: true;
}
