import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { zeroUuid } from '../../../src/protocol/schema.ts';
import type { RawClient, RequestInput, Response } from './support/rawClient.ts';
import {
  batchOf,
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from './support/servers.ts';

type NewTopic = NonNullable<RequestInput<'createTopics'>['topics']>[number];

const notAsked = -(2 ** 31);
const nobody = 'dGhlcmUtaXMtbm8tc3VjaA';

for (const server of servers) {
  describe(`Topics (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    let client: RawClient;

    beforeEach(async () => {
      client = await connect();
    });

    const create = async (
      topics: readonly NewTopic[],
      { validateOnly = false, version = 7 } = {},
    ): Promise<Response<'createTopics'>['topics']> =>
      (await client.call('createTopics', version, { topics, timeoutMs: 10_000, validateOnly }))
        .topics;

    const describeTopic = async (
      name: string,
      version = 12,
    ): Promise<Response<'metadata'>['topics'][number]> => {
      const { topics } = await client.call('metadata', version, {
        topics: [{ name }],
        allowAutoTopicCreation: version < 4,
      });
      const [topic] = topics;
      assert.ok(topic);
      return topic;
    };

    const untilThere = async (name: string, partitions: number): Promise<void> => {
      for (let attempt = 0; attempt < 200; attempt++) {
        const topic = await describeTopic(name);
        const led = topic.partitions.filter(({ leaderId }) => leaderId >= 0);
        if (led.length === partitions) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      assert.fail(`${name} is not there after 5 s`);
    };

    it('[A3] creates topics and tells what they have become', async () => {
      const name = freshName();
      const configs = [{ name: 'retention.ms', value: '1234567' }];
      const [topic] = await create([{ name, numPartitions: 3, replicationFactor: -1, configs }]);
      assert.equal(errorName(topic?.errorCode), 'NONE');
      assert.equal(topic?.errorMessage, null);
      assert.equal(topic.numPartitions, 3);
      assert.equal(topic.replicationFactor, 1);
      assert.notEqual(topic.topicId, zeroUuid);
      const retention = topic.configs?.find((config) => config.name === 'retention.ms');
      assert.deepEqual(
        { ...retention },
        {
          name: 'retention.ms',
          value: '1234567',
          readOnly: false,
          configSource: 1,
          isSensitive: false,
        },
      );
      await untilThere(name, 3);
      const { partitions, topicId, isInternal } = await describeTopic(name);
      assert.equal(topicId, topic.topicId);
      assert.equal(isInternal, false);
      assert.deepEqual(
        [...partitions]
          .sort((a, b) => a.partitionIndex - b.partitionIndex)
          .map((each) => ({ ...each })),
        [0, 1, 2].map((partitionIndex) => ({
          errorCode: 0,
          partitionIndex,
          leaderId: 1,
          leaderEpoch: 0,
          replicaNodes: [1],
          isrNodes: [1],
          offlineReplicas: [],
        })),
      );
    });

    it('[A3] creates nothing where it is only asked whether it could', async () => {
      const name = freshName();
      const [topic] = await create([{ name, numPartitions: 2, replicationFactor: 1 }], {
        validateOnly: true,
      });
      assert.equal(errorName(topic?.errorCode), 'NONE');
      assert.equal(topic?.numPartitions, 2);
      assert.notEqual(topic.topicId, zeroUuid);
      assert.equal(errorName((await describeTopic(name)).errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
    });

    it('[A3] takes replicas that the client chose', async () => {
      const name = freshName();
      const assignments = [0, 1].map((partitionIndex) => ({ partitionIndex, brokerIds: [1] }));
      const [topic] = await create([
        { name, numPartitions: -1, replicationFactor: -1, assignments },
      ]);
      assert.equal(errorName(topic?.errorCode), 'NONE');
      assert.equal(topic?.numPartitions, 2);
    });

    const assigned = (...brokerIds: number[][]): Partial<NewTopic> => ({
      numPartitions: -1,
      replicationFactor: -1,
      assignments: brokerIds.map((ids, partitionIndex) => ({ partitionIndex, brokerIds: ids })),
    });
    const config = (name: string, value: string | null): Partial<NewTopic> => ({
      configs: [{ name, value }],
    });
    const refusals: [string, Partial<NewTopic>, string][] = [
      ['an empty name', { name: '' }, 'INVALID_TOPIC_EXCEPTION'],
      ['the name ..', { name: '..' }, 'INVALID_TOPIC_EXCEPTION'],
      ['a blank in the name', { name: 'a b' }, 'INVALID_TOPIC_EXCEPTION'],
      ['a name of 250 letters', { name: 'x'.repeat(250) }, 'INVALID_TOPIC_EXCEPTION'],
      ['no partitions', { numPartitions: 0 }, 'INVALID_PARTITIONS'],
      ['-2 partitions', { numPartitions: -2 }, 'INVALID_PARTITIONS'],
      ['no replicas', { replicationFactor: 0 }, 'INVALID_REPLICATION_FACTOR'],
      ['more replicas than brokers', { replicationFactor: 3 }, 'INVALID_REPLICATION_FACTOR'],
      ['a broker that is not there', assigned([7]), 'INVALID_REPLICA_ASSIGNMENT'],
      ['a broker twice', assigned([1, 1]), 'INVALID_REPLICA_ASSIGNMENT'],
      ['no broker', assigned([]), 'INVALID_REPLICA_ASSIGNMENT'],
      ['an assignment and a number', { ...assigned([1]), numPartitions: 1 }, 'INVALID_REQUEST'],
      ['an unknown config', config('no.such.config', '1'), 'INVALID_CONFIG'],
      ['a config that is no number', config('retention.ms', 'soon'), 'INVALID_CONFIG'],
      ['a config out of range', config('retention.ms', '-2'), 'INVALID_CONFIG'],
      ['a config with a value it cannot have', config('cleanup.policy', 'burn'), 'INVALID_CONFIG'],
      ['segments below a megabyte', config('segment.bytes', '1000'), 'INVALID_CONFIG'],
      ['a config without a value', config('retention.ms', null), 'INVALID_CONFIG'],
      ['the metadata log', { name: '__cluster_metadata' }, 'INVALID_REQUEST'],
    ];
    for (const [what, more, error] of refusals) {
      it(`[A3] does not create a topic with ${what}: ${error}`, async () => {
        const [topic] = await create([
          { name: freshName(), numPartitions: 1, replicationFactor: 1, ...more },
        ]);
        assert.equal(errorName(topic?.errorCode), error);
        assert.notEqual(topic?.errorMessage, null);
      });
    }

    it('[A3] does not create a topic that is there, or that metrics could not tell from one', async () => {
      const name = freshName('dot.under_score');
      await createTopic(client, name);
      const twin = name.replace('.', '_');
      const results = await create(
        [name, twin].map((each) => ({ name: each, numPartitions: 1, replicationFactor: 1 })),
      );
      const errors = new Map(results.map((each) => [each.name, errorName(each.errorCode)]));
      assert.equal(errors.get(name), 'TOPIC_ALREADY_EXISTS');
      assert.equal(errors.get(twin), 'INVALID_TOPIC_EXCEPTION');
    });

    it('[A3] creates the good ones beside the bad ones', async () => {
      const [good, twice] = [freshName(), freshName()];
      const results = await create(
        [good, twice, twice].map((name) => ({ name, numPartitions: 1, replicationFactor: 1 })),
      );
      const errors = new Map(results.map((each) => [each.name, errorName(each.errorCode)]));
      assert.equal(errors.get(good), 'NONE');
      assert.equal(errors.get(twice), 'INVALID_REQUEST');
      assert.equal(results.length, 2);
    });

    it('[A3] deletes topics by name and by id, with what was in them', async () => {
      const [byName, byId] = [freshName(), freshName()];
      await createTopic(client, byName);
      const topicId = await createTopic(client, byId);
      const named = await client.call('deleteTopics', 5, {
        topicNames: [byName],
        timeoutMs: 10_000,
      });
      assert.deepEqual(
        named.responses.map(({ name, errorCode }) => [name, errorName(errorCode)]),
        [[byName, 'NONE']],
      );
      const { responses } = await client.call('deleteTopics', 6, {
        topics: [{ name: null, topicId }],
        timeoutMs: 10_000,
      });
      assert.deepEqual(
        responses.map((each) => [each.name, each.topicId, errorName(each.errorCode)]),
        [[byId, topicId, 'NONE']],
      );
      for (const name of [byName, byId]) {
        for (let attempt = 0; attempt < 200; attempt++) {
          if ((await describeTopic(name)).errorCode !== 0) break;
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
        assert.equal(
          errorName((await describeTopic(name)).errorCode),
          'UNKNOWN_TOPIC_OR_PARTITION',
        );
      }
    });

    it('[A3] starts anew where a topic is deleted and made again', async () => {
      const name = freshName();
      const first = await createTopic(client, name);
      const produce = async (): Promise<bigint | undefined> => {
        const { responses } = await client.call('produce', 9, {
          acks: -1,
          timeoutMs: 10_000,
          topicData: [{ name, partitionData: [{ index: 0, records: batchOf(['x']) }] }],
        });
        return responses[0]?.partitionResponses[0]?.baseOffset;
      };
      await produce();
      assert.equal(await produce(), 1n);
      await client.call('deleteTopics', 5, { topicNames: [name], timeoutMs: 10_000 });
      const second = await createTopic(client, name);
      assert.notEqual(first, second);
      assert.equal(await produce(), 0n);
    });

    const notDeleted: [string, { name: string | null; topicId?: string }, string][] = [
      ['a name that is not there', { name: freshName() }, 'UNKNOWN_TOPIC_OR_PARTITION'],
      ['an id that is not there', { name: null, topicId: nobody }, 'UNKNOWN_TOPIC_ID'],
      ['neither name nor id', { name: null }, 'INVALID_REQUEST'],
      ['both name and id', { name: 'a', topicId: nobody }, 'INVALID_REQUEST'],
    ];
    for (const [what, topic, error] of notDeleted) {
      it(`[A3] does not delete ${what}: ${error}`, async () => {
        const { responses } = await client.call('deleteTopics', 6, {
          topics: [topic],
          timeoutMs: 10_000,
        });
        assert.deepEqual(
          responses.map(({ errorCode }) => errorName(errorCode)),
          [error],
        );
      });
    }

    it('[A3] adds partitions, and only adds', async () => {
      const name = freshName();
      await createTopic(client, name, { partitions: 2 });
      const grow = async (count: number, more = {}): Promise<string> => {
        const { results } = await client.call('createPartitions', 3, {
          topics: [{ name, count, assignments: null, ...more }],
          timeoutMs: 10_000,
          validateOnly: false,
        });
        return errorName(results[0]?.errorCode);
      };
      assert.equal(await grow(2), 'INVALID_PARTITIONS');
      assert.equal(await grow(1), 'INVALID_PARTITIONS');
      assert.equal(
        await grow(4, { assignments: [{ brokerIds: [1] }] }),
        'INVALID_REPLICA_ASSIGNMENT',
      );
      assert.equal(
        await grow(3, { assignments: [{ brokerIds: [9] }] }),
        'INVALID_REPLICA_ASSIGNMENT',
      );
      assert.equal(await grow(4, { name: freshName() }), 'UNKNOWN_TOPIC_OR_PARTITION');
      assert.equal(await grow(4), 'NONE');
      await untilThere(name, 4);
    });

    it('[A3] shows only what is asked for: all, none, by name, by id', async () => {
      const name = freshName();
      const topicId = await createTopic(client, name);
      const namesIn = async (version: number, topics: RequestInput<'metadata'>['topics']) =>
        (
          await client.call('metadata', version, {
            topics: topics ?? null,
            allowAutoTopicCreation: version < 4,
          })
        ).topics.map((topic) => topic.name);
      assert.ok((await namesIn(0, [])).includes(name));
      assert.deepEqual(await namesIn(1, []), []);
      assert.ok((await namesIn(1, null)).includes(name));
      assert.ok((await namesIn(12, null)).includes(name));
      assert.deepEqual(await namesIn(12, [{ topicId, name: null }]), [name]);
      const { topics } = await client.call('metadata', 12, {
        topics: [{ topicId: nobody, name: null }],
      });
      assert.deepEqual(
        topics.map((topic) => [topic.name, topic.topicId, errorName(topic.errorCode)]),
        [[null, nobody, 'UNKNOWN_TOPIC_ID']],
      );
    });

    it('[A3] refuses topic ids in versions that have no use for them', async () => {
      const { topics } = await client.call('metadata', 10, {
        topics: [{ topicId: nobody, name: 'a' }],
      });
      assert.deepEqual(
        topics.map(({ errorCode }) => errorName(errorCode)),
        ['INVALID_REQUEST'],
      );
    });

    it('[A3] describes itself in every version', async () => {
      for (let version = 0; version <= 13; version++) {
        const answer = await client.call('metadata', version, {
          topics: version === 0 ? [] : null,
        });
        const [host, port] = (await server.bootstrap()).split(':');
        assert.deepEqual(
          answer.brokers.map((each) => ({ ...each })),
          [{ nodeId: 1, host, port: Number(port), rack: null }],
        );
        assert.equal(answer.controllerId, version >= 1 ? 1 : -1);
        assert.equal(answer.clusterId === null, version < 2);
        assert.equal(answer.clusterAuthorizedOperations, notAsked);
      }
    });

    it('[A3] creates a topic that is asked for, and answers that it is not there yet', async () => {
      const name = freshName();
      const ask = async (): Promise<string> => {
        const { topics } = await client.call('metadata', 9, {
          topics: [{ name }],
          allowAutoTopicCreation: true,
        });
        return errorName(topics[0]?.errorCode);
      };
      assert.equal(await ask(), 'UNKNOWN_TOPIC_OR_PARTITION');
      await untilThere(name, 1);
      assert.equal(await ask(), 'NONE');
    });

    it('[A3] creates no topic where the client says not to, and none of an invalid name', async () => {
      const name = freshName();
      assert.equal(errorName((await describeTopic(name)).errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
      assert.equal(errorName((await describeTopic(name)).errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
      assert.equal(errorName((await describeTopic('a b')).errorCode), 'INVALID_TOPIC_EXCEPTION');
      const { topics } = await client.call('metadata', 9, {
        topics: [{ name: 'a b' }],
        allowAutoTopicCreation: true,
      });
      assert.equal(errorName(topics[0]?.errorCode), 'INVALID_TOPIC_EXCEPTION');
    });

    it('[A3] tells what may be done only where it is asked', async () => {
      const name = freshName();
      await createTopic(client, name);
      const operations = async (includeTopicAuthorizedOperations: boolean) => {
        const { topics } = await client.call('metadata', 9, {
          topics: [{ name }],
          includeTopicAuthorizedOperations,
        });
        return topics[0]?.topicAuthorizedOperations;
      };
      assert.equal(await operations(false), notAsked);
      assert.equal(await operations(true), 0b1101_1111_1000);
    });

    it('[A3] describes the cluster', async () => {
      const describeCluster = (version: number, more = {}) =>
        client.call('describeCluster', version, more);
      const metadata = await client.call('metadata', 12, { topics: [] });
      const cluster = await describeCluster(2, { includeClusterAuthorizedOperations: true });
      assert.equal(errorName(cluster.errorCode), 'NONE');
      assert.equal(cluster.clusterId, metadata.clusterId);
      assert.equal(cluster.controllerId, 1);
      assert.deepEqual(
        cluster.brokers.map(({ brokerId, isFenced }) => [brokerId, isFenced]),
        [[1, false]],
      );
      assert.equal(cluster.clusterAuthorizedOperations, 0b1_1111_1010_0000);
      assert.equal((await describeCluster(0)).clusterAuthorizedOperations, notAsked);
      const controllers = await describeCluster(1, { endpointType: 2 });
      assert.equal(errorName(controllers.errorCode), 'MISMATCHED_ENDPOINT_TYPE');
    });

    it('[A3] describes partitions page by page', async () => {
      const names = [freshName('page-a'), freshName('page-b')];
      for (const name of names) await createTopic(client, name, { partitions: 3 });
      const missing = freshName('page-c');
      const seen: string[] = [];
      let cursor: RequestInput<'describeTopicPartitions'>['cursor'] = null;
      for (let page = 0; page < 10; page++) {
        const answer: Response<'describeTopicPartitions'> = await client.call(
          'describeTopicPartitions',
          0,
          {
            topics: [...names, missing].map((name) => ({ name })),
            responsePartitionLimit: 2,
            cursor,
          },
        );
        for (const topic of answer.topics) {
          if (topic.errorCode !== 0) seen.push(`${topic.name} ${errorName(topic.errorCode)}`);
          for (const each of topic.partitions) seen.push(`${topic.name}-${each.partitionIndex}`);
        }
        cursor = answer.nextCursor;
        if (!cursor) break;
      }
      assert.deepEqual(seen, [
        ...names.flatMap((name) => [0, 1, 2].map((index) => `${name}-${index}`)),
        `${missing} UNKNOWN_TOPIC_OR_PARTITION`,
      ]);
    });

    it('[A3] refuses a cursor that points nowhere', async () => {
      const name = freshName();
      await createTopic(client, name);
      const ask = async (cursor: { topicName: string; partitionIndex: number }) => {
        const { topics } = await client.call('describeTopicPartitions', 0, {
          topics: [{ name }],
          cursor,
        });
        return topics.map(({ errorCode }) => errorName(errorCode));
      };
      assert.deepEqual(await ask({ topicName: name, partitionIndex: -1 }), ['INVALID_REQUEST']);
      assert.deepEqual(await ask({ topicName: `${name}x`, partitionIndex: 0 }), [
        'INVALID_REQUEST',
      ]);
    });
  });
}
