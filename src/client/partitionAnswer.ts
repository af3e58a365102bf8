import { t } from '../base/l10n.ts';
import { errorCodes } from '../protocol/errors.ts';
import { type FetchedPartition, readFetchedBatches } from './fetchedPartition.ts';
import type { PartitionAnswer } from './fetchPartitions.ts';
import { KafkaError } from './kafkaError.ts';

/** Where the reading of a partition stands. */
export interface ReadPosition {
  readonly offset: bigint;
  /** Of the last batch that was read; -1: not known. */
  readonly lastEpoch: number;
}

/** What a broker's answer means for one partition, and where reading goes on. */
export type ReadOutcome =
  | { readonly kind: 'fetched'; readonly fetched: FetchedPartition; readonly next: ReadPosition }
  /** The position is before the log's start or past its end; `end`: where the log was cut off, if that is known. */
  | { readonly kind: 'outOfRange'; readonly end: bigint | undefined }
  /** It may be the epoch that the broker knows nothing of: the same is to be asked without. */
  | { readonly kind: 'withoutEpoch'; readonly next: ReadPosition }
  /** The broker refuses. Whether that passes is the error's to say. */
  | { readonly kind: 'refused'; readonly error: KafkaError }
  /** What it sent makes no sense. */
  | { readonly kind: 'damaged'; readonly error: Error };

export function readAnswer(
  answer: PartitionAnswer,
  { offset, lastEpoch }: ReadPosition,
  { topic, partition }: { readonly topic: string; readonly partition: number },
): ReadOutcome {
  const { errorCode, divergingEpoch, isLeaderKnown } = answer;
  if (errorCode === errorCodes.OFFSET_OUT_OF_RANGE) {
    return lastEpoch < 0
      ? { kind: 'outOfRange', end: undefined }
      : { kind: 'withoutEpoch', next: { offset, lastEpoch: -1 } };
  }
  if (errorCode !== errorCodes.NONE) {
    return {
      kind: 'refused',
      error: new KafkaError(errorCode, { api: 'fetch', topic, partition, isLeaderKnown }),
    };
  }
  // What was read last was cut off the log, by a leader that never had it. [KIP-320, KIP-595]
  if (divergingEpoch.endOffset >= 0n && divergingEpoch.endOffset < offset) {
    return { kind: 'outOfRange', end: divergingEpoch.endOffset };
  }
  // The leader has other records up to here, and sends none as long as it is told of ours. As Java's consumer, which
  // asks before it fetches, goes on then. [SubscriptionState.maybeCompleteValidation]
  if (divergingEpoch.endOffset >= 0n && lastEpoch >= 0) {
    return { kind: 'withoutEpoch', next: { offset, lastEpoch: -1 } };
  }
  try {
    return readRecordsOf(answer, { offset, lastEpoch }, partition);
  } catch (error) {
    return { kind: 'damaged', error: error as Error };
  }
}

function readRecordsOf(
  answer: PartitionAnswer,
  { offset, lastEpoch }: ReadPosition,
  partition: number,
): ReadOutcome {
  const batches = readFetchedBatches(answer.records, offset, answer.abortedTransactions);
  const last = batches.at(-1)?.header;
  if (!last && answer.records && answer.records.length > 0) {
    throw new Error(t('the broker sent part of a batch at offset {0}, and no whole one', offset));
  }
  const next = last
    ? { offset: last.lastOffset + 1n, lastEpoch: last.partitionLeaderEpoch }
    : { offset, lastEpoch };
  const { highWatermark, lastStableOffset, logStartOffset } = answer;
  const ends = { highWatermark, lastStableOffset, logStartOffset };
  return {
    kind: 'fetched',
    next,
    fetched: { partition, ...ends, batches, nextOffset: next.offset },
  };
}
