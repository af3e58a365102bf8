// What a broker makes of a batch before it stores it: timestamps, codecs, refusals. Ours and Kafka's, side by side.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CompressionType } from '../../../src/protocol/records/compression.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import type {
  BatchOptions,
  RecordInput,
} from '../../../src/protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
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

const codecs: readonly CompressionType[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
const topicTypes = ['producer', 'uncompressed', 'gzip', 'snappy', 'lz4', 'zstd'];
/** Broker times are of this test's run; everything else is compared exactly. */
const nowMs = Date.now();

interface Case {
  readonly configs: Record<string, string>;
  readonly records: readonly RecordInput[];
  readonly batch?: BatchOptions;
  /** Applied to the finished batch. */
  readonly damage?: (batch: Buffer) => void;
}

function masked(timestamp: bigint): string {
  const isBrokerTime = timestamp >= BigInt(nowMs) && timestamp < BigInt(nowMs + 3_600_000);
  return isBrokerTime ? 'broker time' : String(timestamp);
}

/** Seconds before the run, so that it is never taken for a time of the broker. */
function ago(seconds: number): bigint {
  return BigInt(nowMs - seconds * 1000);
}

const someRecords: readonly RecordInput[] = [
  { timestamp: ago(30), key: Buffer.from('a'), value: Buffer.from('x'.repeat(200)) },
  { timestamp: ago(20), key: null, value: null, headers: [{ key: 'h', value: null }] },
  { timestamp: ago(40), key: Buffer.from('b'), value: Buffer.alloc(0) },
];

const clients = servers.map((server) => ({ server, connect: connections(server) }));

async function outcomeOf(client: RawClient, topic: string, given: Case): Promise<string[]> {
  const records = batchOf(given.records, given.batch);
  given.damage?.(records);
  const topicId = await createTopic(client, topic, { configs: given.configs });
  const { responses } = await client.call('produce', 13, {
    acks: -1,
    timeoutMs: 10_000,
    topicData: [{ topicId, partitionData: [{ index: 0, records }] }],
  });
  const answer = responses[0]?.partitionResponses[0];
  assert.ok(answer);
  const { errorCode, baseOffset, logAppendTimeMs, recordErrors, errorMessage } = answer;
  const inWords = (text: string | null | undefined): string =>
    (text ?? '')
      .replaceAll(topic, 'TOPIC')
      .replace(/-?\d{13,}/g, 'TIME')
      // Kafka puts the single errors into the sum as well.
      .replace(/, and only showing the first three.*$/, '')
      // Kafka shows the record as Java prints it.
      .replace(/^Invalid timestamp type in message .*\. (?=Producer)/, '');
  // Where no record is to blame Kafka says nothing, and we say why.
  const words = recordErrors.length > 0 ? inWords(errorMessage) : '';
  const lines = [
    `${errorName(errorCode)} ${baseOffset} ${masked(logAppendTimeMs)} ${words}`,
    ...recordErrors.map((each) => `${each.batchIndex} ${inWords(each.batchIndexErrorMessage)}`),
  ];
  return errorCode === 0 ? [...lines, ...(await storedIn(client, topicId))] : lines;
}

async function storedIn(client: RawClient, topicId: string): Promise<string[]> {
  const partition = { partition: 0, fetchOffset: 0n, partitionMaxBytes: 1 << 20 };
  const { responses } = await client.call('fetch', 13, {
    replicaId: -1,
    maxWaitMs: 500,
    minBytes: 1,
    maxBytes: 1 << 20,
    sessionId: 0,
    sessionEpoch: -1,
    topics: [{ topicId, partitions: [partition] }],
  });
  const records = responses[0]?.partitions[0]?.records ?? Buffer.alloc(0);
  return [...batches(records)].flatMap((batch) => {
    const { header } = batch;
    const size = header.compression === 'none' ? [header.sizeInBytes] : [];
    const times = [header.baseTimestamp, header.maxTimestamp].map(masked);
    return [
      [header.attributes, header.lastOffsetDelta, header.recordCount, ...times, ...size].join(' '),
      [header.producerId, header.producerEpoch, header.baseSequence].join(' '),
      ...[...readRecords(batch)].map((each) =>
        JSON.stringify([
          String(each.offset),
          masked(each.timestamp),
          each.key?.toString() ?? null,
          each.value?.toString() ?? null,
          each.headers.length,
        ]),
      ),
    ];
  });
}

async function compare(cases: Readonly<Record<string, Case>>): Promise<Map<string, string[]>> {
  const outcomes = await Promise.all(
    clients.map(async ({ connect }) => {
      const client = await connect();
      const found = new Map<string, string[]>();
      for (const [name, given] of Object.entries(cases))
        found.set(name, await outcomeOf(client, freshName('stored'), given));
      return found;
    }),
  );
  const [ours, kafkas] = outcomes;
  assert.ok(ours && kafkas);
  for (const name of ours.keys()) assert.deepEqual(ours.get(name), kafkas.get(name), name);
  return ours;
}

describe('A batch as it is stored, and as Kafka 4.4 stores it', function () {
  this.timeout(patienceMs);

  for (const type of ['CreateTime', 'LogAppendTime'])
    it(`[A3] with ${type}, from every codec to every compression.type`, async () => {
      const pairs = topicTypes.flatMap((target) => codecs.map((codec) => ({ target, codec })));
      const cases = pairs.map(({ target, codec }): [string, Case] => [
        `${codec} to ${target}`,
        {
          configs: { 'compression.type': target, 'message.timestamp.type': type },
          records: someRecords,
          batch: { compression: codec },
        },
      ]);
      const outcomes = await compare(Object.fromEntries(cases));
      for (const [name, [answer]] of outcomes) assert.match(answer ?? '', /^NONE 0 /, name);
    });

  it('[A3] with levels, and an idempotent producer that is kept through compression', async () => {
    await compare({
      gzip: {
        configs: { 'compression.type': 'gzip', 'compression.gzip.level': '9' },
        records: someRecords,
      },
      zstd: {
        configs: { 'compression.type': 'zstd', 'compression.zstd.level': '-5' },
        records: someRecords,
        batch: { compression: 'lz4' },
      },
      producer: {
        configs: { 'compression.type': 'snappy' },
        records: someRecords,
        batch: { producerId: 4711n, producerEpoch: 3, baseSequence: 0 },
      },
    });
  });

  it('[A3] refused for its timestamps, its keys, or as the work of a broker', async () => {
    const bounds = {
      'message.timestamp.before.max.ms': '60000',
      'message.timestamp.after.max.ms': '60000',
    };
    const at = (...seconds: number[]): RecordInput[] =>
      seconds.map((each) => ({ timestamp: ago(each), key: Buffer.from('k'), value: null }));
    const outcomes = await compare({
      'too old': { configs: bounds, records: at(30, 90, 20) },
      'too old, compressed': {
        configs: bounds,
        records: at(90, 1),
        batch: { compression: 'zstd' },
      },
      'too new': { configs: bounds, records: at(-3600) },
      'no timestamp': { configs: bounds, records: [{ key: Buffer.from('k'), value: null }] },
      'within bounds': { configs: bounds, records: at(30, 50) },
      'too old, but the broker sets the time': {
        configs: { ...bounds, 'message.timestamp.type': 'LogAppendTime' },
        records: at(90),
      },
      'an hour and more ahead': { configs: {}, records: at(-7200) },
      'set by a broker': { configs: {}, records: at(10), batch: { logAppendTime: ago(10) } },
      'set by a broker, for a broker': {
        configs: { 'message.timestamp.type': 'LogAppendTime' },
        records: at(10),
        batch: { logAppendTime: ago(10) },
      },
      'without key where keys are needed': {
        configs: { 'cleanup.policy': 'compact' },
        records: [...at(10), { timestamp: ago(10), key: null, value: Buffer.from('v') }],
      },
      'without key and too old': {
        configs: { ...bounds, 'cleanup.policy': 'compact,delete' },
        records: [{ timestamp: ago(90), key: null, value: Buffer.from('v') }, ...at(90, 10)],
      },
    });
    assert.match(outcomes.get('too old')?.[0] ?? '', /^INVALID_TIMESTAMP/);
    assert.match(outcomes.get('without key and too old')?.[1] ?? '', /^0 /);
  });

  it('[A3] refused for its size once it is compressed as the topic says', async () => {
    const value = Buffer.from('x'.repeat(5000));
    const small = { 'max.message.bytes': '1000' };
    const records = [{ timestamp: ago(1), key: null, value }];
    await compare({
      'grows beyond the limit': {
        configs: { ...small, 'compression.type': 'uncompressed' },
        records,
        batch: { compression: 'gzip' },
      },
      'would fit': { configs: { ...small, 'compression.type': 'gzip' }, records },
      'fits as it is': { configs: small, records, batch: { compression: 'gzip' } },
    });
  });

  it('[A3] with damaged contents', async () => {
    const damaged = (batch: Buffer): void => {
      batch[batch.length - 3] = (batch[batch.length - 3] ?? 0) ^ 0xff;
    };
    await compare({
      'a checksum that does not match': { configs: {}, records: someRecords, damage: damaged },
    });
  });
});
