import assert from 'node:assert/strict';
import { after, before, it } from 'mocha';
import { describeCluster } from '../../src/client/admin/cluster.ts';
import { alterConfigs, describeConfigs } from '../../src/client/admin/configs.ts';
import {
  commitGroupOffsets,
  deleteGroupOffsets,
  fetchGroupOffsets,
} from '../../src/client/admin/groupOffsets.ts';
import { deleteGroup, describeGroup, listGroups } from '../../src/client/admin/groups.ts';
import { listOffsets, offsetSpec } from '../../src/client/admin/listOffsets.ts';
import {
  createPartitions,
  createTopic,
  deleteTopics,
  describeTopic,
  listTopics,
} from '../../src/client/admin/topics.ts';
import { KafkaClient } from '../../src/client/kafkaClient.ts';
import { KafkaError } from '../../src/client/kafkaError.ts';
import { valueOf } from '../../src/client/outcome.ts';
import { produceMany } from '../../src/client/produce.ts';
import { eventually, forEveryCluster, uniqueName } from './clusters.ts';

forEveryCluster('the client as an administrator', (cluster) => {
  let client: KafkaClient;

  before(() => {
    client = new KafkaClient({ bootstrap: [cluster().bootstrap] });
  });
  after(() => client.dispose());

  const newTopic = async (partitionCount = 3): Promise<string> => {
    const name = uniqueName('admin');
    await createTopic(client, { name, partitionCount, replicationFactor: -1 });
    return name;
  };

  it('describes the cluster, with a controller that is one of its nodes', async () => {
    const { clusterId, brokers, controllerId } = await describeCluster(client);
    assert.match(clusterId, /^[\w-]{22}$/);
    assert.deepEqual(
      brokers.map(({ host, port }) => `${host}:${port}`),
      [cluster().bootstrap],
    );
    assert.notEqual(controllerId, null);
  });

  it('creates a topic, grows it and deletes it', async () => {
    const name = await newTopic();
    const created = await describeTopic(client, name);
    assert.deepEqual(
      created.partitions.map(({ partition, leader, isr, replicas }) => [
        partition,
        leader >= 0,
        isr.length,
        replicas.length,
      ]),
      [0, 1, 2].map((partition) => [partition, true, 1, 1]),
    );
    await createPartitions(client, name, 5);
    await eventually(async () => (await describeTopic(client, name)).partitions.length === 5);
    valueOf((await deleteTopics(client, [name])).get(name) ?? { error: new Error('no answer') });
    await eventually(async () => {
      const topics = await listTopics(client);
      return !topics.some((topic) => 'value' in topic && topic.value.name === name);
    });
  });

  it('is refused what Kafka refuses, with Kafka’s name for it', async () => {
    const name = await newTopic(2);
    const topic = { partitionCount: 1, replicationFactor: -1 };
    await rejectsWith(createTopic(client, { ...topic, name }), 'TOPIC_ALREADY_EXISTS');
    await rejectsWith(createTopic(client, { ...topic, name: 'a b' }), 'INVALID_TOPIC_EXCEPTION');
    await rejectsWith(
      createTopic(client, { ...topic, name: uniqueName('t'), replicationFactor: 9 }),
      'INVALID_REPLICATION_FACTOR',
    );
    await rejectsWith(
      createTopic(client, { ...topic, name: uniqueName('t'), configs: { 'retention.ms': 'x' } }),
      'INVALID_CONFIG',
    );
    await rejectsWith(createPartitions(client, name, 2), 'INVALID_PARTITIONS');
    await rejectsWith(describeTopic(client, uniqueName('nope')), 'UNKNOWN_TOPIC_OR_PARTITION');
    await rejectsWith(deleteGroup(client, uniqueName('nope')), 'GROUP_ID_NOT_FOUND');
  });

  it('creates nothing by asking for a topic that is not there', async () => {
    const name = uniqueName('typo');
    await rejectsWith(describeTopic(client, name), 'UNKNOWN_TOPIC_OR_PARTITION');
    const { topics } = await client.metadata(null);
    assert.equal(topics.has(name), false);
  });

  it('reads and changes a topic’s configs, and leaves the others as they are', async () => {
    const name = await newTopic(1);
    const resource = { kind: 'topic', name } as const;
    await alterConfigs(client, resource, [{ name: 'retention.ms', value: '86400000' }]);
    await alterConfigs(client, resource, [{ name: 'cleanup.policy', value: 'compact' }]);
    await alterConfigs(client, resource, [{ name: 'retention.ms', value: null }]);
    await eventually(async () => {
      const own = (await describeConfigs(client, resource)).filter(({ isDefault }) => !isDefault);
      return JSON.stringify(own.map((c) => [c.name, c.value])) === '[["cleanup.policy","compact"]]';
    });
    await rejectsWith(
      alterConfigs(client, resource, [{ name: 'cleanup.policy', value: 'burn' }]),
      'INVALID_CONFIG',
    );
  });

  it('lists offsets by place and by time, each partition with its own outcome', async () => {
    const topic = await newTopic(2);
    await produceMany(
      client,
      topic,
      [1000n, 2000n, 3000n].map((timestamp) => ({ ...bare, partition: 0, timestamp })),
    );
    const at = async (timestamp: bigint): Promise<bigint | null> => {
      const listed = await listOffsets(client, [{ topic, partition: 0, timestamp }]);
      return valueOf(listed.get(topic, 0) ?? { error: new Error('no answer') }).offset;
    };
    assert.equal(await at(offsetSpec.earliest), 0n);
    assert.equal(await at(offsetSpec.latest), 3n);
    assert.equal(await at(offsetSpec.maxTimestamp), 2n);
    assert.equal(await at(1500n), 1n);
    assert.equal(await at(2000n), 1n);
    assert.equal(await at(3001n), null);
    const queries = [1, 7].map((partition) => ({ topic, partition, timestamp: offsetSpec.latest }));
    const both = await listOffsets(client, queries);
    assert.deepEqual(both.get(topic, 1), { value: { offset: 0n, timestamp: -1n, leaderEpoch: 0 } });
    const missing = both.get(topic, 7);
    assert.ok(missing && 'error' in missing && missing.error instanceof KafkaError);
  });

  it('commits for a group without members, with metadata, and reads and deletes the commits', async () => {
    const topic = await newTopic(2);
    const group = uniqueName('group');
    const commit = { topic, offset: 0n, leaderEpoch: 0, metadata: 'größer' };
    const committed = await commitGroupOffsets(client, group, [
      { ...commit, partition: 0 },
      { ...commit, partition: 1, metadata: '', leaderEpoch: -1 },
      { ...commit, partition: 9 },
    ]);
    assert.deepEqual(committed.get(topic, 0), { value: undefined });
    const missing = committed.get(topic, 9);
    assert.ok(missing && 'error' in missing);
    assert.deepEqual(await commitsOf(client, group), [
      [0, { offset: 0n, leaderEpoch: 0, metadata: 'größer' }],
      [1, { offset: 0n, leaderEpoch: -1, metadata: '' }],
    ]);
    assert.equal((await describeGroup(client, group)).state, 'Empty');
    await deleteGroupOffsets(client, group, [{ topic, partition: 0 }]);
    assert.deepEqual(
      (await commitsOf(client, group)).map(([partition]) => partition),
      [1],
    );
    await deleteGroup(client, group);
    assert.deepEqual(await commitsOf(client, group), []);
  });

  it('describes a group that does not exist as Dead, and does not create it [D1]', async () => {
    const group = uniqueName('ghost');
    assert.equal((await describeGroup(client, group)).state, 'Dead');
    assert.deepEqual(await commitsOf(client, group), []);
    const { groups } = await listGroups(client);
    assert.equal(
      groups.some(({ groupId }) => groupId === group),
      false,
    );
  });
});

const bare = { key: null, value: Buffer.from('v'), headers: [] };

async function commitsOf(client: KafkaClient, group: string): Promise<[number, unknown][]> {
  const outcome = (await fetchGroupOffsets(client, [group])).get(group);
  const commits = valueOf(outcome ?? { error: new Error('no answer') });
  return [...commits]
    .map(({ partition, value }): [number, unknown] => [partition, valueOf(value)])
    .sort(([a], [b]) => a - b);
}

async function rejectsWith(promise: Promise<unknown>, kafkaName: string): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof KafkaError, String(error));
    assert.equal(error.kafkaName, kafkaName);
    return true;
  });
}
