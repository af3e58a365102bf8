// Partitions that nothing was written to, and what their first record changes: ours and Kafka 4.4 in the same words.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RawClient } from './support/rawClient.ts';
import {
  batchOf,
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from './support/servers.ts';

const noEpoch = ['NONE', -1, -1n];
const noOffset = ['NONE', -1n, -1];

async function epochEnd(client: RawClient, topic: string, leaderEpoch: number) {
  const { topics } = await client.call('offsetForLeaderEpoch', 4, {
    topics: [{ topic, partitions: [{ partition: 0, leaderEpoch }] }],
  });
  const [partition] = topics[0]?.partitions ?? [];
  return [errorName(partition?.errorCode), partition?.leaderEpoch, partition?.endOffset];
}

async function deleteUpTo(client: RawClient, name: string, offset: bigint) {
  const { topics } = await client.call('deleteRecords', 2, {
    topics: [{ name, partitions: [{ partitionIndex: 0, offset }] }],
    timeoutMs: 5000,
  });
  const [partition] = topics[0]?.partitions ?? [];
  return [errorName(partition?.errorCode), partition?.lowWatermark];
}

async function fetched(client: RawClient, topicId: string, fetchOffset: bigint) {
  const { responses } = await client.call('fetch', 13, {
    maxWaitMs: 0,
    minBytes: 0,
    topics: [{ topicId, partitions: [{ partition: 0, fetchOffset, partitionMaxBytes: 1000 }] }],
  });
  const [partition] = responses[0]?.partitions ?? [];
  const { errorCode, highWatermark, logStartOffset, lastStableOffset } = partition ?? {};
  return [errorName(errorCode), highWatermark, lastStableOffset, logStartOffset];
}

async function producers(client: RawClient, name: string) {
  const { topics } = await client.call('describeProducers', 0, {
    topics: [{ name, partitionIndexes: [0] }],
  });
  const [partition] = topics[0]?.partitions ?? [];
  return [errorName(partition?.errorCode), partition?.activeProducers];
}

async function listed(client: RawClient, name: string, timestamp: bigint) {
  const { topics } = await client.call('listOffsets', 8, {
    replicaId: -1,
    topics: [{ name, partitions: [{ partitionIndex: 0, timestamp }] }],
  });
  const [partition] = topics[0]?.partitions ?? [];
  return [errorName(partition?.errorCode), partition?.offset, partition?.leaderEpoch];
}

async function directory(client: RawClient, topic: string) {
  const { results } = await client.call('describeLogDirs', 4, {
    topics: [{ topic, partitions: [0] }],
  });
  const [partition] = results.flatMap(({ topics }) => topics.flatMap((each) => each.partitions));
  return [partition?.partitionSize, partition?.offsetLag, partition?.isFutureKey];
}

for (const server of servers)
  describe(`A partition that nothing was written to (${server.name})`, function () {
    this.timeout(patienceMs);
    const open = connections(server);

    it('[A3] [A4] answers whatever only looks', async () => {
      const client = await open();
      const name = freshName();
      const id = await createTopic(client, name);
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await epochEnd(client, name, 0), ['NONE', 0, 0n]);
        assert.deepEqual(await epochEnd(client, name, 1), noEpoch);
        assert.deepEqual(await epochEnd(client, name, -1), noEpoch);
        assert.deepEqual(await deleteUpTo(client, name, 0n), ['NONE', 0n]);
        assert.deepEqual(await deleteUpTo(client, name, -1n), ['NONE', 0n]);
        assert.deepEqual(await deleteUpTo(client, name, 1n), ['OFFSET_OUT_OF_RANGE', -1n]);
        assert.deepEqual(await fetched(client, id, 0n), ['NONE', 0n, 0n, 0n]);
        assert.deepEqual(await fetched(client, id, 1n), ['OFFSET_OUT_OF_RANGE', -1n, -1n, -1n]);
        assert.deepEqual(await producers(client, name), ['NONE', []]);
        assert.deepEqual(await listed(client, name, -2n), ['NONE', 0n, 0]);
        assert.deepEqual(await listed(client, name, -1n), ['NONE', 0n, 0]);
        assert.deepEqual(await listed(client, name, -3n), noOffset);
        assert.deepEqual(await listed(client, name, 0n), noOffset);
        assert.deepEqual(await directory(client, name), [0n, 0n, false]);
      }
    });

    it('[A3] [A4] goes on with its first record as any other', async () => {
      const client = await open();
      const name = freshName();
      const id = await createTopic(client, name);
      await epochEnd(client, name, 0);
      const records = batchOf(['first']);
      const { responses } = await client.call('produce', 9, {
        acks: -1,
        timeoutMs: 5000,
        topicData: [{ name, partitionData: [{ index: 0, records }] }],
      });
      const [written] = responses[0]?.partitionResponses ?? [];
      assert.deepEqual([errorName(written?.errorCode), written?.baseOffset], ['NONE', 0n]);
      assert.deepEqual(await epochEnd(client, name, 0), ['NONE', 0, 1n]);
      assert.deepEqual(await fetched(client, id, 0n), ['NONE', 1n, 1n, 0n]);
      assert.deepEqual(await directory(client, name), [BigInt(records.length), 0n, false]);
      assert.deepEqual(await deleteUpTo(client, name, 1n), ['NONE', 1n]);
      assert.deepEqual(await listed(client, name, -2n), ['NONE', 1n, 0]);
      assert.deepEqual(await epochEnd(client, name, 0), ['NONE', 0, 1n]);
    });
  });
