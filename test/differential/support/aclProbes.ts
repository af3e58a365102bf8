// One question of each API that an authorizer has a say in.
import { type ApiName } from '../../../src/protocol/apis.ts';
import { zeroUuid } from '../../../src/protocol/schema.ts';
import type { RawClient, RequestInput } from '../../wire/broker/support/rawClient.ts';
import { aclOf, filterOf } from './aclRequests.ts';
import { commitOf, joinOf, leaveOf, offsetsOf, syncOf } from './groupRequests.ts';
import { batchOf, createOf, fetchFrom, produceTo } from './requests.ts';
import {
  begin,
  end,
  type Identity,
  addOf,
  offsetsOfTransaction,
  sendOf,
} from './transactionRequests.ts';
import { produce } from './requests.ts';
import type { Run, Topic } from './run.ts';

type Body<A extends ApiName> = (version: number) => RequestInput<A>;
type Probe = (run: Run, on: RawClient, versions: 'all' | 'ends') => Promise<void>;

export interface Stage {
  readonly topic: Topic;
  readonly groupId: string;
  readonly identity: Identity;
  /** A name that no other question has. */
  readonly fresh: (what: string) => string;
}

/** What the questions are about: a topic with records, a group with offsets, a transactional id. */
export async function stageOf(run: Run): Promise<Stage> {
  const topic = await run.topic();
  await produce(run, topic, batchOf(['a', 'b']));
  const groupId = run.fresh('group');
  await run.prepare('offsetCommit', 9, commitOf(groupId, 9, topic));
  const identity = await end(run, await begin(run), false);
  return { topic, groupId, identity, fresh: (what) => run.fresh(what) };
}

function probe<A extends ApiName>(
  api: A,
  bodyOf: Body<A>,
  { label = '', from = 0, to = Infinity }: { label?: string; from?: number; to?: number } = {},
): Probe {
  return async (run, on, versions) => {
    const all = run.versions(api).filter((version) => version >= from && version <= to);
    const ends = [...new Set([all[0], all.at(-1)])].filter((version) => version !== undefined);
    for (const version of versions === 'all' ? all : ends) {
      await run.ask(api, version, bodyOf(version), { label, on });
    }
  };
}

/** The same, where the answer has more in it than what the question is about. */
function probeErrors<A extends ApiName>(
  api: A,
  bodyOf: Body<A>,
  shown: (response: never) => unknown,
): Probe {
  return async (run, on, versions) => {
    const all = run.versions(api);
    const ends = [...new Set([all[0], all.at(-1)])].filter((version) => version !== undefined);
    for (const version of versions === 'all' ? all : ends) {
      const response = await on.call(api, version, bodyOf(version));
      run.note(api, version, shown(response as never));
    }
  };
}

/** Asks every question as the client of that connection. */
export async function askAll(
  run: Run,
  stage: Stage,
  on: RawClient,
  versions: 'all' | 'ends',
): Promise<void> {
  const all = [...recordProbes(stage), ...groupProbes(stage), ...transactionProbes(stage)];
  for (const each of [...all, ...topicProbes(stage), ...clusterProbes(stage)]) {
    await each(run, on, versions);
  }
}

function recordProbes({ topic }: Stage): Probe[] {
  const topics = [{ name: topic.name, partitions: [{ partitionIndex: 0, timestamp: -1n }] }];
  const epochs = [{ topic: topic.name, partitions: [{ partition: 0, leaderEpoch: 0 }] }];
  return [
    probe('produce', (version) => produceTo(topic, version, batchOf(['v'])), { from: 3 }),
    probe('fetch', (version) => fetchFrom(topic, version)),
    probe('fetch', (version) => ({ ...fetchFrom(topic, version), replicaId: 7 }), {
      label: 'as a replica',
      to: 14,
    }),
    probe('listOffsets', () => ({ replicaId: -1, topics })),
    probe('offsetForLeaderEpoch', (version) => ({
      ...(version >= 3 && { replicaId: -1 }),
      topics: epochs,
    })),
    probe('deleteRecords', () => ({
      topics: [{ name: topic.name, partitions: [{ partitionIndex: 0, offset: 0n }] }],
      timeoutMs: 10_000,
    })),
    probe('describeProducers', () => ({ topics: [{ name: topic.name, partitionIndexes: [0] }] })),
  ];
}

function groupProbes({ topic, groupId, fresh }: Stage): Probe[] {
  const stranger = { groupId, memberId: 'nobody', generationId: 1 };
  return [
    probe('findCoordinator', (version) =>
      version < 4
        ? { key: groupId, ...(version >= 1 && { keyType: 0 }) }
        : { keyType: 0, coordinatorKeys: [groupId] },
    ),
    probe('joinGroup', (version) => joinOf(fresh('joined'), version, { memberId: 'nobody' })),
    probe('syncGroup', (version) => syncOf(stranger, version)),
    probe('heartbeat', () => stranger),
    probe('leaveGroup', (version) => leaveOf(stranger, version)),
    probe('offsetCommit', (version) => commitOf(groupId, version, topic)),
    probe('offsetFetch', (version) => offsetsOf(groupId, version, topic)),
    probe('offsetFetch', (version) => offsetsOf(groupId, version, null), { label: 'all', from: 2 }),
    probe('describeGroups', (version) => ({
      groups: [groupId],
      ...(version >= 3 && { includeAuthorizedOperations: true }),
    })),
    probe('consumerGroupDescribe', () => ({
      groupIds: [groupId],
      includeAuthorizedOperations: true,
    })),
    probe('consumerGroupHeartbeat', () => ({
      groupId: fresh('consumers'),
      memberId: fresh('member'),
      memberEpoch: 0,
      rebalanceTimeoutMs: 60_000,
      subscribedTopicNames: [topic.name],
      topicPartitions: [],
    })),
    probe('offsetDelete', () => ({
      groupId,
      topics: [{ name: topic.name, partitions: [{ partitionIndex: 5 }] }],
    })),
    probe('deleteGroups', () => ({ groupsNames: [fresh('no-group')] })),
    probeErrors(
      'listGroups',
      () => ({}),
      (response: { errorCode: number; groups: { groupId: string }[] }) => ({
        errorCode: response.errorCode,
        groups: response.groups.filter((each) => each.groupId === groupId),
      }),
    ),
  ];
}

function transactionProbes({ topic, groupId, identity, fresh }: Stage): Probe[] {
  const { transactionalId } = identity;
  const partitions = [{ name: topic.name, partitions: [0] }];
  const stranger: Identity = { ...identity, producerId: 99_999n };
  return [
    probe(
      'findCoordinator',
      (version) =>
        version < 4
          ? { key: transactionalId, keyType: 1 }
          : { keyType: 1, coordinatorKeys: [transactionalId] },
      { label: 'of transactions', from: 1 },
    ),
    probe('initProducerId', () => ({ transactionalId: null, transactionTimeoutMs: 60_000 }), {
      label: 'idempotent',
    }),
    probe(
      'initProducerId',
      () => ({
        transactionalId: fresh('txn'),
        transactionTimeoutMs: 60_000,
      }),
      { label: 'transactional' },
    ),
    probe('addPartitionsToTxn', (version) => addOf(stranger, version, partitions)),
    probe('addOffsetsToTxn', () => ({ ...stranger, groupId })),
    probe('txnOffsetCommit', (version) =>
      offsetsOfTransaction(stranger, groupId, version, { topic }),
    ),
    probe('endTxn', () => ({ ...stranger, committed: false })),
    probe('produce', (version) => sendOf(stranger, topic, version), {
      label: 'in a transaction',
      from: 3,
    }),
    probe('describeTransactions', () => ({ transactionalIds: [transactionalId] })),
    probeErrors(
      'listTransactions',
      () => ({}),
      (response: { errorCode: number; transactionStates: { transactionalId: string }[] }) => ({
        errorCode: response.errorCode,
        states: response.transactionStates.filter(
          (each) => each.transactionalId === transactionalId,
        ),
      }),
    ),
    probe('writeTxnMarkers', () => ({
      markers: [
        {
          producerId: 99_999n,
          producerEpoch: 0,
          transactionResult: false,
          topics: [{ name: fresh('no-topic'), partitionIndexes: [0] }],
          coordinatorEpoch: 0,
        },
      ],
    })),
  ];
}

function topicProbes({ topic, fresh }: Stage): Probe[] {
  const { name } = topic;
  const config = { name: 'retention.ms', value: '1000000' };
  const setTo = (configName: string, value: string) => ({
    name: configName,
    configOperation: 0,
    value,
  });
  return [
    probe('metadata', (version) => ({
      topics: version >= 4 ? [{ name }, { name: `${name}-unknown` }] : [{ name }],
      ...(version >= 4 && { allowAutoTopicCreation: false }),
      ...(version >= 8 && { includeTopicAuthorizedOperations: true }),
      ...(version >= 8 && version <= 10 && { includeClusterAuthorizedOperations: true }),
    })),
    probe(
      'metadata',
      () => ({
        topics: [{ name: null, topicId: topic.id }],
        includeTopicAuthorizedOperations: true,
      }),
      { label: 'by id', from: 12 },
    ),
    probe('describeTopicPartitions', () => ({
      topics: [{ name }, { name: `${name}-unknown` }],
      responsePartitionLimit: 100,
    })),
    probe('createTopics', () => createOf(fresh('created'))),
    probe('createPartitions', () => ({
      topics: [{ name, count: 3, assignments: null }],
      timeoutMs: 10_000,
      validateOnly: true,
    })),
    probe(
      'deleteTopics',
      (version) =>
        version >= 6
          ? { topics: [{ name: fresh('not-there'), topicId: zeroUuid }], timeoutMs: 10_000 }
          : { topicNames: [fresh('not-there')], timeoutMs: 10_000 },
      { label: 'of a topic that is not there' },
    ),
    probe('describeConfigs', () => ({
      resources: [
        { resourceType: 2, resourceName: name, configurationKeys: ['retention.ms'] },
        { resourceType: 4, resourceName: '1', configurationKeys: ['num.partitions'] },
        { resourceType: 16, resourceName: fresh('metrics'), configurationKeys: null },
        { resourceType: 32, resourceName: fresh('group'), configurationKeys: ['no.such.key'] },
      ],
    })),
    probe('alterConfigs', () => ({
      resources: [
        { resourceType: 2, resourceName: name, configs: [config] },
        { resourceType: 4, resourceName: '1', configs: [] },
        { resourceType: 4, resourceName: '2', configs: [] },
      ],
      validateOnly: true,
    })),
    probe('incrementalAlterConfigs', () => ({
      resources: [
        { resourceType: 2, resourceName: name, configs: [{ ...config, configOperation: 0 }] },
        { resourceType: 4, resourceName: '1', configs: [setTo('min.insync.replicas', '1')] },
        { resourceType: 4, resourceName: '+1', configs: [setTo('log.cleaner.threads', 'x')] },
        { resourceType: 4, resourceName: '2', configs: [] },
        { resourceType: 8, resourceName: '1', configs: [setTo('no.such.logger', 'INFO')] },
        { resourceType: 8, resourceName: '2', configs: [] },
        { resourceType: 8, resourceName: 'x', configs: [] },
        { resourceType: 16, resourceName: fresh('metrics'), configs: [] },
        { resourceType: 32, resourceName: fresh('group'), configs: [] },
      ],
      validateOnly: true,
    })),
    probe('alterReplicaLogDirs', () => ({
      dirs: [{ path: '/no-such-folder', topics: [{ name, partitions: [0] }] }],
    })),
    probe('electLeaders', (version) => ({
      ...(version >= 1 && { electionType: 0 }),
      topicPartitions: [{ topic: name, partitions: [0] }],
    })),
    probe('alterPartitionReassignments', () => ({
      topics: [{ name, partitions: [{ partitionIndex: 0, replicas: null }] }],
    })),
    probe('listPartitionReassignments', () => ({ topics: [{ name, partitionIndexes: [0] }] })),
  ];
}

function clusterProbes({ topic }: Stage): Probe[] {
  const errorOnly = ({ errorCode }: { errorCode: number }) => ({ errorCode });
  return [
    probe('describeCluster', () => ({ includeClusterAuthorizedOperations: true })),
    probe('alterReplicaLogDirs', () => ({
      dirs: [{ path: '/nowhere', topics: [{ name: topic.name, partitions: [0] }] }],
    })),
    probe('describeLogDirs', () => ({ topics: [{ topic: topic.name, partitions: [] }] })),
    probeErrors(
      'describeQuorum',
      () => ({
        topics: [{ topicName: '__cluster_metadata', partitions: [{ partitionIndex: 0 }] }],
      }),
      errorOnly,
    ),
    probeErrors('listConfigResources', () => ({}), errorOnly),
    probe('updateFeatures', (version) => ({
      featureUpdates: [{ feature: 'no.such.feature', maxVersionLevel: 1 }],
      ...(version >= 1 && { validateOnly: true }),
    })),
    probe('describeClientQuotas', () => ({
      components: [{ entityType: 'user', matchType: 0, match: 'nobody' }],
    })),
    probe('alterClientQuotas', () => ({
      entries: [
        {
          entity: [{ entityType: 'user', entityName: 'nobody' }],
          ops: [{ key: 'producer_byte_rate', value: 5 }],
        },
      ],
      validateOnly: true,
    })),
    probe('describeUserScramCredentials', () => ({ users: [{ name: 'nobody' }] })),
    probe('alterUserScramCredentials', () => ({
      deletions: [{ name: 'nobody', mechanism: 1 }],
      upsertions: [],
    })),
    probe('describeAcls', () => filterOf('User:nobody')),
    probe('createAcls', () => ({ creations: [{ ...aclOf('', 'read', 'a'), principal: 'none' }] })),
    probe('deleteAcls', () => ({ filters: [filterOf('User:nobody')] })),
  ];
}
