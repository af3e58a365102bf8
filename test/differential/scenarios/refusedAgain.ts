// Requests that name again what may not be had, beside what may.
import { aclOf, grant } from '../support/aclRequests.ts';
import { begin, end } from '../support/transactionRequests.ts';
import { createOf, unknownTopicId } from '../support/requests.ts';
import type { RawClient, RequestInput } from '../../wire/broker/support/rawClient.ts';
import type { ApiName } from '../../../src/protocol/apis.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { users } from '../support/sides.ts';
import { inOrder } from './namedAgain.ts';

const [reader = '', nobody = ''] = users.slice(20);
const timeoutMs = 10_000;

/** A topic that may be read, and one that may not. */
async function stage(run: Run, user: string) {
  const [open, closed] = [await run.topic({ partitions: 2 }), await run.topic({ partitions: 2 })];
  const groupId = run.fresh('group');
  const transactionalId = run.fresh('txn');
  await grant(run, [
    aclOf(user, 'read', open.name),
    aclOf(user, 'read', groupId, { resource: 'group' }),
    aclOf(user, 'delete', groupId, { resource: 'group' }),
    aclOf(user, 'write', transactionalId, { resource: 'transactionalId' }),
  ]);
  return { open, closed, groupId, transactionalId, on: await run.connectAs(user) };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** Partitions as the topics of the stage have them, those that may not be had first. */
const mixed = <T>(
  { open, closed }: Stage,
  of: (topic: Topic, ...partitions: number[]) => T,
): T[] => [
  of(closed, 0),
  of(open, 0, 7),
  of({ ...open, name: `${open.name}-ghost`, id: unknownTopicId }, 0),
  of(closed, 0, 9),
  of(open, 1),
];

const offset = (partitionIndex: number) => ({ partitionIndex, committedOffset: 5n });

const commitsOf = (at: Stage, usesId: boolean) =>
  mixed(at, ({ name, id }, ...partitions) => ({
    ...(usesId ? { topicId: id } : { name }),
    partitions: partitions.map(offset),
  }));

/** What a user asks who may do nothing. */
function refusals(run: Run, { name, id }: Topic) {
  const groupId = run.fresh('group');
  const transactionalId = run.fresh('txn');
  const twice = <T>(value: T): T[] => [value, value];
  const partitions = [0, 0, 9];
  const config = { name: 'retention.ms', value: '1' };
  const resource = { resourceType: 2, resourceName: name };
  const asked: { [A in ApiName]?: (version: number) => RequestInput<A> } = {
    addPartitionsToTxn: (version) =>
      version < 4
        ? {
            v3AndBelowTransactionalId: transactionalId,
            v3AndBelowTopics: twice({ name, partitions }),
          }
        : { transactions: twice({ transactionalId, topics: twice({ name, partitions }) }) },
    alterClientQuotas: () => ({
      entries: twice({ entity: [{ entityType: 'user', entityName: groupId }], ops: [] }),
      validateOnly: false,
    }),
    alterPartitionReassignments: () => ({
      topics: twice({ name, partitions: twice({ partitionIndex: 0, replicas: [1] }) }),
      timeoutMs,
    }),
    alterReplicaLogDirs: () => ({
      dirs: twice({ path: '/nowhere', topics: twice({ name, partitions }) }),
    }),
    alterUserScramCredentials: () => ({ deletions: twice({ name, mechanism: 1 }) }),
    consumerGroupDescribe: () => ({ groupIds: twice(groupId) }),
    createPartitions: () => ({ topics: twice({ name, count: 3, assignments: null }), timeoutMs }),
    createTopics: () => ({ topics: twice(createOf(name).topics?.[0] ?? {}), timeoutMs }),
    deleteGroups: () => ({ groupsNames: twice(groupId) }),
    deleteRecords: () => ({
      topics: twice({ name, partitions: twice({ partitionIndex: 0, offset: 0n }) }),
      timeoutMs,
    }),
    deleteTopics: (version) =>
      version < 6
        ? { topicNames: twice(name), timeoutMs }
        : { topics: [...twice({ name }), { name: null, topicId: id }], timeoutMs },
    describeConfigs: () => ({ resources: twice({ ...resource, configurationKeys: null }) }),
    describeGroups: () => ({ groups: twice(groupId) }),
    describeProducers: () => ({ topics: twice({ name, partitionIndexes: partitions }) }),
    describeTopicPartitions: () => ({ topics: twice({ name }) }),
    describeTransactions: () => ({ transactionalIds: twice(transactionalId) }),
    describeUserScramCredentials: () => ({ users: twice({ name }) }),
    electLeaders: () => ({ topicPartitions: twice({ topic: name, partitions }), timeoutMs }),
    incrementalAlterConfigs: () => ({ resources: twice({ ...resource, configs: [config] }) }),
    listOffsets: () => ({
      replicaId: -1,
      topics: twice({ name, partitions: twice({ partitionIndex: 0, timestamp: -1n }) }),
    }),
    metadata: () => ({ topics: twice({ name }) }),
    offsetForLeaderEpoch: () => ({
      topics: twice({ topic: name, partitions: twice({ partition: 0, leaderEpoch: 0 }) }),
    }),
    writeTxnMarkers: () => ({
      markers: [
        { producerId: 4n, topics: twice({ name, partitionIndexes: partitions }) },
        { producerId: 5n, topics: twice({ name, partitionIndexes: partitions }) },
        { producerId: 4n, topics: [] },
      ],
    }),
  };
  return asked;
}

async function ask<A extends ApiName>(
  run: Run,
  api: A,
  { bodyOf, on }: { bodyOf: (version: number) => RequestInput<A>; on: RawClient },
): Promise<void> {
  for (const version of run.versions(api)) await run.ask(api, version, bodyOf(version), { on });
}

export const refusedAgainScenarios: Scenarios = {
  async 'offsets of topics that may not be read, named again'(run) {
    const at = await stage(run, reader);
    const { groupId, on } = at;
    for (const version of run.versions('offsetCommit')) {
      const usesId = version >= 10;
      const topics = commitsOf(at, usesId);
      const body = { groupId, generationIdOrMemberEpoch: -1, topics };
      const answer = await run.ask('offsetCommit', version, body, { on });
      run.note('offsetCommit', version, inOrder(answer.topics, usesId), 'in order');
    }
    const topics = mixed(at, ({ name }, ...partitions) => ({
      name,
      partitions: partitions.map((partitionIndex) => ({ partitionIndex })),
    }));
    const answer = await run.last('offsetDelete', { groupId, topics }, { on });
    run.note('offsetDelete', 0, inOrder(answer.topics), 'in order');
  },

  async 'offsets of a transaction, of topics that may not be read, named again'(run) {
    const at = await stage(run, reader);
    const { groupId, transactionalId, on } = at;
    const identity = await begin(run, { transactionalId });
    for (const version of run.versions('txnOffsetCommit').filter((each) => each >= 5)) {
      const usesId = version >= 6;
      const body = { ...identity, groupId, topics: commitsOf(at, usesId) };
      const answer = await run.ask('txnOffsetCommit', version, body, { on });
      run.note('txnOffsetCommit', version, inOrder(answer.topics, usesId), 'in order');
    }
    await end(run, identity, false);
  },

  async 'offsets and epochs of topics that may not be described, named again'(run) {
    const at = await stage(run, reader);
    const { on } = at;

    for (const version of run.versions('listOffsets')) {
      const topics = mixed(at, ({ name }, ...partitions) => ({
        name,
        partitions: partitions.map((partitionIndex) => ({ partitionIndex, timestamp: -1n })),
      }));
      await run.ask('listOffsets', version, { replicaId: -1, topics }, { on });
    }
    for (const version of run.versions('offsetForLeaderEpoch')) {
      const topics = mixed(at, ({ name: topic }, ...partitions) => ({
        topic,
        partitions: partitions.map((partition) => ({ partition, leaderEpoch: 0 })),
      }));
      const answer = await run.ask('offsetForLeaderEpoch', version, { topics }, { on });
      const told = answer.topics.map(({ topic }) => topic);
      run.note('offsetForLeaderEpoch', version, told, 'in order');
    }
  },

  async 'configs that may not be described, beside those that may'(run) {
    const at = await stage(run, reader);
    await grant(run, [aclOf(reader, 'describeConfigs', at.open.name)]);
    const resources = mixed(at, ({ name: resourceName }) => {
      return { resourceType: 2, resourceName, configurationKeys: ['retention.ms'] };
    });
    for (const version of run.versions('describeConfigs')) {
      const { results } = await run.ask('describeConfigs', version, { resources }, { on: at.on });
      const told = results.map(({ resourceName, errorCode }) => `${resourceName} ${errorCode}`);
      run.note('describeConfigs', version, told, 'in order');
    }
  },

  async 'what may not be had, named again'(run) {
    const on = await run.connectAs(nobody);
    const asked = refusals(run, await run.topic());
    for (const [api, bodyOf] of Object.entries(asked))
      await ask(run, api as ApiName, { bodyOf: bodyOf, on });
  },
};
