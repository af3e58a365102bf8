import { errorCodes } from '../../protocol/errors.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import { noPartitions } from './partitionSet.ts';
import {
  epochBumpVersion,
  isEpochExhausted,
  isPrepared,
  maxEpoch,
  newTransaction,
  prepared,
  type Transaction,
  transitionTo,
} from './transactionState.ts';

export interface ProducerIdAndEpoch {
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

export interface InitProducerId {
  readonly transactionalId: string;
  readonly timeoutMs: number;
  /** What the producer has been until now, where it only wants to go on after an error (KIP-360). */
  readonly expected: ProducerIdAndEpoch | undefined;
}

/** What deciding is given besides the state. */
export interface Surroundings {
  readonly nowMs: bigint;
  /** A producer id that no producer has had. */
  readonly newProducerId: () => bigint;
  /** The level of the cluster's feature transaction.version. */
  readonly transactionVersion: number;
}

/** An error, or what the transactional id is from now on. */
export type Outcome =
  { readonly errorCode: number } | { readonly errorCode: 0; readonly next: Transaction };

/**
 * Gives a producer its id and a new epoch, which fences every earlier one. An open transaction is aborted first:
 * then `next` is that, and the producer is told to ask again. [TransactionCoordinator.prepareInitProducerIdTransit]
 */
export function initProducerId(
  present: Transaction | undefined,
  request: InitProducerId,
  surroundings: Surroundings,
): Outcome {
  const { expected, timeoutMs } = request;
  const transaction =
    present ?? newTransaction(request.transactionalId, surroundings.newProducerId());
  // What waits for its markers says so whoever asks: the producer may be ahead, as it was told what to go on as.
  const isFenced = expected && !isPrepared(transaction) && !canGoOn(transaction, expected);
  if (isFenced) return { errorCode: errorCodes.PRODUCER_FENCED };
  switch (transaction.state) {
    case 'Ongoing':
      return { errorCode: errorCodes.NONE, next: fenced(transaction, surroundings) };
    case 'Empty':
    case 'CompleteCommit':
    case 'CompleteAbort': {
      const identity = nextIdentity(transaction, expected, surroundings);
      if (identity === undefined) return { errorCode: errorCodes.PRODUCER_FENCED };
      const lastUpdateTimestampMs = surroundings.nowMs;
      const clean = { timeoutMs, partitions: noPartitions, startTimestampMs: -1n };
      const change = { ...identity, ...clean, lastUpdateTimestampMs };
      return { errorCode: errorCodes.NONE, next: transitionTo('Empty', transaction, change) };
    }
    case 'PrepareCommit':
    case 'PrepareAbort':
    case 'Dead':
    case 'PrepareEpochFence':
      return { errorCode: errorCodes.CONCURRENT_TRANSACTIONS };
  }
}

/**
 * The abort of an open transaction that its producer did not ask for: its epoch is over with it. With transactions v1
 * it cannot go on from that epoch either, as nothing tells it from the next producer.
 * [TransactionCoordinator.endTransaction, endTransactionWithTV1]
 */
export function fenced(
  transaction: Transaction,
  { nowMs, newProducerId, transactionVersion }: Surroundings,
): Transaction {
  const end = { isCommit: false, nowMs, nextProducerId: noProducerId };
  if (transactionVersion < epochBumpVersion) {
    const producerEpoch = Math.min(transaction.producerEpoch + 1, maxEpoch);
    const next = { ...transaction, producerEpoch, lastProducerEpoch: noProducerEpoch };
    return prepared(next, { ...end, clientTransactionVersion: 0 });
  }
  const isExhausted = isEpochExhausted(transaction.producerEpoch);
  return prepared(transaction, {
    ...end,
    clientTransactionVersion: epochBumpVersion,
    ...(isExhausted && { nextProducerId: newProducerId() }),
  });
}

/** A producer that names itself has to be the present one, or the one before a change of id. */
function canGoOn(transaction: Transaction, expected: ProducerIdAndEpoch): boolean {
  const { producerEpoch, producerId, previousProducerId } = transaction;
  if (producerEpoch === noProducerEpoch || expected.producerId === producerId) return true;
  return expected.producerId === previousProducerId && isEpochExhausted(expected.producerEpoch);
}

type Identity = Pick<Transaction, 'producerId' | 'producerEpoch' | 'lastProducerEpoch'>;

/**
 * Undefined: the producer was fenced. [TransactionMetadata.prepareIncrementProducerEpoch, prepareProducerIdRotation]
 */
function nextIdentity(
  { producerId, producerEpoch, lastProducerEpoch }: Transaction,
  expected: ProducerIdAndEpoch | undefined,
  { newProducerId }: Surroundings,
): Identity | undefined {
  const isNew = producerEpoch === noProducerEpoch;
  const isPresent = expected === undefined || expected.producerEpoch === producerEpoch;
  const last = expected === undefined ? noProducerEpoch : producerEpoch;
  if (isEpochExhausted(producerEpoch) && isPresent) {
    return { producerId: newProducerId(), producerEpoch: 0, lastProducerEpoch: last };
  }
  if (isPresent || isNew) {
    return { producerId, producerEpoch: producerEpoch + 1, lastProducerEpoch: last };
  }
  // A retry of what was answered already: a newer producer would have taken the last epoch away.
  const isRetry = expected.producerEpoch === lastProducerEpoch;
  return isRetry ? { producerId, producerEpoch, lastProducerEpoch } : undefined;
}
