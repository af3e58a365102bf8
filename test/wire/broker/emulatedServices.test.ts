// What a cluster refuses that behaves as another service. The services themselves are not asked: see docs/emulation.md.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, describe, it } from 'mocha';
import type { EmulationName } from '../../../src/broker/emulation/emulationName.ts';
import { emulations } from '../../../src/broker/emulation/emulations.ts';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import { type ApiName, apis } from '../../../src/protocol/apis.ts';
import { RawClient } from './support/rawClient.ts';
import { errorName } from './support/servers.ts';

const started: EmbeddedKafka[] = [];

async function start(emulate: EmulationName): Promise<{ bootstrap: string; client: RawClient }> {
  const cluster = await startCluster({ emulate });
  started.push(cluster);
  const { bootstrap } = cluster;
  return { bootstrap, client: await RawClient.open(bootstrap) };
}

async function create(
  client: RawClient,
  name: string,
  replicationFactor: number,
  configs: Record<string, string> = {},
): Promise<string> {
  const { topics } = await client.call('createTopics', 6, {
    topics: [
      {
        name,
        numPartitions: 1,
        replicationFactor,
        configs: Object.entries(configs).map(([config, value]) => ({ name: config, value })),
      },
    ],
  });
  return errorName(topics[0]?.errorCode);
}

async function set(
  client: RawClient,
  [resourceType, resourceName]: readonly [number, string],
  name: string,
  value: string,
): Promise<string> {
  const { responses } = await client.call('incrementalAlterConfigs', 1, {
    resources: [{ resourceType, resourceName, configs: [{ name, configOperation: 0, value }] }],
  });
  return errorName(responses[0]?.errorCode);
}

describe('A broker that behaves as another service (embedded)', function () {
  this.timeout(60_000);
  after(async () => {
    for (const cluster of started) await cluster.stop();
  });

  it('[A16] as Confluent Cloud: three replicas, limits for configs of topics, none of brokers', async () => {
    const { client } = await start('confluent-cloud');
    assert.equal(await create(client, 'one', 1), 'POLICY_VIOLATION');
    assert.equal(await create(client, 'three', 3), 'NONE');
    assert.equal(await create(client, 'default', -1), 'NONE');
    assert.equal(await create(client, 'split', 3, { 'segment.bytes': '1048576' }), 'POLICY_VIOLATION'); // prettier-ignore
    assert.equal(await create(client, 'wrong', 3, { 'no.such.config': '1' }), 'INVALID_CONFIG');
    assert.equal(await create(client, 'kept', 3, { 'retention.ms': '1000' }), 'NONE');
    assert.equal(await set(client, [2, 'three'], 'retention.ms', '5'), 'NONE');
    assert.equal(
      await set(client, [2, 'three'], 'max.message.bytes', '9000000'),
      'POLICY_VIOLATION',
    );
    assert.equal(await set(client, [4, ''], 'log.retention.ms', '5'), 'POLICY_VIOLATION');
    const { topics } = await client.call('metadata', 8, {
      topics: [{ name: 'ghost' }],
      allowAutoTopicCreation: true,
    });
    assert.equal(errorName(topics[0]?.errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
    client.close();
  });

  it('[A16] as Confluent Cloud: other configs of topics are taken, and change nothing', async () => {
    const { client } = await start('confluent-cloud');
    assert.equal(await create(client, 'flushed', 3, { 'flush.ms': '1' }), 'NONE');
    assert.equal(await set(client, [2, 'flushed'], 'compression.type', 'gzip'), 'NONE');
    assert.equal(await set(client, [2, 'flushed'], 'retention.ms', '5'), 'NONE');
    const { results } = await client.call('describeConfigs', 4, {
      resources: [
        {
          resourceType: 2,
          resourceName: 'flushed',
          configurationKeys: ['flush.ms', 'compression.type', 'retention.ms', 'max.message.bytes'],
        },
      ],
    });
    const values = results[0]?.configs.map(({ name, value }) => [name, value]);
    assert.deepEqual(
      new Map(values as [string, string][]),
      new Map([
        ['flush.ms', '9223372036854775807'],
        ['compression.type', 'producer'],
        ['retention.ms', '5'],
        ['max.message.bytes', '2097164'],
      ]),
    );
    client.close();
  });

  it('[A16] as MSK Serverless: a cleanup policy is for new topics, a segment size for none', async () => {
    const { client } = await start('msk-serverless');
    assert.equal(await create(client, 'compacted', 1, { 'cleanup.policy': 'compact' }), 'NONE');
    assert.equal(
      await set(client, [2, 'compacted'], 'cleanup.policy', 'delete'),
      'POLICY_VIOLATION',
    );
    assert.equal(
      await create(client, 'streams', 1, { 'segment.bytes': '52428800' }),
      'POLICY_VIOLATION',
    );
    assert.equal(await set(client, [2, 'compacted'], 'retention.ms', '5'), 'NONE');
    client.close();
  });

  it('[A16] as Redpanda: older versions, fewer APIs, and kafkajs works with those', async () => {
    const { bootstrap, client } = await start('redpanda');
    const { apiKeys } = await client.call('apiVersions', 3, {
      clientSoftwareName: 'test',
      clientSoftwareVersion: '1',
    });
    const named = Object.keys(emulations.redpanda.versions).map(
      (name) => apis[name as ApiName].key,
    );
    const unnamed = apiKeys.filter(({ apiKey }) => !named.includes(apiKey));
    assert.deepEqual(unnamed, [], 'what is new here is either Redpanda’s too, or absent');
    const fetch = apiKeys.find(({ apiKey }) => apiKey === 1);
    assert.deepEqual([fetch?.minVersion, fetch?.maxVersion], [4, 11]);
    assert.equal(
      apiKeys.find(({ apiKey }) => apiKey === 68),
      undefined,
    );
    client.send('consumerGroupHeartbeat', 0, { groupId: 'g', memberId: '', memberEpoch: 0 });
    assert.equal(await client.isClosedByServer(), true);
    await roundTrip(bootstrap);
  });

  it('[A16] has a line in docs/emulation.md for every server', async () => {
    const page = await readFile(
      path.join(import.meta.dirname, '../../../docs/emulation.md'),
      'utf8',
    );
    const missing = Object.keys(emulations).filter((name) => !page.includes(`## \`${name}\``));
    assert.deepEqual(missing, []);
  });
});

async function roundTrip(bootstrap: string): Promise<void> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ idempotent: true });
  await producer.connect();
  await producer.send({ topic: 'travelled', messages: [{ value: 'there' }] });
  await producer.disconnect();
  const consumer = kafka.consumer({ groupId: 'readers' });
  await consumer.connect();
  await consumer.subscribe({ topics: ['travelled'], fromBeginning: true });
  const read = await new Promise<string | undefined>((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    consumer
      .run({
        eachMessage({ message }) {
          resolve(message.value?.toString());
          return Promise.resolve();
        },
      })
      .catch(reject);
  });
  assert.equal(read, 'there');
  await consumer.disconnect();
}
