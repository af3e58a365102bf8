// Requests of transactional producers.
import type { RequestInput, Response } from '../../wire/broker/support/rawClient.ts';
import type { Run, Topic } from './run.ts';
import { batchOf, produceTo } from './requests.ts';

export interface Identity {
  readonly transactionalId: string;
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

/** Codes that a client answers by asking again: CONCURRENT_TRANSACTIONS, and coordinators not ready. */
const passing = new Set([51, 14, 15, 16]);

/** InitProducerId as of a new producer, once the coordinator has the time. */
export async function begin(
  run: Run,
  { transactionalId = run.fresh('txn'), version = 4, timeoutMs = 60_000 } = {},
): Promise<Identity> {
  const coordinator = { keyType: 1, coordinatorKeys: [transactionalId] };
  await run.until(
    ['findCoordinator', 4, coordinator],
    ({ coordinators: [found] }) => found?.errorCode === 0,
  );
  const request = { transactionalId, transactionTimeoutMs: timeoutMs };
  const { producerId, producerEpoch } = await run.until(
    ['initProducerId', version, request],
    ({ errorCode }) => !passing.has(errorCode),
  );
  return { transactionalId, producerId, producerEpoch };
}

export function addOf(
  { transactionalId, producerId, producerEpoch }: Identity,
  version: number,
  topics: readonly { name: string; partitions: readonly number[] }[],
  verifyOnly = false,
): RequestInput<'addPartitionsToTxn'> {
  const list = topics.map(({ name, partitions }) => ({ name, partitions: [...partitions] }));
  if (version < 4)
    return {
      v3AndBelowTransactionalId: transactionalId,
      v3AndBelowProducerId: producerId,
      v3AndBelowProducerEpoch: producerEpoch,
      v3AndBelowTopics: list,
    };
  return {
    transactions: [{ transactionalId, producerId, producerEpoch, verifyOnly, topics: list }],
  };
}

/** Adds partition 0, once the transaction before is done with. */
export async function add(
  run: Run,
  identity: Identity,
  { name }: Topic,
  version = 3,
): Promise<void> {
  await run.until(
    ['addPartitionsToTxn', version, addOf(identity, version, [{ name, partitions: [0] }])],
    ({ resultsByTopicV3AndBelow: [topic] }) =>
      !passing.has(topic?.resultsByPartition[0]?.partitionErrorCode ?? 0),
  );
}

export function sendOf(
  { transactionalId, producerId, producerEpoch }: Identity,
  topic: Topic,
  version: number,
  { sequence = 0, value = 'v', index = 0 } = {},
): RequestInput<'produce'> {
  const sender = { producerId, producerEpoch, baseSequence: sequence, isTransactional: true };
  return produceTo(topic, version, batchOf([value], sender), { transactionalId, index });
}

/** Ends a transaction and waits until its markers are written; the identity to go on with. */
export async function end(
  run: Run,
  identity: Identity,
  committed: boolean,
  version = 4,
): Promise<Identity> {
  const answer: Response<'endTxn'> = await run.until(
    ['endTxn', version, { ...identity, committed }],
    ({ errorCode }) => !passing.has(errorCode),
  );
  await settled(run, identity);
  if (version < 5 || answer.errorCode !== 0) return identity;
  return { ...identity, producerId: answer.producerId, producerEpoch: answer.producerEpoch };
}

export async function settled(run: Run, { transactionalId }: Identity): Promise<void> {
  await run.until(
    ['describeTransactions', 0, { transactionalIds: [transactionalId] }],
    ({ transactionStates: [state] }) => !(state?.transactionState ?? '').startsWith('Prepare'),
  );
}

export const offsetsOfTransaction = (
  { transactionalId, producerId, producerEpoch }: Identity,
  groupId: string,
  version: number,
  {
    topic,
    ...more
  }: {
    topic: { name: string; id: string };
    generation?: number;
    memberId?: string;
    groupInstanceId?: string;
    metadata?: string;
    partition?: number;
  },
): RequestInput<'txnOffsetCommit'> => ({
  transactionalId,
  groupId,
  producerId,
  producerEpoch,
  ...(version >= 3 && {
    generationIdOrMemberEpoch: more.generation ?? -1,
    memberId: more.memberId ?? '',
  }),
  ...(version >= 3 &&
    more.groupInstanceId !== undefined && { groupInstanceId: more.groupInstanceId }),
  topics: [
    {
      ...(version >= 6 ? { topicId: topic.id } : { name: topic.name }),
      partitions: [
        {
          partitionIndex: more.partition ?? 0,
          committedOffset: 7n,
          committedMetadata: more.metadata ?? 'note',
        },
      ],
    },
  ],
});
