// Produce: what is taken, what is refused, and what then lies in the log.
import { crc32c } from '../../../src/protocol/crc32c.ts';
import { batchHeaderBytes } from '../../../src/protocol/records/recordBatch.ts';
import type { CompressionType } from '../../../src/protocol/records/compression.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { batchOf, longAgo, produceTo, unknownTopicId } from '../support/requests.ts';

const crcAt = 17;
const checkedFrom = 21;

/** A batch changed where `change` says, with a checksum that is right. */
function changed(change: (batch: Buffer) => void, batch = batchOf(['a', 'b'])): Buffer {
  change(batch);
  batch.writeUInt32BE(crc32c(batch.subarray(checkedFrom)), crcAt);
  return batch;
}

const onlyHeader = changed(
  (batch) => {
    batch.writeInt32BE(batchHeaderBytes - 12, 8);
    batch.writeInt32BE(0, 57);
  },
  batchOf(['a']),
).subarray(0, batchHeaderBytes);

const badBatches: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'a few bytes': Buffer.alloc(10, 1),
  'two batches': Buffer.concat([batchOf(['a']), batchOf(['b'])]),
  'a batch and half of another': Buffer.concat([batchOf(['a']), batchOf(['b']).subarray(0, 40)]),
  'a batch and part of one of format 1': Buffer.concat([
    batchOf(['a']),
    changed((batch) => batch.writeInt8(1, 16)).subarray(0, 40),
  ]),
  'part of a batch of format 0': changed((batch) => batch.writeInt8(0, 16)).subarray(0, 40),
  'half a batch': batchOf(['a', 'b']).subarray(0, 65),
  'a wrong checksum': (() => {
    const batch = batchOf(['a']);
    batch.writeUInt8(batch.readUInt8(batch.length - 1) ^ 1, batch.length - 1);
    return batch;
  })(),
  'magic 3': changed((batch) => batch.writeInt8(3, 16)),
  'magic 0': changed((batch) => batch.writeInt8(0, 16)),
  'a base offset': changed((batch) => batch.writeBigInt64BE(5n, 0)),
  'a count too high': changed((batch) => batch.writeInt32BE(3, 57)),
  'a count too low': changed((batch) => batch.writeInt32BE(1, 57)),
  'a count below zero': changed((batch) => batch.writeInt32BE(-1, 57)),
  'a last offset delta too high': changed((batch) => batch.writeInt32BE(5, 23)),
  'a last offset delta too low': changed((batch) => batch.writeInt32BE(0, 23)),
  'a control batch': changed((batch) => batch.writeInt16BE(0x20, 21)),
  'a codec that is not there': changed((batch) => batch.writeInt16BE(6, 21)),
  'gzip that is not gzip': changed((batch) => batch.writeInt16BE(1, 21)),
  'snappy that is not snappy': changed((batch) => batch.writeInt16BE(2, 21)),
  'lz4 that is not lz4': changed((batch) => batch.writeInt16BE(3, 21)),
  'zstd that is not zstd': changed((batch) => batch.writeInt16BE(4, 21)),
  'log append time': changed((batch) => batch.writeInt16BE(8, 21)),
  'a batch length below zero': changed((batch) => batch.writeInt32BE(-1, 8)),
  'a batch length too high': changed((batch) => batch.writeInt32BE(10_000, 8)),
  'no records': onlyHeader,
  'a producer id without epoch': changed((batch) => batch.writeBigInt64BE(5n, 43)),
  'a sequence without producer': changed((batch) => batch.writeInt32BE(5, 53)),
};

const codecs: readonly CompressionType[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** Sends to a new topic with the configs, at the latest version. */
async function toTopicWith(
  run: Run,
  configs: Record<string, string>,
  batches: Readonly<Record<string, Buffer>>,
): Promise<void> {
  const topic = await run.topic({ configs });
  for (const [label, batch] of Object.entries(batches)) await send(run, topic, batch, label);
}

async function send(run: Run, topic: Topic, batch: Buffer | null, label = ''): Promise<void> {
  const version = run.latest('produce');
  await run.closing('produce', version, produceTo(topic, version, batch), label);
}

export const produceScenarios: Scenarios = {
  async 'a batch at every version, with acks 1 and all'(run) {
    const topic = await run.topic();
    for (const acks of [1, -1])
      await run.each('produce', (version) =>
        produceTo(topic, version, batchOf(['a', 'b']), { acks }),
      );
  },

  async 'every codec at every version'(run) {
    const topic = await run.topic();
    for (const compression of codecs)
      await run.each(
        'produce',
        (version) => produceTo(topic, version, batchOf(['a'.repeat(99), 'b'], { compression })),
        compression,
      );
  },

  async 'topics, partitions and ids that are not there'(run) {
    const topic = await run.topic();
    const unknown = { name: run.fresh(), id: unknownTopicId };
    await run.each('produce', (version) => produceTo(unknown, version, batchOf(['a'])));
    for (const index of [1, -1, 99])
      await run.each(
        'produce',
        (version) => produceTo(topic, version, batchOf(['a']), { index }),
        `${index}`,
      );
    for (const name of ['', 'a b', '.'])
      await run.ask('produce', 9, produceTo({ name, id: '' }, 9, batchOf(['a'])), { label: name });
  },

  async 'acks that do not exist'(run) {
    const topic = await run.topic();
    for (const acks of [2, -2, 7])
      await run.each(
        'produce',
        (version) => produceTo(topic, version, batchOf(['a']), { acks }),
        `${acks}`,
      );
  },

  async 'acks 0 gets no answer, and a closed connection for an error'(run) {
    const unknown = { name: run.fresh(), id: unknownTopicId };
    for (const version of run.versions('produce'))
      await run.closing(
        'produce',
        version,
        produceTo(unknown, version, batchOf(['a']), { acks: 0 }),
      );
  },

  async 'internal topics are not for clients'(run) {
    const group = run.fresh('group');
    await run.until(
      ['findCoordinator', 4, { keyType: 0, coordinatorKeys: [group] }],
      ({ coordinators: [found] }) => found?.errorCode === 0,
    );
    const { topics } = await run.prepare('metadata', 12, {
      topics: [{ name: '__consumer_offsets' }],
    });
    const internal = { name: '__consumer_offsets', id: topics[0]?.topicId ?? '' };
    await run.each('produce', (version) => produceTo(internal, version, batchOf(['a'])));
  },

  async 'batches that are not what they say'(run) {
    for (const [label, batch] of Object.entries(badBatches)) {
      const topic = await run.topic();
      for (const version of [3, 8, run.latest('produce')])
        await run.closing('produce', version, produceTo(topic, version, batch), label);
    }
  },

  async 'one bad partition does not harm another'(run) {
    const topic = await run.topic({ partitions: 3 });
    await run.each('produce', (version) => ({
      acks: -1,
      timeoutMs: 10_000,
      topicData: [
        {
          ...(version >= 13 ? { topicId: topic.id } : { name: topic.name }),
          partitionData: [
            { index: 0, records: batchOf(['a']) },
            { index: 1, records: badBatches['a wrong checksum'] ?? null },
            { index: 2, records: batchOf(['b']) },
            { index: 3, records: batchOf(['c']) },
          ],
        },
      ],
    }));
  },

  async 'max.message.bytes and segment.bytes'(run) {
    const small = batchOf(['a'.repeat(200)]);
    const large = batchOf(['a'.repeat(2000)]);
    await toTopicWith(run, { 'max.message.bytes': '1000' }, { small, large });
    const packed = batchOf(['a'.repeat(20_000)], { compression: 'gzip' });
    await toTopicWith(run, { 'max.message.bytes': '1000' }, { packed });
    const huge = batchOf(['a'.repeat(1_100_000)]);
    await toTopicWith(run, {}, { huge });
    const configs = { 'max.message.bytes': '5000000', 'segment.bytes': '1048576' };
    await toTopicWith(run, configs, { huge, small });
    await toTopicWith(run, { 'max.message.bytes': '0' }, { small });
  },

  async 'max.decompressed.message.bytes'(run) {
    const [small, large] = ['a'.repeat(200), 'a'.repeat(2000)];
    const batches = codecs.flatMap((compression) => [
      [`${compression}, small`, batchOf([small, small], { compression })] as const,
      [`${compression}, large`, batchOf([small, large, small], { compression })] as const,
    ]);
    const configs = { 'max.decompressed.message.bytes': '1000' };
    await toTopicWith(run, configs, Object.fromEntries(batches));
    const recoded = { ...configs, 'compression.type': 'gzip' };
    await toTopicWith(run, recoded, Object.fromEntries(batches));
    const topic = await run.topic({ configs });
    const packed = batchOf([large], { compression: 'gzip' });
    await run.each('produce', (version) => produceTo(topic, version, packed));
  },

  async 'a compacted topic needs keys'(run) {
    const configs = { 'cleanup.policy': 'compact' };
    const keyed = batchOf([{ key: Buffer.from('k'), value: Buffer.from('v') }]);
    const mixed = batchOf([{ key: Buffer.from('k'), value: null }, 'no key', 'nor this']);
    const topic = await run.topic({ configs });
    await run.each('produce', (version) => produceTo(topic, version, mixed), 'mixed');
    await run.each('produce', (version) => produceTo(topic, version, keyed), 'keyed');
    const packed = batchOf(['no key'], { compression: 'lz4' });
    await send(run, topic, packed, 'packed');
  },

  async 'timestamps too far from now'(run) {
    const now = BigInt(Date.now());
    const at = (timestamp: bigint) => batchOf([{ timestamp, value: Buffer.from('a') }]);
    await toTopicWith(run, {}, { future: at(now + 7_200_000n * 24n), 'no time': at(-1n) });
    await toTopicWith(run, { 'message.timestamp.before.max.ms': '1000' }, { past: at(longAgo) });
    await toTopicWith(
      run,
      { 'message.timestamp.after.max.ms': '9000000000000' },
      { future: at(now + 7_200_000n) },
    );
    const topic = await run.topic({ configs: { 'message.timestamp.before.max.ms': '1000' } });
    await run.each('produce', (version) => produceTo(topic, version, batchOf(['a', 'b'])));
  },

  async 'times of before all time'(run) {
    const at = (...timestamps: bigint[]) =>
      batchOf(timestamps.map((timestamp) => ({ timestamp, value: Buffer.from('a') })));
    const batches = { one: at(-5n), two: at(-5n, -2n), 'and no time': at(-5n, -1n) };
    for (const codec of ['producer', 'gzip', 'zstd'])
      await toTopicWith(run, { 'compression.type': codec }, batches);
    await toTopicWith(run, { 'message.timestamp.type': 'LogAppendTime' }, batches);
  },

  async 'attributes that mean nothing'(run) {
    const withBits = (bits: number) => changed((batch) => batch.writeInt16BE(bits, 21));
    const batches = { 'bit 7': withBits(0x80), 'bit 15': withBits(-0x8000) };
    for (const type of ['CreateTime', 'LogAppendTime'])
      await toTopicWith(run, { 'message.timestamp.type': type }, batches);
  },

  async 'log append time'(run) {
    const configs = { 'message.timestamp.type': 'LogAppendTime' };
    const topic = await run.topic({ configs });
    await run.each('produce', (version) => produceTo(topic, version, batchOf(['a', 'b'])));
    await send(run, topic, batchOf(['a'], { compression: 'gzip' }));
  },

  async 'a topic with a codec of its own'(run) {
    for (const codec of ['uncompressed', 'gzip', 'lz4', 'snappy', 'zstd'])
      await toTopicWith(
        run,
        { 'compression.type': codec },
        Object.fromEntries(
          codecs.map((compression) => [
            compression,
            batchOf(['a'.repeat(99), 'b'], { compression }),
          ]),
        ),
      );
  },

  async 'min.insync.replicas above what there is'(run) {
    const topic = await run.topic({ configs: { 'min.insync.replicas': '2' } });
    await run.each('produce', (version) => produceTo(topic, version, batchOf(['a'])), 'all');
    await run.each(
      'produce',
      (version) => produceTo(topic, version, batchOf(['a']), { acks: 1 }),
      'one',
    );
  },

  async 'headers, tombstones and empty values'(run) {
    const headers = [
      { key: 'h', value: Buffer.from('1') },
      { key: 'h', value: null },
      { key: '', value: Buffer.alloc(0) },
    ];
    const topic = await run.topic();
    await send(
      run,
      topic,
      batchOf([
        { key: Buffer.from('k'), value: null, headers },
        { key: Buffer.alloc(0), value: Buffer.alloc(0) },
        { key: null, value: null },
      ]),
    );
  },

  async 'a batch of a transaction in a request without transactional id'(run) {
    const topic = await run.topic({ partitions: 2 });
    const sender = { producerId: 7n, producerEpoch: 0, baseSequence: 0, isTransactional: true };
    const requestOf = (version: number, batches: readonly Buffer[], acks = -1) => ({
      acks,
      timeoutMs: 10_000,
      topicData: [
        {
          ...(version >= 13 ? { topicId: topic.id } : { name: topic.name }),
          partitionData: batches.map((records, index) => ({ index, records })),
        },
      ],
    });
    const [plain, transactional] = [batchOf(['a']), batchOf(['b'], sender)];
    const corrupt = badBatches['magic 3'] ?? plain;
    const asked = {
      'the only one': [transactional],
      'beside another': [plain, transactional],
      'of no producer': [batchOf(['c'], { isTransactional: true })],
      'before what is no batch': [transactional, corrupt],
      'after what is no batch': [corrupt, transactional],
      'none, beside what is no batch': [plain, corrupt],
    };
    for (const [label, batches] of Object.entries(asked))
      await run.each('produce', (version) => requestOf(version, batches), label);
    await run.closing('produce', 9, requestOf(9, [transactional], 0), 'acks 0');
  },

  async 'a request for nothing'(run) {
    await run.each('produce', () => ({ acks: -1, timeoutMs: 1000, topicData: [] }));
    const { name, id } = await run.topic();
    await run.each('produce', (version) => ({
      acks: -1,
      timeoutMs: 1000,
      topicData: [{ ...(version >= 13 ? { topicId: id } : { name }), partitionData: [] }],
    }));
  },
};
