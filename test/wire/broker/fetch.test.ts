import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { apis } from '../../../src/protocol/apis.ts';
import { decodeResponse } from '../../../src/protocol/frames.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
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

type Asked = NonNullable<
  NonNullable<RequestInput<'fetch'>['topics']>[number]['partitions']
>[number];
type Partition = Response<'fetch'>['responses'][number]['partitions'][number];

interface FetchOptions extends Asked {
  readonly version?: number;
  readonly maxWaitMs?: number;
  readonly minBytes?: number;
  readonly maxBytes?: number;
  readonly isolationLevel?: number;
}

const largest = 2 ** 31 - 1;

function fetchOf(topic: string, topicId: string, options: FetchOptions): RequestInput<'fetch'> {
  const {
    maxWaitMs = 0,
    minBytes = 1,
    maxBytes = largest,
    isolationLevel = 0,
    version,
    ...asked
  } = options;
  return {
    maxWaitMs,
    minBytes,
    maxBytes,
    isolationLevel,
    sessionEpoch: -1,
    topics: [
      {
        ...(version !== undefined && version >= 13 ? { topicId } : { topic }),
        partitions: [{ partition: 0, fetchOffset: 0n, partitionMaxBytes: largest, ...asked }],
      },
    ],
  };
}

function onlyPartition(response: Response<'fetch'>): Partition {
  const partition = response.responses[0]?.partitions[0];
  assert.ok(partition);
  return partition;
}

function valuesIn(partition: Partition): string[] {
  return [...batches(partition.records ?? Buffer.alloc(0))].flatMap((batch) =>
    [...readRecords(batch)].map(({ offset, value }) => `${offset}:${value?.toString() ?? 'null'}`),
  );
}

for (const server of servers) {
  describe(`Fetch (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    const topic = freshName();
    let topicId = '';
    let client: RawClient;

    const produce = async (name: string, records: Buffer, index = 0): Promise<void> => {
      const { responses } = await client.call('produce', 9, {
        acks: -1,
        timeoutMs: 10_000,
        topicData: [{ name, partitionData: [{ index, records }] }],
      });
      assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
    };
    const fetch = async (options: FetchOptions = {}): Promise<Partition> =>
      onlyPartition(
        await client.call('fetch', options.version ?? 11, fetchOf(topic, topicId, options)),
      );

    before(async () => {
      client = await connect();
      topicId = await createTopic(client, topic);
      await produce(topic, batchOf(['a', 'b', 'c']));
      await produce(topic, batchOf(['d', 'e']));
    });
    beforeEach(async () => {
      client = await connect();
    });

    it('[A3] gives records in every version, by topic id from 13 on', async () => {
      for (let version = 4; version <= 17; version++) {
        const partition = await fetch({ version });
        assert.equal(errorName(partition.errorCode), 'NONE', `version ${version}`);
        assert.deepEqual(valuesIn(partition), ['0:a', '1:b', '2:c', '3:d', '4:e']);
        assert.equal(partition.highWatermark, 5n);
        assert.equal(partition.lastStableOffset, 5n);
        assert.equal(partition.logStartOffset, version >= 5 ? 0n : -1n);
        assert.equal(partition.abortedTransactions, null);
      }
    });

    it('[A3] gives the whole batch that an offset lies in', async () => {
      assert.deepEqual(valuesIn(await fetch({ fetchOffset: 1n, maxBytes: 1 })), [
        '0:a',
        '1:b',
        '2:c',
      ]);
      assert.deepEqual(valuesIn(await fetch({ fetchOffset: 4n })), ['3:d', '4:e']);
    });

    it('[A3] gives a first batch that is larger than any limit, and nothing behind it', async () => {
      const limited = await fetch({ maxBytes: 1, partitionMaxBytes: 1 });
      assert.deepEqual(valuesIn(limited), ['0:a', '1:b', '2:c']);
    });

    it('[A3] lets the first partition that has data over the limit, and no other', async () => {
      const name = freshName();
      await createTopic(client, name, { partitions: 3 });
      await produce(name, batchOf(['x'.repeat(500)]), 1);
      await produce(name, batchOf(['y'.repeat(500)]), 2);
      const partitions = [0, 1, 2].map((partition) => ({
        partition,
        fetchOffset: 0n,
        partitionMaxBytes: 10,
      }));
      const response = await client.call('fetch', 11, {
        maxWaitMs: 0,
        minBytes: 1,
        maxBytes: largest,
        sessionEpoch: -1,
        topics: [{ topic: name, partitions }],
      });
      const sizes = response.responses[0]?.partitions.map(({ partitionIndex, records }) => [
        partitionIndex,
        (records?.length ?? 0) > 0,
      ]);
      assert.deepEqual(sizes, [
        [0, false],
        [1, true],
        [2, false],
      ]);
    });

    it('[A3] gives nothing at the end, and OFFSET_OUT_OF_RANGE beyond and before', async () => {
      const atEnd = await fetch({ fetchOffset: 5n });
      assert.equal(errorName(atEnd.errorCode), 'NONE');
      assert.equal(atEnd.records?.length, 0);
      for (const fetchOffset of [6n, -1n]) {
        const outside = await fetch({ fetchOffset });
        assert.equal(errorName(outside.errorCode), 'OFFSET_OUT_OF_RANGE');
        assert.equal(outside.highWatermark, -1n);
      }
    });

    // Who waits for longer than a client's patience was not answered at once.
    it('[A3] does not wait for more where the client reads an older segment', async () => {
      const name = freshName();
      await createTopic(client, name, { configs: { 'segment.ms': '1000', 'retention.ms': '-1' } });
      for (const [n, value] of ['a', 'b'].entries())
        await produce(
          name,
          batchOf([{ timestamp: BigInt(1 + n * 60_000), value: Buffer.from(value) }]),
        );
      const asked = fetchOf(name, '', { minBytes: 1_000_000, maxWaitMs: largest });
      assert.deepEqual(valuesIn(onlyPartition(await client.call('fetch', 11, asked))), ['0:a']);
    });

    it('[A3] does not wait for more where there is as much as the client takes, though not in whole batches', async () => {
      const size = (await fetch()).records?.length ?? 0;
      const partitionMaxBytes = size - 1;
      const limited = await fetch({
        partitionMaxBytes,
        minBytes: partitionMaxBytes,
        maxWaitMs: largest,
      });
      assert.deepEqual(valuesIn(limited), ['0:a', '1:b', '2:c']);
    });

    const unknown: [string, FetchOptions, string][] = [
      ['a partition that is not there', { partition: 9 }, 'UNKNOWN_TOPIC_OR_PARTITION'],
      ['an epoch that the leader has not had', { currentLeaderEpoch: 99 }, 'UNKNOWN_LEADER_EPOCH'],
    ];
    for (const [what, options, error] of unknown) {
      it(`[A3] refuses ${what}: ${error}`, async () => {
        assert.equal(errorName((await fetch(options)).errorCode), error);
      });
    }

    it('[A3] does not know an unknown topic id', async () => {
      const response = await client.call(
        'fetch',
        13,
        fetchOf('', 'dGhlcmUtaXMtbm8tc3VjaA', { version: 13 }),
      );
      assert.equal(errorName(onlyPartition(response).errorCode), 'UNKNOWN_TOPIC_ID');
    });

    it('[A3] tells where the log parted from what the client has read', async () => {
      const diverging = await fetch({ version: 12, fetchOffset: 9n, lastFetchedEpoch: 0 });
      assert.equal(errorName(diverging.errorCode), 'NONE');
      assert.deepEqual({ ...diverging.divergingEpoch }, { epoch: 0, endOffset: 5n });
      const agreeing = await fetch({ version: 12, fetchOffset: 5n, lastFetchedEpoch: 0 });
      assert.deepEqual({ ...agreeing.divergingEpoch }, { epoch: -1, endOffset: -1n });
    });

    it('[A3] has no session that it did not grant', async () => {
      const response = await client.call('fetch', 11, {
        ...fetchOf(topic, topicId, {}),
        sessionId: 12_345,
        sessionEpoch: 3,
      });
      assert.equal(errorName(response.errorCode), 'FETCH_SESSION_ID_NOT_FOUND');
    });

    it('[A3] waits for data, and answers when it comes', async () => {
      const name = freshName();
      const id = await createTopic(client, name);
      const reader = await connect();
      reader.send('fetch', 11, fetchOf(name, id, { maxWaitMs: 30_000 }));
      await produce(name, batchOf(['late']));
      const frame = await reader.nextFrame();
      assert.ok(frame);
      const { body } = decodeResponse(apis.fetch, 11, frame);
      assert.deepEqual(valuesIn(onlyPartition(body)), ['0:late']);
    });

    it('[A3] waits until as much has come as was asked for', async () => {
      const name = freshName();
      const id = await createTopic(client, name);
      const reader = await connect();
      reader.send('fetch', 11, fetchOf(name, id, { maxWaitMs: 30_000, minBytes: 2500 }));
      for (const letter of ['a', 'b', 'c']) await produce(name, batchOf([letter.repeat(1000)]));
      const frame = await reader.nextFrame();
      assert.ok(frame);
      const { body } = decodeResponse(apis.fetch, 11, frame);
      assert.equal(valuesIn(onlyPartition(body)).length, 3);
    });

    it('[A3] answers with nothing once the wait is over', async () => {
      const partition = await fetch({ fetchOffset: 5n, maxWaitMs: 100 });
      assert.equal(errorName(partition.errorCode), 'NONE');
      assert.equal(partition.records?.length, 0);
    });

    it('[A3] answers an error at once, however long the client would wait', async () => {
      const name = freshName();
      const id = await createTopic(client, name, { partitions: 2 });
      const request = fetchOf(name, id, { maxWaitMs: 60_000 });
      const missing = { partition: 1, fetchOffset: 7n, partitionMaxBytes: largest };
      const [first] = request.topics ?? [];
      const response = await client.call('fetch', 11, {
        ...request,
        topics: [{ ...first, partitions: [...(first?.partitions ?? []), missing] }],
      });
      assert.deepEqual(
        response.responses[0]?.partitions.map(({ errorCode }) => errorName(errorCode)),
        ['NONE', 'OFFSET_OUT_OF_RANGE'],
      );
    });

    it('[A3] waits on what is there beside a partition that is not', async () => {
      const name = freshName();
      const id = await createTopic(client, name);
      const request = fetchOf(name, id, { maxWaitMs: 30_000 });
      const missing = { partition: 5, fetchOffset: 0n, partitionMaxBytes: largest };
      const [first] = request.topics ?? [];
      const partitions = [...(first?.partitions ?? []), missing];
      const reader = await connect();
      reader.send('fetch', 11, { ...request, topics: [{ ...first, partitions }] });
      await produce(name, batchOf(['late']));
      const frame = await reader.nextFrame();
      assert.ok(frame);
      const { body } = decodeResponse(apis.fetch, 11, frame);
      const answers = body.responses.flatMap((each) => each.partitions);
      const found = answers.find(({ partitionIndex }) => partitionIndex === 0);
      assert.deepEqual(found && valuesIn(found), ['0:late']);
      const unknown = answers.find(({ partitionIndex }) => partitionIndex === 5);
      assert.equal(errorName(unknown?.errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
    });

    it('[A3] lets a waiting fetch go when the topic is deleted', async () => {
      const name = freshName();
      const id = await createTopic(client, name);
      const reader = await connect();
      reader.send('fetch', 11, fetchOf(name, id, { maxWaitMs: 60_000 }));
      await client.call('deleteTopics', 5, { topicNames: [name], timeoutMs: 10_000 });
      const frame = await reader.nextFrame();
      assert.ok(frame);
      const { body } = decodeResponse(apis.fetch, 11, frame);
      const error = errorName(onlyPartition(body).errorCode);
      assert.ok(['UNKNOWN_TOPIC_OR_PARTITION', 'NOT_LEADER_OR_FOLLOWER'].includes(error), error);
    });

    it('[A3] gives read_committed readers a list of aborted transactions, empty where none is', async () => {
      const partition = await fetch({ isolationLevel: 1 });
      assert.deepEqual(partition.abortedTransactions, []);
      assert.equal(valuesIn(partition).length, 5);
    });

    it('[A3] keeps records byte for byte, in every compression', async () => {
      const name = freshName();
      const id = await createTopic(client, name);
      const sent = (['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const).map((compression) =>
        batchOf(['x'.repeat(300), 'y'], { compression }),
      );
      for (const batch of sent) await produce(name, Buffer.from(batch));
      const { records } = onlyPartition(await client.call('fetch', 11, fetchOf(name, id, {})));
      const got = [...batches(records ?? Buffer.alloc(0))].map(({ bytes }) => bytes.subarray(16));
      assert.deepEqual(
        got,
        sent.map((batch) => batch.subarray(16)),
      );
    });
  });
}
