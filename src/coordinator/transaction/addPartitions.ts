import { mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Outcome, ProducerIdAndEpoch, Surroundings } from './initProducerId.ts';
import { hasPartition, type TopicPartition, withPartitions } from './partitionSet.ts';
import { isPrepared, type Transaction, transitionTo } from './transactionState.ts';

export interface AddPartitions extends ProducerIdAndEpoch {
  readonly transactionalId: string;
  readonly partitions: readonly TopicPartition[];
}

/** Makes partitions part of the transaction, which begins with the first. [TransactionCoordinator] */
export function addPartitions(
  present: Transaction | undefined,
  request: AddPartitions & { readonly clientTransactionVersion: number },
  { nowMs }: Surroundings,
): Outcome {
  // Before ids and epochs: the producer may be ahead, as it was told what to go on as.
  if (present && isPrepared(present)) return { errorCode: errorCodes.CONCURRENT_TRANSACTIONS };
  const errorCode = producerError(present, request);
  if (present === undefined || errorCode !== errorCodes.NONE) return { errorCode };
  const isOngoing = present.state === 'Ongoing';
  const { partitions, clientTransactionVersion } = request;
  if (isOngoing && partitions.every((each) => hasPartition(present.partitions, each))) {
    return { errorCode: errorCodes.NONE };
  }
  const next = transitionTo('Ongoing', present, {
    partitions: withPartitions(present.partitions, partitions),
    startTimestampMs: isOngoing ? present.startTimestampMs : nowMs,
    lastUpdateTimestampMs: nowMs,
    clientTransactionVersion,
  });
  return { errorCode: errorCodes.NONE, next };
}

/** Whether each partition is part of the transaction, as error codes; for producers that add them beforehand. */
export function verifyPartitions(
  present: Transaction | undefined,
  request: AddPartitions,
): Steps<readonly number[]> {
  const errorCode = producerError(present, request);
  return mapInSteps(request.partitions, (partition) => {
    if (present === undefined || errorCode !== errorCodes.NONE) return errorCode;
    const isAdded = hasPartition(present.partitions, partition);
    return isAdded ? errorCodes.NONE : errorCodes.TRANSACTION_ABORTABLE;
  });
}

function producerError(
  present: Transaction | undefined,
  { producerId, producerEpoch }: ProducerIdAndEpoch,
): number {
  if (present?.producerId !== producerId) return errorCodes.INVALID_PRODUCER_ID_MAPPING;
  if (present.producerEpoch !== producerEpoch) return errorCodes.PRODUCER_FENCED;
  return isPrepared(present) ? errorCodes.CONCURRENT_TRANSACTIONS : errorCodes.NONE;
}
