// Requests that name the same thing twice, or good things beside bad ones.
import { batchOf, createOf, fetchFrom, unknownTopicId } from '../support/requests.ts';
import { commitOf, stable } from '../support/groupRequests.ts';
import type { Run, Scenarios } from '../support/run.ts';
import type { Response } from '../../wire/broker/support/rawClient.ts';
import { passing } from './topics.ts';
import { add, addOf, begin, end, offsetsOfTransaction } from '../support/transactionRequests.ts';

interface Listed {
  readonly topics: readonly unknown[];
}

type DeletedTopics = Response<'deleteTopics'>['responses'];

/** Kafka answers ids in the order of a hash. */
const inOrder = (responses: DeletedTopics) =>
  responses.toSorted((a, b) => rank(a).localeCompare(rank(b)));
const rank = ({ name, errorCode, topicId }: DeletedTopics[number]) =>
  `${name ?? ''} ${errorCode} ${topicId === unknownTopicId}`;

/** The same request with its topics named again. */
const twice = <R extends object>(request: R): R => {
  const { topics } = request as unknown as Listed;
  return { ...request, topics: [...topics, ...topics] };
};

/** The same request with its first topic's partitions named again. */
const partitionsTwice = <R extends object>(request: R): R => {
  const [topic] = (request as unknown as Listed).topics as { partitions: readonly unknown[] }[];
  const partitions = [...(topic?.partitions ?? []), ...(topic?.partitions ?? [])];
  return { ...request, topics: [{ ...topic, partitions }] };
};

async function groupWithOffsets(run: Run): Promise<{ groupId: string; topicName: string }> {
  const topic = await run.topic();
  const groupId = run.fresh('group');
  await run.until(
    ['offsetCommit', 8, commitOf(groupId, 8, topic)],
    ({ topics: [answered] }) => answered?.partitions[0]?.errorCode === 0,
  );
  return { groupId, topicName: topic.name };
}

export const duplicateScenarios: Scenarios = {
  async 'Produce to a partition twice'(run) {
    for (const version of run.versions('produce')) {
      const topic = await run.topic({ partitions: 2 });
      const named = version >= 13 ? { topicId: topic.id } : { name: topic.name };
      const of = (index: number, value: string) => ({ index, records: batchOf([value]) });
      const partitionData = [of(0, 'a'), of(1, 'b'), of(0, 'c')];
      const request = { acks: -1, timeoutMs: 10_000 };
      await run.closing(
        'produce',
        version,
        { ...request, topicData: [{ ...named, partitionData }] },
        'in one topic',
      );
      await run.closing(
        'produce',
        version,
        {
          ...request,
          topicData: [
            { ...named, partitionData: [of(0, 'd')] },
            { ...named, partitionData: [of(0, 'e'), of(1, 'f')] },
          ],
        },
        'in two topics',
      );
    }
  },

  async 'Fetch from a partition twice'(run) {
    const topic = await run.topic();
    await run.each('fetch', (version) => partitionsTwice(fetchFrom(topic, version)), 'partition');
    await run.each('fetch', (version) => twice(fetchFrom(topic, version)), 'topic');
  },

  async 'DeleteTopics by name and by id'(run) {
    const version = run.latest('deleteTopics');
    const one = await passing(run);
    await run.ask('deleteTopics', version, {
      topics: [{ name: one.name }, { name: null, topicId: one.id }],
      timeoutMs: 10_000,
    });
    const other = await passing(run);
    await run.ask('deleteTopics', version, {
      topics: [{ name: null, topicId: other.id }, { name: other.name }],
      timeoutMs: 10_000,
    });
    const third = await passing(run);
    const answer = await run.prepare('deleteTopics', version, {
      topics: [
        { name: third.name },
        { name: null, topicId: third.id },
        { name: run.fresh('ghost') },
        { name: null, topicId: unknownTopicId },
        { name: third.name },
      ],
      timeoutMs: 10_000,
    });
    run.note('deleteTopics', version, { ...answer, responses: inOrder(answer.responses) });
    const fourth = await passing(run);
    const byId = { name: null, topicId: fourth.id };
    await run.ask('deleteTopics', version, {
      topics: [byId, { name: fourth.name }, byId],
      timeoutMs: 10_000,
    });
  },

  async 'topics that are made, grown and looked at twice'(run) {
    const name = run.fresh('new');
    await run.each('createTopics', () => twice(createOf(name)));
    const topic = await run.topic();
    const grown = { name: topic.name, count: 2, assignments: null };
    await run.each('createPartitions', () => ({ topics: [grown, grown], timeoutMs: 10_000 }));
    await run.each('metadata', () => ({ topics: [{ name: topic.name }, { name: topic.name }] }));
    await run.each('describeTopicPartitions', () => twice({ topics: [{ name: topic.name }] }));
    await run.each('describeProducers', () => ({
      topics: [{ name: topic.name, partitionIndexes: [0, 0, 7] }],
    }));
    await run.each('describeLogDirs', () =>
      twice({ topics: [{ topic: topic.name, partitions: [0, 0] }] }),
    );
    const records = { name: topic.name, partitions: [{ partitionIndex: 0, offset: 0n }] };
    await run.each('deleteRecords', () => twice({ topics: [records], timeoutMs: 10_000 }), 'topic');
    await run.each(
      'deleteRecords',
      () => partitionsTwice({ topics: [records], timeoutMs: 10_000 }),
      'partition',
    );
    const epoch = { topic: topic.name, partitions: [{ partition: 0, leaderEpoch: 0 }] };
    await run.each('offsetForLeaderEpoch', () => twice({ topics: [epoch] }), 'topic');
    await run.each('offsetForLeaderEpoch', () => partitionsTwice({ topics: [epoch] }), 'partition');
    const listed = { name: topic.name, partitions: [{ partitionIndex: 0, timestamp: -1n }] };
    await run.each('listOffsets', () => twice({ replicaId: -1, topics: [listed] }), 'topic');
  },

  async 'configs of a resource that is named twice'(run) {
    const { name } = await run.topic();
    const resource = { resourceType: 2, resourceName: name, configurationKeys: ['retention.ms'] };
    await run.each('describeConfigs', () => ({ resources: [resource, resource] }));
  },

  async 'replicas that are named twice'(run) {
    const { name } = await run.topic();
    const placed = { name, partitions: [{ partitionIndex: 0, replicas: [1] }] };
    const request = { timeoutMs: 10_000, topics: [placed] };
    await run.each('alterPartitionReassignments', () => twice(request), 'topic');
    await run.each('alterPartitionReassignments', () => partitionsTwice(request), 'partition');
    await run.each('listPartitionReassignments', () =>
      twice({ timeoutMs: 10_000, topics: [{ name, partitionIndexes: [0, 0] }] }),
    );
    await run.each('electLeaders', (version) => ({
      ...(version >= 1 && { electionType: 0 }),
      topicPartitions: [
        { topic: name, partitions: [0, 0] },
        { topic: name, partitions: [0] },
      ],
      timeoutMs: 10_000,
    }));
  },

  async 'offsets that are named twice'(run) {
    const topic = await run.topic({ partitions: 2 });
    await run.each('offsetCommit', (version) =>
      twice(commitOf(run.fresh('group'), version, topic)),
    );
    await run.each('offsetCommit', (version) =>
      partitionsTwice(commitOf(run.fresh('group'), version, topic)),
    );
    const { groupId, topicName } = await groupWithOffsets(run);
    const topics = [{ name: topicName, partitionIndexes: [0, 0, 5] }];
    for (const version of run.versions('offsetFetch').filter((each) => each < 8))
      await run.ask('offsetFetch', version, { groupId, topics: [...topics, ...topics] });
    for (const version of [8, 9]) {
      const group = { groupId, topics: [...topics, ...topics] };
      await run.ask('offsetFetch', version, { groups: [group, group] });
    }
    const gone = { name: topicName, partitions: [{ partitionIndex: 0 }, { partitionIndex: 0 }] };
    await run.each('offsetDelete', () => ({ groupId, topics: [gone, gone] }));
  },

  async 'groups that are named twice'(run) {
    const { groupId } = await groupWithOffsets(run);
    const { groupId: busy, memberId } = await stable(run);
    const names = [groupId, busy, groupId, run.fresh('ghost')];
    await run.each('describeGroups', () => ({ groups: names }));
    await run.each('consumerGroupDescribe', () => ({ groupIds: names }));
    for (const version of run.versions('findCoordinator').filter((each) => each >= 4))
      await run.ask('findCoordinator', version, { keyType: 0, coordinatorKeys: names });
    await run.last('leaveGroup', {
      groupId: busy,
      members: [{ memberId }, { memberId }, { memberId: 'nobody' }],
    });
    await run.last('deleteGroups', { groupsNames: [groupId, groupId, run.fresh('ghost')] });
  },

  async 'partitions of a transaction that are named twice'(run) {
    const topic = await run.topic({ partitions: 2 });
    const listed = { name: topic.name, partitions: [0, 0, 1] };
    for (const version of run.versions('addPartitionsToTxn')) {
      const identity = await begin(run);
      await run.ask('addPartitionsToTxn', version, addOf(identity, version, [listed, listed]));
      await end(run, identity, false);
    }
    for (const version of run.versions('txnOffsetCommit').filter((each) => each < 5)) {
      const identity = await begin(run);
      const groupId = run.fresh('group');
      await run.ask('addOffsetsToTxn', 3, { ...identity, groupId });
      await run.ask(
        'txnOffsetCommit',
        version,
        twice(offsetsOfTransaction(identity, groupId, version, { topic })),
      );
      await end(run, identity, true);
    }
    const identity = await begin(run);
    await add(run, identity, topic);
    const { transactionalId } = identity;
    await run.ask('describeTransactions', 0, {
      transactionalIds: [transactionalId, transactionalId, run.fresh('ghost')],
    });
    await end(run, identity, false);
  },
};
