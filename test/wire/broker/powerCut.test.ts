// What the cluster's metadata has after the power went, right after the last answer. Kafka's controller flushes its
// log.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { type RunningCluster, startCluster } from '../../../src/broker/cluster.ts';
import { aclOf, filterOf } from '../../differential/support/aclRequests.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { RawClient } from './support/rawClient.ts';
import { authorizerConfig } from './support/saslClient.ts';
import { batchOf, createTopic, errorName } from './support/servers.ts';

const topic = 'kept';
const user = 'alice';

async function started(
  machine: MemoryFileSystem,
): Promise<{ cluster: RunningCluster; client: RawClient }> {
  const fileSystem = machine.session();
  const options = { dataDir: '/data', port: 0, configs: authorizerConfig };
  const cluster = await startCluster({ ...options, fileSystem });
  return { cluster, client: await RawClient.open(cluster.bootstrap) };
}

async function producerId(client: RawClient): Promise<bigint> {
  const request = { transactionalId: null, transactionTimeoutMs: 1000 };
  const { errorCode, producerId: id } = await client.call('initProducerId', 4, request);
  assert.equal(errorName(errorCode), 'NONE');
  return id;
}

/** One thing of each kind that the metadata log has. */
const changes: Readonly<Record<string, (client: RawClient) => Promise<unknown>>> = {
  topic: (client) => createTopic(client, topic),
  partitions: (client) =>
    client.call('createPartitions', 3, {
      topics: [{ name: topic, count: 3, assignments: null }],
      timeoutMs: 30_000,
    }),
  config: (client) =>
    client.call('incrementalAlterConfigs', 1, {
      resources: [
        {
          resourceType: 2,
          resourceName: topic,
          configs: [{ name: 'retention.ms', configOperation: 0, value: '77' }],
        },
      ],
    }),
  scram: (client) =>
    client.call('alterUserScramCredentials', 0, {
      deletions: [],
      upsertions: [
        {
          name: user,
          mechanism: 1,
          iterations: 4096,
          salt: Buffer.from('salt'),
          saltedPassword: Buffer.alloc(32, 1),
        },
      ],
    }),
  acl: (client) => client.call('createAcls', 3, { creations: [aclOf(user, 'write', topic)] }),
  quota: (client) =>
    client.call('alterClientQuotas', 1, {
      entries: [
        {
          entity: [{ entityType: 'user', entityName: user }],
          ops: [{ key: 'producer_byte_rate', value: 1024, remove: false }],
        },
      ],
      validateOnly: false,
    }),
};

/** What a client sees of them, by the same names. */
const looks: Readonly<Record<string, (client: RawClient) => Promise<number>>> = {
  async topic(client) {
    const { topics } = await client.call('metadata', 12, { topics: [{ name: topic }] });
    return topics.filter(({ errorCode }) => errorCode === 0).length;
  },
  async partitions(client) {
    const { topics } = await client.call('metadata', 12, { topics: [{ name: topic }] });
    return topics[0]?.partitions.length === 3 ? 1 : 0;
  },
  async config(client) {
    const { results } = await client.call('describeConfigs', 4, {
      resources: [{ resourceType: 2, resourceName: topic, configurationKeys: ['retention.ms'] }],
    });
    return results[0]?.configs.filter(({ value }) => value === '77').length ?? 0;
  },
  async scram(client) {
    const users = { users: [{ name: user }] };
    const { results } = await client.call('describeUserScramCredentials', 0, users);
    return results[0]?.credentialInfos.length ?? 0;
  },
  async acl(client) {
    const { resources } = await client.call('describeAcls', 3, filterOf(`User:${user}`));
    return resources.length;
  },
  async quota(client) {
    const components = [{ entityType: 'user', matchType: 0, match: user }];
    const { entries } = await client.call('describeClientQuotas', 1, { components });
    return entries?.length ?? 0;
  },
};

describe('A cluster whose machine loses its power (embedded)', function () {
  this.timeout(60_000);

  it('[A4] has every change of the metadata that it has answered', async () => {
    const names = Object.keys(changes);
    for (let seed = 1; seed <= 5; seed++) {
      const machine = new MemoryFileSystem({ random: seededRandom(seed) });
      let { cluster, client } = await started(machine);
      for (const [n, name] of names.entries()) {
        const id = await producerId(client);
        await changes[name]?.(client);
        machine.powerCut();
        client.close();
        await cluster.close().catch(() => undefined);

        ({ cluster, client } = await started(machine));
        const seen: (number | undefined)[] = [];
        for (const each of names) seen.push(await looks[each]?.(client));
        const expected = names.map((_, at) => (at <= n ? 1 : 0));
        assert.deepEqual(seen, expected, `seed ${seed}, after ${name}`);
        assert.ok((await producerId(client)) > id, 'a producer id came twice');
      }
      client.close();
      await cluster.close();
    }
  });

  it('[A4] still knows the topic of records that it has', async () => {
    const machine = new MemoryFileSystem();
    const { cluster, client } = await started(machine);
    await createTopic(client, topic, { configs: { 'flush.messages': '1' } });
    const { responses } = await client.call('produce', 9, {
      acks: -1,
      timeoutMs: 5000,
      topicData: [{ name: topic, partitionData: [{ index: 0, records: batchOf(['a', 'b']) }] }],
    });
    assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
    machine.powerCut();
    client.close();
    await cluster.close().catch(() => undefined);

    const after = await started(machine);
    const { topics } = await after.client.call('listOffsets', 7, {
      replicaId: -1,
      isolationLevel: 0,
      topics: [{ name: topic, partitions: [{ partitionIndex: 0, timestamp: -1n }] }],
    });
    assert.equal(topics[0]?.partitions[0]?.offset, 2n);
    assert.ok(!machine.paths().some((path) => path.includes('-stray')));
    after.client.close();
    await after.cluster.close();
  });
});
