import assert from 'node:assert/strict';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, it } from 'mocha';
import { createTopic } from '../../src/client/admin/topics.ts';
import { KafkaClient } from '../../src/client/kafkaClient.ts';
import { KafkaError } from '../../src/client/kafkaError.ts';
import { partitionForKey } from '../../src/client/partitioner.ts';
import { PartitionReader, type ReaderEvent } from '../../src/client/partitionReader.ts';
import { produce, produceMany, type RecordToProduce } from '../../src/client/produce.ts';
import { readRange } from '../../src/client/readRange.ts';
import type { KafkaRecord } from '../../src/protocol/records/recordReader.ts';
import { forEachCluster, forEveryCluster, uniqueName } from './clusters.ts';

forEveryCluster('what is produced', (cluster) => {
  let client: KafkaClient;

  before(() => {
    client = new KafkaClient({ bootstrap: [cluster().bootstrap] });
  });
  after(() => client.dispose());

  const newTopic = async (
    configs: Record<string, string> = {},
    partitionCount = 1,
  ): Promise<string> => {
    const name = uniqueName('records');
    await createTopic(client, { name, partitionCount, replicationFactor: -1, configs });
    return name;
  };

  const difficult: Omit<RecordToProduce, 'topic'>[] = [
    { partition: 0, key: null, value: null, headers: [] },
    { partition: 0, key: bytes(''), value: bytes(''), headers: [] },
    {
      partition: 0,
      key: Buffer.from([0xff, 0xfe, 0x00]),
      value: Buffer.from([0xc3, 0x28]),
      headers: [
        { key: 'a', value: bytes('1') },
        { key: 'a', value: null },
        { key: '', value: bytes('') },
        { key: 'a', value: bytes('=1,2=') },
        { key: Buffer.from([0xff]), value: Buffer.from([0x80]) },
      ],
    },
    { partition: 0, key: bytes('k'), value: bytes('日本 🐙'), headers: [], timestamp: 0n },
    {
      partition: 0,
      key: bytes('k'),
      value: bytes('x'),
      headers: [],
      timestamp: 1_000_000_000_001n,
    },
  ];

  for (const compression of ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const) {
    it(`is read back byte for byte, in ${compression} [D5]`, async () => {
      const topic = await newTopic();
      await produceMany(client, topic, difficult, { compression });
      const read = await readAll(client, topic, BigInt(difficult.length));
      assert.deepEqual(
        read.map(({ key, value, headers }) => ({ key, value, headers })),
        difficult.map(({ key, value, headers }) => ({
          key,
          value,
          headers: headers.map((header) => ({
            key: Buffer.from(header.key),
            value: header.value,
          })),
        })),
      );
      assert.deepEqual(
        read.slice(3).map(({ timestamp }) => timestamp),
        [0n, 1_000_000_000_001n],
      );
    });
  }

  for (const acks of [-1, 1] as const) {
    it(`is acknowledged with its offset at acks ${acks} [E1]`, async () => {
      const topic = await newTopic();
      const record = { topic, partition: null, key: null, value: bytes('v'), headers: [] };
      assert.equal((await produce(client, record, { acks })).offset, 0n);
      const second = await produce(client, { ...record, timestamp: 5n }, { acks });
      assert.deepEqual(second, { partition: 0, offset: 1n, timestamp: 5n });
    });
  }

  it('is written at acks 0 too, though nobody says so [E1]', async () => {
    const topic = await newTopic();
    const record = { topic, partition: 0, key: null, value: bytes('v'), headers: [] };
    assert.equal((await produce(client, record, { acks: 0 })).offset, -1n);
    assert.equal((await produce(client, record)).offset, 1n);
  });

  it('has the broker’s timestamp on a LogAppendTime topic [E1]', async () => {
    const topic = await newTopic({ 'message.timestamp.type': 'LogAppendTime' });
    const record = { topic, partition: 0, key: null, value: bytes('v'), headers: [] };
    const { timestamp } = await produce(client, { ...record, timestamp: 1n });
    assert.ok(timestamp > 1n);
    const [read] = await readAll(client, topic, 1n);
    assert.equal(read?.timestamp, timestamp);
  });

  it('goes to the partition that kafkajs chooses for the key [E1]', async () => {
    const topic = await newTopic({}, 7);
    const kafka = new Kafka({ brokers: [cluster().bootstrap], logLevel: logLevel.NOTHING });
    const producer = kafka.producer();
    await producer.connect();
    const keys = ['a', 'ab', 'abc', 'abcd', 'O-1182', '日本', '', 'x'.repeat(100)];
    try {
      for (const key of keys) {
        const sent = await producer.send({ topic, messages: [{ key, value: 'v' }] });
        assert.equal(partitionForKey(bytes(key), 7), sent[0]?.partition, `key “${key}”`);
      }
    } finally {
      await producer.disconnect();
    }
  });

  it('is refused by name: too large, no such partition, no key on a compacted topic', async () => {
    const topic = await newTopic({ 'cleanup.policy': 'compact', 'max.message.bytes': '1000' });
    const record = { topic, partition: 0, key: bytes('k'), value: bytes('v'), headers: [] };
    await rejectsWith(
      produce(client, { ...record, value: Buffer.alloc(2000) }),
      'MESSAGE_TOO_LARGE',
    );
    await rejectsWith(produce(client, { ...record, partition: 3 }), 'UNKNOWN_TOPIC_OR_PARTITION');
    await rejectsWith(produce(client, { ...record, key: null }), 'INVALID_RECORD');
    await rejectsWith(
      produce(client, { ...record, topic: uniqueName('typo') }),
      'UNKNOWN_TOPIC_OR_PARTITION',
    );
  });
});

forEveryCluster('the reader', (cluster) => {
  let client: KafkaClient;
  let topic: string;

  before(async () => {
    client = new KafkaClient({ bootstrap: [cluster().bootstrap] });
    topic = uniqueName('reader');
    await createTopic(client, { name: topic, partitionCount: 2, replicationFactor: -1 });
    for (let batch = 0; batch < 3; batch++) {
      await produceMany(
        client,
        topic,
        Array.from({ length: 10 }, (_, index) => record(`${batch * 10 + index}`)),
      );
    }
  });
  after(() => client.dispose());

  it('begins in the middle of a batch where it is asked to, and says what batch it is from', async () => {
    const [first] = await collect(readRange(client, { topic, partition: 0, from: 13n, to: 30n }));
    assert.equal(first?.header.baseOffset, 10n);
    assert.equal(first.header.recordCount, 10);
    const offsets = [...first.records()].map(({ offset }) => offset);
    assert.deepEqual(offsets, [13n, 14n, 15n, 16n, 17n, 18n, 19n]);
  });

  it('ends at the end of the log without waiting for more', async () => {
    const batches = await collect(readRange(client, { topic, partition: 0, from: 0n, to: 30n }));
    assert.equal(batches.flatMap((batch) => [...batch.records()]).length, 30);
    assert.deepEqual(
      await collect(readRange(client, { topic, partition: 1, from: 0n, to: 100n })),
      [],
    );
  });

  it('says that a position is out of range, and stops there until told where to go on', async () => {
    const reader = new PartitionReader(client, { topic, maxWaitMs: 50 });
    try {
      reader.start(0, 31n);
      const event = await untilEvent(reader, 'outOfRange');
      assert.deepEqual(event, { kind: 'outOfRange', partition: 0, position: 31n });
      assert.deepEqual(reader.partitions, []);
      reader.start(0, 30n);
      await untilEvent(reader, 'fetched');
    } finally {
      reader.dispose();
    }
  });

  it('says where the log was cut off, told the epoch of what was read before (KIP-320)', async () => {
    const reader = new PartitionReader(client, { topic, maxWaitMs: 50 });
    try {
      // As if records 30 to 39 had been read from a leader that is gone.
      reader.start(0, 40n, 0);
      const event = await untilEvent(reader, 'outOfRange');
      assert.deepEqual(event, { kind: 'outOfRange', partition: 0, position: 40n, end: 30n });
    } finally {
      reader.dispose();
    }
  });

  it('brings what is produced while it waits', async () => {
    const reader = new PartitionReader(client, { topic, maxWaitMs: 5000 });
    try {
      reader.start(1, 0n);
      const waiting = untilEvent(reader, 'fetched');
      await produce(client, { ...record('late'), topic, partition: 1 });
      const event = await waiting;
      assert.ok(event.kind === 'fetched');
      const values = event.fetched.batches.flatMap((batch) => [...batch.records()]);
      assert.deepEqual(
        values.map(({ value }) => value?.toString()),
        ['late'],
      );
    } finally {
      reader.dispose();
    }
  });

  it('fails a partition for good where the topic is not there, and ends when nothing is left', async () => {
    const reader = new PartitionReader(client, { topic: uniqueName('gone'), maxWaitMs: 50 });
    try {
      reader.start(0, 0n);
      const event = await untilEvent(reader, 'failed');
      assert.ok(event.kind === 'failed' && event.error instanceof KafkaError);
      assert.equal(event.error.kafkaName, 'UNKNOWN_TOPIC_OR_PARTITION');
      assert.deepEqual(await reader.read(), []);
    } finally {
      reader.dispose();
    }
  });
});

forEachCluster(
  'transactions',
  (cluster) => {
    it('are told by their batches: data, its end as control batches, what was aborted [D6]', async () => {
      const client = new KafkaClient({ bootstrap: [cluster().bootstrap] });
      const topic = uniqueName('txn');
      try {
        await createTopic(client, { name: topic, partitionCount: 1, replicationFactor: -1 });
        await runTransactions(cluster().bootstrap, topic);
        const range = { topic, partition: 0, from: 0n, to: 4n } as const;
        const isolation = 'read_committed' as const;
        const batches = await collect(readRange(client, { ...range, isolation }));
        assert.deepEqual(
          batches.map(({ isControl, isAborted, header }) => [
            header.baseOffset,
            isControl,
            isAborted,
            header.isTransactional,
          ]),
          [
            [0n, false, true, true],
            [1n, true, false, true],
            [2n, false, false, true],
            [3n, true, false, true],
          ],
        );
      } finally {
        client.dispose();
      }
    });
  },
  'Kafka 4.4',
);

/** One aborted, one committed. */
async function runTransactions(bootstrap: string, topic: string): Promise<void> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const producer = kafka.producer({
    transactionalId: uniqueName('tx'),
    maxInFlightRequests: 1,
    idempotent: true,
  });
  await producer.connect();
  try {
    for (const outcome of ['abort', 'commit'] as const) {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ value: outcome }] });
      await transaction[outcome]();
    }
  } finally {
    await producer.disconnect();
  }
}

function bytes(text: string): Buffer {
  return Buffer.from(text);
}

function record(value: string): Omit<RecordToProduce, 'topic'> {
  return { partition: 0, key: null, value: bytes(value), headers: [] };
}

async function readAll(client: KafkaClient, topic: string, end: bigint): Promise<KafkaRecord[]> {
  const batches = await collect(readRange(client, { topic, partition: 0, from: 0n, to: end }));
  return batches.flatMap((batch) => [...batch.records()]);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function untilEvent(
  reader: PartitionReader,
  kind: ReaderEvent['kind'],
): Promise<ReaderEvent> {
  for (;;) {
    const events = await reader.read();
    const found = events.find((event) => event.kind === kind);
    if (found) return found;
    if (events.length === 0 && reader.partitions.length === 0) throw new Error(`no event ${kind}`);
  }
}

async function rejectsWith(promise: Promise<unknown>, kafkaName: string): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof KafkaError, String(error));
    assert.equal(error.kafkaName, kafkaName);
    return true;
  });
}
