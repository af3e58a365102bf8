import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { PartitionReader, type ReaderEvent } from '../../../src/client/partitionReader.ts';
import { readRange } from '../../../src/client/readRange.ts';
import type { ResponseOf } from '../../../src/client/request.ts';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { ManualClock } from '../../support/manualClock.ts';
import {
  allVersions,
  type Reaction,
  type Script,
  ScriptedBroker,
} from '../../support/scriptedBroker.ts';
import { until } from '../../support/until.ts';

type FetchedPartition = ResponseOf<'fetch'>['responses'][number]['partitions'][number];

const oneRecord = [{ key: null, value: Buffer.from('a'), headers: [], timestamp: 1n }];
const batch = buildRecordBatch({ records: oneRecord, compression: 'none' });

const found: Partial<FetchedPartition> = { records: batch, highWatermark: 1n };
const nothing: Partial<FetchedPartition> = { records: null, highWatermark: 0n };

/** An answer to a fetch of one topic. */
const fetched = (...partitions: readonly Partial<FetchedPartition>[]): Reaction<'fetch'> => ({
  responses: [
    {
      topic: 'orders',
      topicId: Buffer.alloc(16, 'orders').toString('base64url'),
      partitions: partitions.map((partition, partitionIndex) => ({
        ...({
          partitionIndex,
          errorCode: 0,
          lastStableOffset: -1n,
          logStartOffset: 0n,
          abortedTransactions: null,
          preferredReadReplica: -1,
          divergingEpoch: { epoch: -1, endOffset: -1n },
        } as FetchedPartition),
        ...partition,
      })),
    },
  ],
});

describe('reading partitions', () => {
  let broker: ScriptedBroker;
  let client: KafkaClient;

  afterEach(() => {
    client.dispose();
    broker.dispose();
  });

  const serve = async (
    fetch: Script['fetch'],
    more: Script = {},
    clock: Clock = systemClock,
  ): Promise<void> => {
    const metadata = (): Reaction<'metadata'> => broker.metadata({ orders: 1 });
    broker = await ScriptedBroker.start({ metadata, fetch, ...more });
    client = new KafkaClient({ bootstrap: [broker.address], clock, connectTimeoutMs: 3_600_000 });
  };

  const tooMany = (): string => `${broker.connections} connections are open`;

  const offsetsIn = async (to: bigint): Promise<bigint[]> => {
    const offsets: bigint[] = [];
    for await (const { header } of readRange(client, {
      ...{ topic: 'orders', partition: 0, from: 0n, to },
    })) {
      offsets.push(header.baseOffset);
    }
    return offsets;
  };

  it('tells of trouble, and goes on: a leader that moves ends no range early', async () => {
    let fetches = 0;
    await serve(() =>
      ++fetches === 1
        ? fetched({ ...nothing, errorCode: errorCodes.NOT_LEADER_OR_FOLLOWER })
        : fetched(found),
    );
    assert.deepEqual(await offsetsIn(1n), [0n]);
  });

  it('leaves no connection behind, wherever its reader stops', async () => {
    await serve(() => fetched(found));
    for (let times = 0; times < 3; times++) await offsetsIn(1n);
    await until(() => broker.connections <= 1, tooMany);
    // The main lane's, which was opened before.
    assert.equal(broker.connections, 1);
  });

  it('leaves no connection behind that was being opened when its reader was disposed', async () => {
    let connections = 0;
    const apiVersions: Script['apiVersions'] = () =>
      ++connections > 1 ? 'silence' : allVersions();
    await serve(() => 'silence', { apiVersions });
    await client.topic('orders');
    const before = broker.accepted;
    const reader = new PartitionReader(client, { topic: 'orders' });
    reader.start(0, 0n);
    const reading = reader.read();
    await until(
      () => broker.accepted > before,
      () => 'no connection for the reader',
    );
    reader.dispose();
    assert.deepEqual(await reading, []);
    await until(() => broker.connections === 1, tooMany);
  });

  it('always has something to tell while it reads', async () => {
    let fetches = 0;
    // A fetch whose size others have used up leaves partitions out. [FetchRequest.maxBytes]
    await serve(() => (++fetches === 1 ? fetched() : fetched(nothing)));
    const reader = new PartitionReader(client, { topic: 'orders' });
    reader.start(0, 0n);
    const events = await reader.read();
    assert.deepEqual(kinds(events), ['fetched']);
    reader.dispose();
  });

  const batchAt = (baseOffset: bigint, partitionLeaderEpoch: number): Buffer =>
    buildRecordBatch({
      ...{ records: oneRecord, compression: 'none', baseOffset, partitionLeaderEpoch },
    });

  it('fails a partition whose offsets go back, as it would read in circles', async () => {
    const records = Buffer.concat([batchAt(100n, 0), batchAt(50n, 0)]);
    await serve(() => fetched({ ...found, records }));
    await assert.rejects(offsetsIn(200n), /a batch at offset 50 out of order/);
  });

  it('tells where the log was cut off by a new leader, from the epoch of what it read last (KIP-320)', async () => {
    const epochs: number[] = [];
    await serve(({ topics: [topic] }) => {
      const { lastFetchedEpoch = -2 } = topic?.partitions[0] ?? {};
      epochs.push(lastFetchedEpoch);
      if (lastFetchedEpoch < 0) return fetched({ ...found, records: batchAt(41n, 6) });
      return fetched({ ...nothing, divergingEpoch: { epoch: 5, endOffset: 30n } });
    });
    const reader = new PartitionReader(client, { topic: 'orders' });
    reader.start(0, 0n);
    assert.deepEqual(kinds(await reader.read()), ['fetched']);
    const cut = { kind: 'outOfRange', partition: 0, position: 42n, end: 30n };
    assert.deepEqual(await reader.read(), [cut]);
    assert.deepEqual(reader.partitions, []);
    assert.deepEqual(epochs, [-1, 6]);
    reader.dispose();
  });

  it('goes on where a leader has other records up to the position, and none of them is cut off (KIP-320)', async () => {
    const epochs: number[] = [];
    await serve(({ topics: [topic] }) => {
      const { lastFetchedEpoch = -2, fetchOffset = 0n } = topic?.partitions[0] ?? {};
      epochs.push(lastFetchedEpoch);
      if (lastFetchedEpoch >= 0)
        return fetched({ ...nothing, divergingEpoch: { epoch: 5, endOffset: fetchOffset + 9n } });
      return fetched({ ...found, records: batchAt(fetchOffset, 6) });
    });
    assert.deepEqual(await offsetsIn(3n), [0n, 1n, 2n]);
    assert.deepEqual(epochs.slice(0, 3), [-1, 6, -1]);
  });

  it('asks without the epoch where a leader has forgotten it, before a position counts as out of range', async () => {
    const epochs: number[] = [];
    await serve(({ topics: [topic] }) => {
      const { lastFetchedEpoch = -2, fetchOffset = 0n } = topic?.partitions[0] ?? {};
      epochs.push(lastFetchedEpoch);
      if (lastFetchedEpoch >= 0)
        return fetched({ ...nothing, errorCode: errorCodes.OFFSET_OUT_OF_RANGE });
      return fetched({ ...found, records: batchAt(fetchOffset, 6) });
    });
    assert.deepEqual(await offsetsIn(3n), [0n, 1n, 2n]);
    assert.deepEqual(epochs.slice(0, 3), [-1, 6, -1]);
  });

  it('asks no more while its caller pauses, whatever fails: no trouble piles up', async () => {
    let fetches = 0;
    const fetch = (): Reaction<'fetch'> => {
      fetches++;
      return fetched({ ...nothing, errorCode: errorCodes.NOT_LEADER_OR_FOLLOWER });
    };
    const clock = new ManualClock(0);
    await serve(fetch, {}, clock);
    const reader = new PartitionReader(client, { topic: 'orders' });
    reader.start(0, 0n);
    assert.deepEqual(kinds(await reader.read()), ['trouble']);
    const pass = async (): Promise<void> => {
      clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const fetchedTimes = async (count: number): Promise<void> => {
      while (fetches < count) await pass();
      // Long enough for a few more, were any to come.
      for (let times = 0; times < 30; times++) await pass();
      assert.equal(fetches, count);
    };
    await fetchedTimes(2);
    assert.deepEqual(kinds(await reader.read()), ['trouble']);
    await fetchedTimes(3);
    reader.dispose();
  });
});

function kinds(events: readonly ReaderEvent[]): string[] {
  return events.map(({ kind }) => kind);
}
