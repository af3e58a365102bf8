import { assert } from '../../base/assert.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import { noPartitions, type PartitionSet } from './partitionSet.ts';

interface StateRule {
  /** As it stands in the log. */
  readonly id: number;
  /** The states that it can follow. */
  readonly after: readonly TransactionState[];
  /** A transactional id that stays in it is forgotten in the end. */
  readonly canExpire?: true;
}

/**
 * The states of a transaction, by the names that DescribeTransactions gives. Dead and PrepareEpochFence stand in
 * no log: with us an expired id is gone with its tombstone, and to fence is to abort. [TransactionState]
 */
export const transactionStates = {
  Empty: { id: 0, after: ['Empty', 'CompleteCommit', 'CompleteAbort'], canExpire: true },
  Ongoing: { id: 1, after: ['Ongoing', 'Empty', 'CompleteCommit', 'CompleteAbort'] },
  PrepareCommit: { id: 2, after: ['Ongoing'] },
  PrepareAbort: { id: 3, after: ['Ongoing', 'Empty', 'CompleteCommit', 'CompleteAbort'] },
  CompleteCommit: { id: 4, after: ['PrepareCommit'], canExpire: true },
  CompleteAbort: { id: 5, after: ['PrepareAbort'], canExpire: true },
  Dead: { id: 6, after: ['Empty', 'CompleteCommit', 'CompleteAbort'] },
  PrepareEpochFence: { id: 7, after: ['Ongoing'] },
} as const satisfies Record<
  string,
  Omit<StateRule, 'after'> & { readonly after: readonly string[] }
>;

export type TransactionState = keyof typeof transactionStates;

/** What is known of a transactional id: its producer, and the transaction that it is in or was in last. */
export interface Transaction {
  readonly transactionalId: string;
  readonly producerId: bigint;
  /** The producer id before the last change, by which a retry over the change of id is known. */
  readonly previousProducerId: bigint;
  /** The id that the producer was told to go on with once this transaction is complete; -1: the same. */
  readonly nextProducerId: bigint;
  readonly producerEpoch: number;
  /** The epoch before; -1 where a retry with it is not to be known. Not in the log, as in Kafka. */
  readonly lastProducerEpoch: number;
  readonly timeoutMs: number;
  readonly state: TransactionState;
  readonly partitions: PartitionSet;
  /** -1: nothing was added yet. */
  readonly startTimestampMs: bigint;
  readonly lastUpdateTimestampMs: bigint;
  /** transaction.version of the client's last change: 2 where its epoch rises with every transaction. */
  readonly clientTransactionVersion: number;
}

/** The first version with an epoch for every transaction. [TransactionVersion.supportsEpochBump] */
export const epochBumpVersion = 2;

/** The last epoch is kept back, so that a producer can always be fenced. [TransactionMetadata] */
export const lastUsableEpoch = 2 ** 15 - 2;
export const maxEpoch = 2 ** 15 - 1;

export function isEpochExhausted(producerEpoch: number): boolean {
  return producerEpoch >= lastUsableEpoch;
}

/** A transactional id that nobody has used, before its first epoch. */
export function newTransaction(transactionalId: string, producerId: bigint): Transaction {
  return {
    transactionalId,
    producerId,
    previousProducerId: noProducerId,
    nextProducerId: noProducerId,
    producerEpoch: noProducerEpoch,
    lastProducerEpoch: noProducerEpoch,
    timeoutMs: 0,
    state: 'Empty',
    partitions: noPartitions,
    startTimestampMs: -1n,
    lastUpdateTimestampMs: -1n,
    clientTransactionVersion: 0,
  };
}

/** What follows a transaction. [TransactionMetadata.prepareTransitionTo] */
export function transitionTo(
  state: TransactionState,
  from: Transaction,
  change: Partial<Transaction>,
): Transaction {
  const rule: StateRule = transactionStates[state];
  assert(rule.after.includes(from.state), `a transaction goes from ${from.state} to ${state}`);
  return { ...from, previousProducerId: from.producerId, ...change, state };
}

/**
 * The decision to end a transaction, before its markers. With transactions v2 the epoch rises, so that what the
 * producer sent before cannot get into the next one. [TransactionMetadata.prepareAbortOrCommit]
 */
export function prepared(
  from: Transaction,
  end: {
    readonly isCommit: boolean;
    readonly nowMs: bigint;
    readonly clientTransactionVersion: number;
    readonly nextProducerId: bigint;
  },
): Transaction {
  const { isCommit, nowMs, clientTransactionVersion, nextProducerId } = end;
  const isBump = clientTransactionVersion >= epochBumpVersion;
  const hasStarted = from.state === 'Ongoing';
  return transitionTo(isCommit ? 'PrepareCommit' : 'PrepareAbort', from, {
    ...(isBump && {
      producerEpoch: Math.min(from.producerEpoch + 1, maxEpoch),
      lastProducerEpoch: from.producerEpoch,
    }),
    startTimestampMs: hasStarted ? from.startTimestampMs : nowMs,
    lastUpdateTimestampMs: nowMs,
    clientTransactionVersion,
    nextProducerId,
  });
}

/** A prepared transaction once every partition has its marker. [TransactionMetadata.prepareComplete] */
export function completed(from: Transaction, nowMs: bigint): Transaction {
  const isCommit = from.state === 'PrepareCommit';
  const { nextProducerId, clientTransactionVersion } = from;
  const changesId = clientTransactionVersion >= epochBumpVersion && nextProducerId !== noProducerId;
  return transitionTo(isCommit ? 'CompleteCommit' : 'CompleteAbort', from, {
    ...(changesId && { producerId: nextProducerId, producerEpoch: 0 }),
    nextProducerId: noProducerId,
    partitions: noPartitions,
    lastUpdateTimestampMs: nowMs,
  });
}

/** Whether the transaction is decided and waits for its markers. */
export function isPrepared({ state }: Transaction): boolean {
  return state === 'PrepareCommit' || state === 'PrepareAbort';
}

export function canExpire({ state }: Transaction): boolean {
  const rule: StateRule = transactionStates[state];
  return rule.canExpire === true;
}
