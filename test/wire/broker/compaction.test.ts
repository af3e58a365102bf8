// Compaction as a client of the broker sees it.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, errorName } from './support/servers.ts';

describe('[A5] A compacted topic of an embedded cluster', function () {
  this.timeout(60_000);
  let dataDir: string;
  let cluster: EmbeddedKafka;
  let client: RawClient;

  const start = async (): Promise<void> => {
    cluster = await startCluster({ dataDir });
    client = await RawClient.open(cluster.bootstrap);
  };
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'compaction-'));
    await start();
  });
  afterEach(async () => {
    client.close();
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function compact(): Promise<string | undefined> {
    const [done] = await cluster.control.runMaintenance(['compaction']);
    return done?.summary;
  }

  async function produce(topicId: string, pairs: readonly (readonly [string, string | null])[]) {
    const records = batchOf(
      pairs.map(([key, value]) => ({
        timestamp: BigInt(Date.now()),
        key: Buffer.from(key),
        value: value === null ? null : Buffer.from(value),
      })),
    );
    const { responses } = await client.call('produce', 13, {
      acks: -1,
      timeoutMs: 1000,
      topicData: [{ topicId, partitionData: [{ index: 0, records }] }],
    });
    assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
  }

  async function fetched(topicId: string): Promise<string[]> {
    const found: string[] = [];
    for (let fetchOffset = 0n; ;) {
      const { responses } = await client.call('fetch', 13, {
        replicaId: -1,
        maxWaitMs: 0,
        minBytes: 0,
        maxBytes: 1 << 20,
        isolationLevel: 1,
        sessionId: 0,
        sessionEpoch: -1,
        topics: [
          { topicId, partitions: [{ partition: 0, fetchOffset, partitionMaxBytes: 1 << 20 }] },
        ],
      });
      const read = [...batches(responses[0]?.partitions[0]?.records ?? Buffer.alloc(0))];
      const last = read.at(-1);
      if (!last) return found;
      fetchOffset = last.header.lastOffset + 1n;
      for (const batch of read)
        for (const { offset, key, value } of readRecords(batch))
          found.push(`${offset} ${String(key)}=${String(value)}`);
    }
  }

  it('keeps the latest value of each key when maintenance is asked to compact', async () => {
    const topicId = await createTopic(client, 'c', { configs: { 'cleanup.policy': 'compact' } });
    for (let n = 0; n < 20; n++) await produce(topicId, [[`k${n % 2}`, `v${n}`], ['k9', `v${n}`]]); // prettier-ignore
    await produce(topicId, [['k0', null]]);
    assert.match((await compact()) ?? '', /^compacted 1 partition, \d+ bytes less$/);
    assert.deepEqual(await fetched(topicId), ['38 k1=v19', '39 k9=v19', '40 k0=null']);
    assert.equal(await compact(), 'compacted 1 partition, 0 bytes less');
  });

  it('keeps what groups have committed, over a restart', async () => {
    await createTopic(client, 't');
    await coordinated('g');
    for (let n = 1n; n <= 30n; n++) await commit('g', n);
    await compact();
    assert.equal(await committed('g'), 30n);
    client.close();
    await cluster.stop();
    await start();
    await coordinated('g');
    assert.equal(await committed('g'), 30n);
    await commit('g', 31n);
    assert.equal(await committed('g'), 31n);
  });

  async function coordinated(groupId: string): Promise<void> {
    for (let attempt = 0; attempt < 500; attempt++) {
      await client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: [groupId] });
      const { groups } = await client.call('describeGroups', 5, { groups: [groupId] });
      if (groups[0]?.errorCode === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.fail('there is no coordinator after 5 s');
  }

  async function commit(groupId: string, committedOffset: bigint): Promise<void> {
    const { topics } = await client.call('offsetCommit', 8, {
      groupId,
      topics: [{ name: 't', partitions: [{ partitionIndex: 0, committedOffset }] }],
    });
    assert.equal(errorName(topics[0]?.partitions[0]?.errorCode), 'NONE');
  }

  async function committed(groupId: string): Promise<bigint | undefined> {
    const { groups } = await client.call('offsetFetch', 8, {
      groups: [{ groupId, topics: [{ name: 't', partitionIndexes: [0] }] }],
    });
    return groups[0]?.topics[0]?.partitions[0]?.committedOffset;
  }
});
