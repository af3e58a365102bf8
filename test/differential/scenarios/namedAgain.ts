// Requests that name a thing again, beside others: what is joined, what counts, and in which order it is answered.
import { errorByCode } from '../../../src/protocol/errors.ts';
import { begin, end, type Identity } from '../support/transactionRequests.ts';
import { batchOf, int32Max, produce, unknownTopicId } from '../support/requests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';

interface AnsweredTopic {
  readonly name: string;
  readonly topicId?: string;
  readonly partitions: readonly { readonly partitionIndex: number; readonly errorCode: number }[];
}

/** Answers are compared whatever their order: these are told in theirs. */
export const inOrder = (topics: readonly AnsweredTopic[], usesId = false): string[] =>
  topics.map(({ name, topicId, partitions }) => {
    const told = partitions.map((each) => {
      return `${each.partitionIndex} ${errorByCode(each.errorCode).name}`;
    });
    return `${usesId ? topicId : name}: ${told.join(', ')}`;
  });

const offset = (partitionIndex: number, committedOffset = 5n, committedMetadata = 'note') => ({
  partitionIndex,
  committedOffset,
  committedMetadata,
});

/** Offsets of two topics that are there, of two and of one partition, and of one that is not. */
function commits(one: Topic, other: Topic, usesId: boolean) {
  const name = (topic: Topic) => (usesId ? { topicId: topic.id } : { name: topic.name });
  const [a, b] = [name(one), name(other)];
  const ghost = usesId ? { topicId: unknownTopicId } : { name: `${one.name}-ghost` };
  return {
    'known twice': [
      { ...a, partitions: [offset(0)] },
      { ...a, partitions: [offset(0, 6n), offset(1)] },
    ],
    'a partition that is not there': [{ ...a, partitions: [offset(0), offset(9), offset(1)] }],
    'known twice beside others': [
      { ...a, partitions: [offset(0)] },
      { ...ghost, partitions: [offset(0)] },
      { ...b, partitions: [offset(0), offset(7)] },
      { ...a, partitions: [offset(0, 7n), offset(9)] },
    ],
    'unknown twice': [
      { ...ghost, partitions: [offset(0)] },
      { ...a, partitions: [offset(0, 8n)] },
      { ...ghost, partitions: [offset(0), offset(1)] },
      { ...a, partitions: [offset(1)] },
    ],
    'without partitions': [
      { ...b, partitions: [] },
      { ...ghost, partitions: [] },
      { ...a, partitions: [offset(0)] },
      { ...b, partitions: [] },
    ],
    'known and without partitions': [{ ...a, partitions: [] }],
    'too long a text': [
      { ...a, partitions: [offset(0, 5n, 'x'.repeat(5000)), offset(9)] },
      { ...a, partitions: [offset(1)] },
    ],
  };
}

async function commit(run: Run, version: number, topics: readonly [Topic, Topic]): Promise<void> {
  const usesId = version >= 10;
  const groupId = run.fresh('group');
  for (const [label, named] of Object.entries(commits(...topics, usesId)))
    for (const generation of [-1, 4]) {
      const request = { groupId, memberId: '', generationIdOrMemberEpoch: generation };
      const told = `${label}, generation ${generation}`;
      const body = { ...request, topics: named };
      const answer = await run.ask('offsetCommit', version, body, { label: told });
      run.note('offsetCommit', version, inOrder(answer.topics, usesId), `${told}, in order`);
    }
  await run.ask('offsetFetch', 7, { groupId, topics: null });
}

async function commitIn(run: Run, version: number, topics: readonly [Topic, Topic]): Promise<void> {
  const usesId = version >= 6;
  const identity = await begin(run);
  const groupId = run.fresh('group');
  if (version < 5) await run.ask('addOffsetsToTxn', 3, { ...identity, groupId });
  for (const [label, named] of Object.entries(commits(...topics, usesId)))
    for (const producerEpoch of [0, 99]) {
      const request = { ...identity, producerEpoch, groupId, topics: named };
      const told = `${label}, epoch ${producerEpoch}`;
      const answer = await run.ask('txnOffsetCommit', version, request, { label: told });
      run.note('txnOffsetCommit', version, inOrder(answer.topics, usesId), `${told}, in order`);
    }
  await end(run, identity, true);
  await run.ask('offsetFetch', 7, { groupId, topics: null });
}

/** Batches of transactions of which the first is named again. */
function batches([one, other]: readonly [Topic, Topic], first: Identity, second: Identity) {
  const of = ({ name }: Topic, ...partitions: number[]) => ({ name, partitions });
  const ghost = { name: `${one.name}-ghost`, partitions: [0] };
  const late = { ...first, producerEpoch: 9 };
  return {
    'other partitions': [
      { ...first, topics: [of(one, 0)] },
      { ...second, topics: [of(one, 0)] },
      { ...first, topics: [of(other, 0), of(other, 0)] },
    ],
    'what is not there last': [
      { ...first, topics: [of(one, 0)] },
      { ...first, topics: [ghost, of(one, 1)] },
    ],
    'what is not there first': [
      { ...first, topics: [ghost] },
      { ...first, topics: [of(one, 1)] },
    ],
    'another epoch': [
      { ...late, topics: [of(one, 0)] },
      { ...first, topics: [of(other, 1), of(one, 1)] },
    ],
    'nothing last': [
      { ...first, topics: [of(one, 1)] },
      { ...first, topics: [] },
    ],
  };
}

async function addTwice(run: Run, version: number, topics: readonly [Topic, Topic]) {
  for (const verifyOnly of [true, false]) {
    const [first, second] = [await begin(run), await begin(run)];
    for (const [label, batch] of Object.entries(batches(topics, first, second))) {
      const transactions = batch.map((each) => ({ ...each, verifyOnly }));
      await run.ask('addPartitionsToTxn', version, { transactions }, { label });
      const { transactionalId } = first;
      await run.ask('describeTransactions', 0, { transactionalIds: [transactionalId] }, { label });
    }
    await end(run, first, false);
    await end(run, second, false);
  }
}

export const namedAgainScenarios: Scenarios = {
  async 'offsets of topics that are named again, there or not'(run) {
    const topics = [await run.topic({ partitions: 2 }), await run.topic()] as const;
    for (const version of run.versions('offsetCommit')) await commit(run, version, topics);
  },

  async 'offsets of a transaction, of topics that are named again, there or not'(run) {
    const topics = [await run.topic({ partitions: 2 }), await run.topic()] as const;
    for (const version of run.versions('txnOffsetCommit')) await commitIn(run, version, topics);
  },

  async 'offsets that are deleted, of topics that are named again, there or not'(run) {
    const [one, other] = [await run.topic({ partitions: 2 }), await run.topic()];
    const groupId = run.fresh('group');
    const set = { groupId, generationIdOrMemberEpoch: -1 };
    const own = [
      { name: one.name, partitions: [offset(0), offset(1)] },
      { name: other.name, partitions: [offset(0)] },
    ];
    for (const [label, named] of Object.entries(commits(one, other, false))) {
      await run.until(
        ['offsetCommit', 8, { ...set, topics: own }],
        ({ topics: [answered] }) => answered?.partitions[0]?.errorCode === 0,
      );
      const topics = named.map(({ partitions, ...topic }) => ({
        ...topic,
        partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex })),
      }));
      const answer = await run.last('offsetDelete', { groupId, topics }, { label });
      run.note('offsetDelete', 0, inOrder(answer.topics), `${label}, in order`);
      await run.ask('offsetFetch', 7, { groupId, topics: null }, { label });
      await run.last('offsetDelete', { groupId: run.fresh('nobody'), topics }, { label });
    }
  },

  async 'transactions that are named again'(run) {
    const topics = [
      await run.topic({ partitions: 2 }),
      await run.topic({ partitions: 2 }),
    ] as const;
    for (const version of run.versions('addPartitionsToTxn').filter((each) => each >= 4))
      await addTwice(run, version, topics);
  },

  async 'markers of a producer that is named again'(run) {
    const [one, other] = [await run.topic({ partitions: 2 }), await run.topic()];
    const of = ({ name }: Topic, ...partitionIndexes: number[]) => ({ name, partitionIndexes });
    for (const version of run.versions('writeTxnMarkers')) {
      const markers = {
        'other partitions': [
          { producerId: 5000n, topics: [of(one, 0)] },
          { producerId: 5000n, topics: [of(one, 1, 9), of(other, 0)] },
        ],
        'the same partition': [
          { producerId: 5001n, topics: [of(one, 0)] },
          { producerId: 5001n, transactionResult: true, topics: [of(one, 0)] },
        ],
        'without partitions': [{ producerId: 5002n }, { producerId: 5002n }],
        'without partitions of topics': [
          { producerId: 5003n, topics: [of(one)] },
          { producerId: 5003n, topics: [of(one, 0), of(one), of(one, 1)] },
        ],
      };
      for (const [label, own] of Object.entries(markers))
        await run.ask('writeTxnMarkers', version, { markers: own }, { label });
    }
  },

  async 'what Kafka does not answer where it is named again'(run) {
    const { name } = await run.topic({ partitions: 2 });
    const marker = { producerId: 5004n, topics: [{ name, partitionIndexes: [0, 1, 0] }] };
    await run.closing('writeTxnMarkers', run.latest('writeTxnMarkers'), { markers: [marker] });
    await run.until(
      [
        'listOffsets',
        7,
        { topics: [{ name, partitions: [{ partitionIndex: 0, timestamp: -1n }] }] },
      ],
      ({ topics: [topic] }) => topic?.partitions[0]?.offset === 1n,
    );
  },

  async 'epochs before the first'(run) {
    const [written, empty] = [await run.topic(), await run.topic()];
    await produce(run, written, batchOf(['a', 'b']));
    const epochs = [-int32Max - 1, -2, -1, 0, 1];
    const partitions = epochs.map((leaderEpoch) => ({ partition: 0, leaderEpoch }));
    for (const version of run.versions('offsetForLeaderEpoch'))
      for (const { name: topic } of [written, empty])
        for (const partition of partitions)
          await run.ask('offsetForLeaderEpoch', version, {
            topics: [{ topic, partitions: [partition] }],
          });
  },

  async 'folders of a topic that is named again'(run) {
    const { name: topic } = await run.topic({ partitions: 2 });
    await run.each('describeLogDirs', () => ({
      topics: [
        { topic, partitions: [1] },
        { topic, partitions: [0, 9] },
        { topic, partitions: [] },
      ],
    }));
  },

  async 'a partition whose replicas are chosen twice'(run) {
    const chosen = { partitionIndex: 0, brokerIds: [1] };
    await run.each('createTopics', () => ({
      topics: [
        {
          name: run.fresh('new'),
          numPartitions: -1,
          replicationFactor: -1,
          assignments: [chosen, chosen],
        },
      ],
      timeoutMs: 10_000,
    }));
  },

  async 'quotas of somebody who is named again'(run) {
    const op = (key: string, value: number) => ({ key, value, remove: false });
    for (const version of run.versions('alterClientQuotas')) {
      const match = run.fresh('somebody');
      const entity = [{ entityType: 'user', entityName: match }];
      const components = [{ entityType: 'user', matchType: 0, match }];
      for (const [count, ops] of [
        [op('bogus', 1), op('producer_byte_rate', 2)],
        [op('producer_byte_rate', 3), op('bogus', 4)],
        [op('consumer_byte_rate', 5), op('producer_byte_rate', 6)],
      ].entries()) {
        const entries = ops.map((each) => ({ entity, ops: [each] }));
        await run.ask('alterClientQuotas', version, { entries, validateOnly: false });
        await run.until(
          ['describeClientQuotas', 1, { components, strict: true }],
          ({ entries: found }) => (found?.[0]?.values.length ?? 0) === count,
        );
      }
    }
  },
};
