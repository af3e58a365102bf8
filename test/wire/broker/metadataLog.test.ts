import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { aclOf, filterOf } from '../../differential/support/aclRequests.ts';
import { RawClient } from './support/rawClient.ts';
import { authorizerConfig } from './support/saslClient.ts';
import { createTopic, patienceMs } from './support/servers.ts';

interface MetadataRecord {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describe('The metadata log', function () {
  this.timeout(patienceMs);
  let dataDir: string;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'metadata-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  it('[A4] is one that Kafka’s kafka-dump-log decodes (embedded)', async () => {
    const cluster = await startCluster({ dataDir, configs: authorizerConfig });
    const client = await RawClient.open(cluster.bootstrap);
    const topicId = await createTopic(client, 'kept', {
      partitions: 2,
      configs: { 'flush.ms': '9' },
    });
    const goneId = await createTopic(client, 'gone');
    await client.call('deleteTopics', 5, { topicNames: ['gone'], timeoutMs: 1000 });
    await client.call('initProducerId', 4, { transactionalId: null, transactionTimeoutMs: 1 });
    const creations = [aclOf('alice', 'write', 'kept', { host: '10.0.0.0/8' })];
    await client.call('createAcls', 3, { creations });
    await client.call('deleteAcls', 3, { filters: [filterOf('User:alice')] });
    client.close();
    await cluster.stop();

    const folder = path.join(dataDir, 'controller', '__cluster_metadata-0');
    const log = path.join(folder, '00000000000000000000.log');
    const { code, stdout, stderr } = await runKafkaTool('org.apache.kafka.tools.DumpLogSegments', [
      '--cluster-metadata-decoder',
      '--files',
      log,
    ]);
    assert.equal(code, 0, stderr);
    const records = [...stdout.matchAll(/payload: (\{.*\})$/gm)].map(
      ([, json = '']) => JSON.parse(json) as MetadataRecord,
    );
    const expected: [string, Record<string, unknown>][] = [
      ['FEATURE_LEVEL_RECORD', { name: 'metadata.version', featureLevel: 33 }],
      ['FEATURE_LEVEL_RECORD', { name: 'eligible.leader.replicas.version', featureLevel: 1 }],
      ['FEATURE_LEVEL_RECORD', { name: 'group.version', featureLevel: 1 }],
      ['FEATURE_LEVEL_RECORD', { name: 'transaction.version', featureLevel: 2 }],
      [
        'CONFIG_RECORD',
        { resourceType: 4, resourceName: '', name: 'min.insync.replicas', value: '1' },
      ],
      ['REGISTER_BROKER_RECORD', { brokerId: 1, brokerEpoch: 5 }],
      ['TOPIC_RECORD', { name: 'kept', topicId }],
      ['CONFIG_RECORD', { resourceType: 2, resourceName: 'kept', name: 'flush.ms', value: '9' }],
      ['PARTITION_RECORD', { topicId, partitionId: 0, leader: 1, leaderEpoch: 0, isr: [1] }],
      ['PARTITION_RECORD', { topicId, partitionId: 1, leader: 1, replicas: [1] }],
      ['TOPIC_RECORD', { name: 'gone', topicId: goneId }],
      ['PARTITION_RECORD', { topicId: goneId, partitionId: 0 }],
      ['REMOVE_TOPIC_RECORD', { topicId: goneId }],
      ['PRODUCER_IDS_RECORD', { brokerId: 1, nextProducerId: 1000 }],
      [
        'ACCESS_CONTROL_ENTRY_RECORD',
        { resourceType: 2, resourceName: 'kept', principal: 'User:alice', host: '10.0.0.0/8' },
      ],
      ['REMOVE_ACCESS_CONTROL_ENTRY_RECORD', {}],
    ];
    assert.deepEqual(
      records.map(({ type }) => type),
      expected.map(([type]) => type),
      stdout,
    );
    for (const [i, [, data]] of expected.entries()) {
      assert.deepEqual({ ...records[i]?.data, ...data }, records[i]?.data);
    }
  });
});
