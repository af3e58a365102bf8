import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { batches, verifyBatch } from '../../../src/protocol/records/recordBatch.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import { type EmbeddedBroker, startEmbedded } from '../../support/embedded.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, errorName } from './support/servers.ts';

const topic = 'kept';

/** Every value of the partition from its start, each batch held against its checksum. */
async function valuesOf(client: RawClient): Promise<string[]> {
  const values: string[] = [];
  for (let offset = 0n; ;) {
    const { responses } = await client.call('fetch', 11, {
      maxWaitMs: 0,
      minBytes: 1,
      sessionEpoch: -1,
      topics: [{ topic, partitions: [{ fetchOffset: offset, partitionMaxBytes: 1 << 20 }] }],
    });
    const partition = responses[0]?.partitions[0];
    assert.equal(errorName(partition?.errorCode), 'NONE');
    const before = offset;
    for (const batch of batches(partition?.records ?? Buffer.alloc(0))) {
      verifyBatch(batch);
      for (const { value } of readRecords(batch)) values.push(value?.toString() ?? '');
      offset = batch.header.lastOffset + 1n;
    }
    if (offset === before) return values;
  }
}

async function commit(client: RawClient, committedOffset: bigint): Promise<void> {
  await client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: ['group'] });
  for (;;) {
    const { topics } = await client.call('offsetCommit', 8, {
      groupId: 'group',
      generationIdOrMemberEpoch: -1,
      topics: [
        {
          name: topic,
          partitions: [{ partitionIndex: 0, committedOffset, committedMetadata: 'm' }],
        },
      ],
    });
    const error = errorName(topics[0]?.partitions[0]?.errorCode);
    if (error === 'NONE') return;
    assert.ok(['COORDINATOR_LOAD_IN_PROGRESS', 'NOT_COORDINATOR'].includes(error), error);
    await sleep(20);
  }
}

async function committedOffset(client: RawClient): Promise<bigint | undefined> {
  for (;;) {
    const { groups } = await client.call('offsetFetch', 8, {
      groups: [{ groupId: 'group', topics: [{ name: topic, partitionIndexes: [0] }] }],
    });
    if (groups[0]?.errorCode === 0) return groups[0].topics[0]?.partitions[0]?.committedOffset;
    await sleep(20);
  }
}

describe('What was acknowledged (embedded)', function () {
  this.timeout(120_000);
  let dataDir: string;
  let broker: EmbeddedBroker | undefined;

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'durability-'));
  });
  afterEach(async () => {
    await broker?.kill9();
    await rm(dataDir, { recursive: true, force: true });
  });

  const restart = async (): Promise<RawClient> => {
    broker = await startEmbedded({ dataDir });
    return RawClient.open(broker.bootstrap);
  };

  for (const [how, end] of [
    ['a clean stop', (running: EmbeddedBroker) => running.stop()],
    ['kill -9', (running: EmbeddedBroker) => running.kill9()],
  ] as const) {
    it(`[A4] survives ${how}: topics, configs, records, offsets, producers`, async () => {
      let client = await restart();
      const topicId = await createTopic(client, topic, {
        configs: { 'retention.ms': '987654321' },
      });
      const { producerId, producerEpoch } = await client.call('initProducerId', 4, {
        transactionalId: null,
        transactionTimeoutMs: 1000,
      });
      const produce = async (baseSequence: number): Promise<bigint | undefined> => {
        const records = batchOf([`${baseSequence}`], { producerId, producerEpoch, baseSequence });
        const { responses } = await client.call('produce', 9, {
          acks: -1,
          timeoutMs: 1000,
          topicData: [{ name: topic, partitionData: [{ index: 0, records }] }],
        });
        return responses[0]?.partitionResponses[0]?.baseOffset;
      };
      for (let sequence = 0; sequence < 10; sequence++) await produce(sequence);
      await commit(client, 7n);
      const { clusterId } = await client.call('metadata', 12, { topics: [] });
      client.close();
      assert.ok(broker);
      await end(broker);

      client = await restart();
      const metadata = await client.call('metadata', 12, { topics: [{ name: topic }] });
      assert.equal(metadata.clusterId, clusterId);
      assert.equal(metadata.topics[0]?.topicId, topicId);
      assert.equal(metadata.topics[0].partitions[0]?.leaderId, 1);
      assert.deepEqual(
        await valuesOf(client),
        Array.from({ length: 10 }, (_, i) => `${i}`),
      );
      assert.equal(await committedOffset(client), 7n);
      assert.equal(await produce(9), 9n, 'a retry over the restart is taken once');
      assert.equal(await produce(10), 10n);
      const next = await client.call('initProducerId', 4, {
        transactionalId: null,
        transactionTimeoutMs: 1000,
      });
      assert.notEqual(next.producerId, producerId);
      const { results } = await client.call('describeConfigs', 4, {
        resources: [{ resourceType: 2, resourceName: topic, configurationKeys: ['retention.ms'] }],
      });
      assert.equal(results[0]?.configs[0]?.value, '987654321');
      client.close();
    });
  }

  it('[A4] survives kill -9 in the middle of writing, time and again, once and in order', async () => {
    const seed = Date.now() % 1_000_000;
    const random = seededRandom(seed);
    let client = await restart();
    await createTopic(client, topic);
    const acknowledged: string[] = [];
    let sent = 0;
    for (let round = 0; round < 4; round++) {
      const killed = sleep(100 + random.below(300)).then(() => broker?.kill9());
      try {
        for (;;) {
          const value = `${round}.${sent++}.${'x'.repeat(random.below(3000))}`;
          const { responses } = await client.call('produce', 9, {
            acks: -1,
            timeoutMs: 1000,
            topicData: [{ name: topic, partitionData: [{ index: 0, records: batchOf([value]) }] }],
          });
          assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
          acknowledged.push(value);
        }
      } catch (error) {
        assert.match(String(error), /closed/);
      }
      await killed;
      client = await restart();
      const values = await valuesOf(client);
      const present = new Set(values);
      assert.equal(present.size, values.length, `something is there twice (seed ${seed})`);
      assert.deepEqual(
        values.filter((value) => acknowledged.includes(value)),
        acknowledged,
        `seed ${seed}`,
      );
      // What was under way is there or not; either is right.
      assert.ok(values.length <= acknowledged.length + round + 1, `seed ${seed}`);
    }
    assert.ok(acknowledged.length > 50, `only ${acknowledged.length} writes`);
    client.close();
  });
});
