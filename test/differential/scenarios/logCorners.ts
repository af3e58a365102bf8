// Where Kafka's log does what its rules alone do not tell: what searches never look at, and what records are not read
// for.
import { errorByCode } from '../../../src/protocol/errors.ts';
import {
  compress,
  compressionId,
  type CompressionType,
} from '../../../src/protocol/records/compression.ts';
import {
  batchHeaderBytes,
  readBatchHeader,
  writeBatchHeader,
} from '../../../src/protocol/records/recordBatch.ts';
import { createTopic } from '../../wire/broker/support/servers.ts';
import { changing, describing, types } from '../support/configRequests.ts';
import { batchOf, fetchFrom, longAgo, produce, produceTo } from '../support/requests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { add, begin, end, sendOf } from '../support/transactionRequests.ts';

const codecs = ['gzip', 'snappy', 'lz4', 'zstd'] as const;
const readCommitted = 1;

/** A batch that holds something else, and says that it is in this codec. */
function holding(batch: Buffer, compression: CompressionType, payload: Buffer): Buffer {
  const bytes = Buffer.concat([batch.subarray(0, batchHeaderBytes), payload]);
  writeBatchHeader(bytes, { ...readBatchHeader(batch), compression: compressionId(compression) });
  return bytes;
}

/** Records as they are, compressed after a change. */
function compressedAfter(compression: CompressionType, change: (records: Buffer) => void): Buffer {
  const batch = batchOf(['abc', 'def']);
  const records = Buffer.from(batch.subarray(batchHeaderBytes));
  change(records);
  return holding(batch, compression, compress(compression, records));
}

/** A record says that it is a byte shorter than it is. */
const lyingLength = (compression: CompressionType): Buffer =>
  compressedAfter(compression, (records) => records.writeUInt8(records.readUInt8(0) - 2, 0));

const withBytesBehind = (compression: CompressionType): Buffer => {
  const batch = batchOf(['abc']);
  const records = compress(compression, batch.subarray(batchHeaderBytes));
  return holding(batch, compression, Buffer.concat([records, Buffer.alloc(3, 1)]));
};

const oneOffsetFurther = (compression: CompressionType): Buffer =>
  batchOf([{ key: Buffer.from('k'), offsetDelta: 1 }], { compression, lastOffsetDelta: 0 });

const lastTime = 2n ** 63n - 1n;
const longAfter = 4_000_000_000_000n;

/** The records' times count from another. */
function from(baseTimestamp: bigint, batch: Buffer): Buffer {
  const header = readBatchHeader(batch);
  const compression = compressionId(header.compression);
  writeBatchHeader(batch, { ...header, compression, baseTimestamp });
  return batch;
}

/** To a new topic, at versions before and after ids. */
async function sendAll(
  run: Run,
  batches: Readonly<Record<string, Buffer>>,
  configs: Record<string, string> = {},
): Promise<void> {
  const topic = await run.topic({ configs });
  for (const [label, batch] of Object.entries(batches))
    for (const version of [3, 7, run.latest('produce')])
      await run.ask('produce', version, produceTo(topic, version, batch), { label });
}

async function listedAt(run: Run, { name }: Topic, times: readonly bigint[]): Promise<void> {
  for (const timestamp of times)
    await run.each(
      'listOffsets',
      () => ({
        replicaId: -1,
        topics: [{ name, partitions: [{ partitionIndex: 0, timestamp }] }],
      }),
      `${timestamp - longAgo} later`,
    );
}

const at = (afterMs: bigint): Buffer => batchOf([{ timestamp: longAgo + afterMs }]);

export const logCornerScenarios: Scenarios = {
  async 'markers where the time is that of appending'(run) {
    const topic = await run.topic({ configs: { 'message.timestamp.type': 'LogAppendTime' } });
    for (const isCommitted of [true, false]) {
      const identity = await begin(run);
      await add(run, identity, topic);
      await run.ask('produce', 11, sendOf(identity, topic, 11));
      await end(run, identity, isCommitted);
    }
    await run.each('fetch', (version) => fetchFrom(topic, version));
  },

  async 'ListOffsets by time looks at one segment, also where the log starts behind it'(run) {
    const topic = await run.topic({ configs: { 'segment.ms': '1000' } });
    for (const afterMs of [0n, 1n, 5000n, 5001n]) await produce(run, topic, at(afterMs));
    await listedAt(run, topic, [longAgo, longAgo + 2n]);
    const partitions = [{ partitionIndex: 0, offset: 2n }];
    await run.last('deleteRecords', {
      topics: [{ name: topic.name, partitions }],
      timeoutMs: 9000,
    });
    await listedAt(run, topic, [longAgo, longAgo + 1n, longAgo + 2n, longAgo + 5001n]);
  },

  async 'ListOffsets by time goes by the file where a segment has no time'(run) {
    const configs = { 'segment.index.bytes': '12', 'index.interval.bytes': '0' };
    const topic = await run.topic({ configs });
    for (let n = 0; n < 2; n++) await produce(run, topic, batchOf([{ timestamp: -1n }]));
    await produce(run, topic, at(0n));
    await listedAt(run, topic, [longAgo - 1n, longAgo, longAgo + 1n]);
  },

  async 'ListOffsets by time among records that are larger than is allowed by now'(run) {
    const topic = await run.topic();
    const values = Array.from({ length: 3 }, () => 'a'.repeat(200));
    await produce(run, topic, batchOf(values, { compression: 'gzip' }));
    const smaller = ['max.decompressed.message.bytes', 'set', '150'] as const;
    await run.last('incrementalAlterConfigs', changing(types.topic, topic.name, [smaller]));
    await run.until(
      ['describeConfigs', 4, describing(types.topic, topic.name, [smaller[0]])],
      ({ results }) => results[0]?.configs[0]?.value === '150',
    );
    const topics = [
      { name: topic.name, partitions: [{ partitionIndex: 0, timestamp: longAgo + 2n }] },
    ];
    for (const version of run.versions('listOffsets')) {
      const answer = await run.prepare('listOffsets', version, { replicaId: -1, topics });
      const { errorCode = -1 } = answer.topics[0]?.partitions[0] ?? {};
      run.note('listOffsets', version, { ofLarger: { errorCode } });
    }
  },

  async 'ListOffsets by time goes by the last write of a file, not the first'(run) {
    const topic = await run.topic({
      configs: {
        // Four batches without a time fill a segment.
        'segment.index.bytes': '24',
        'index.interval.bytes': '0',
        'message.timestamp.after.max.ms': String(lastTime),
      },
    });
    const timeless = batchOf([{ timestamp: -1n }]);
    await produce(run, topic, timeless);
    const afterFirst = Date.now() + 50;
    while (Date.now() < afterFirst + 50) await run.prepare('metadata', 12, { topics: [] });
    for (let n = 0; n < 3; n++) await produce(run, topic, timeless);
    await produce(run, topic, batchOf([{ timestamp: longAfter }]));
    const timestamp = BigInt(afterFirst);
    const topics = [{ name: topic.name, partitions: [{ partitionIndex: 0, timestamp }] }];
    await run.last('listOffsets', { replicaId: -1, topics });
  },

  async 'aborted transactions, read up to the very first entry of the offset index'(run) {
    const topic = await run.topic({ configs: { 'index.interval.bytes': '0' } });
    await produce(run, topic, batchOf(['before']));
    for (let n = 0; n < 2; n++) {
      const identity = await begin(run);
      await add(run, identity, topic);
      await run.prepare('produce', 9, sendOf(identity, topic, 9));
      await end(run, identity, false);
    }
    for (const fetchOffset of [0n, 1n, 2n])
      await run.each('fetch', (version) =>
        fetchFrom(topic, version, { isolationLevel: readCommitted, fetchOffset, maxBytes: 1 }),
      );
  },

  async 'compressed records without one offset after the other'(run) {
    await sendAll(run, Object.fromEntries(codecs.map((codec) => [codec, oneOffsetFurther(codec)])));
  },

  async 'uncompressed records without one offset after the other'(run) {
    for (const type of ['producer', 'gzip'])
      await sendAll(run, { [type]: oneOffsetFurther('none') }, { 'compression.type': type });
  },

  async 'zstd with something behind it'(run) {
    await sendAll(run, { zstd: withBytesBehind('zstd') });
  },

  async 'a producer that is none, compressed anew'(run) {
    const numbers = { producerId: -2n, producerEpoch: -1, baseSequence: -1 };
    const batches = {
      'neither epoch nor sequence': batchOf(['a'], numbers),
      'no sequence': batchOf(['a'], { ...numbers, producerEpoch: 0 }),
    };
    await sendAll(run, batches, { 'compression.type': 'gzip' });
  },

  async 'two batches in zstd, before there was zstd'(run) {
    const batch = batchOf(['a'], { compression: 'zstd' });
    await sendAll(run, { twice: Buffer.concat([batch, batch]) });
  },

  async 'times that go past the last one'(run) {
    const configs = { 'message.timestamp.after.max.ms': String(lastTime) };
    const sender = { producerId: 7n, producerEpoch: 0, baseSequence: 5 };
    for (const compression of ['none', 'snappy'] as const) {
      const sent = batchOf(['a', 'b'], { compression });
      const skipping = batchOf(['a', 'b'], { compression, ...sender });
      const first = batchOf(['a'], { ...sender, baseSequence: 0 });
      const batches = { first, skipping: from(lastTime, skipping) };
      await sendAll(run, batches, configs);
      await sendAll(run, { sent: from(lastTime, sent) }, configs);
    }
  },

  async 'a batch that is larger than a segment is refused for what else is wrong'(run) {
    const value = Buffer.from('a'.repeat(500));
    const batches = {
      'nothing else': batchOf([{ value }]),
      'no key, and a time': batchOf([
        { value, key: Buffer.from('k') },
        { value, timestamp: -5n },
      ]),
      'not in its codec': batchOf([{ key: Buffer.from('k'), value }], { compression: 'lz4' }),
    };
    const configs = { 'internal.segment.bytes': '400' };
    await sendAll(run, batches, configs);
    await sendAll(run, batches, { ...configs, 'cleanup.policy': 'compact' });
    for (const codec of ['gzip', 'uncompressed'])
      await sendAll(run, batches, { ...configs, 'compression.type': codec });
  },

  async 'compressed records of which Kafka reads less'(run) {
    const name = run.fresh('topic');
    // Not among those that are read in the end: what Kafka keeps there nobody can read.
    const topic = { name, id: await createTopic(await run.connect(), name), partitions: 1 };
    const lies: Record<string, Buffer> = Object.fromEntries(
      codecs.map((codec) => [codec, lyingLength(codec)]),
    );
    for (const codec of ['gzip', 'snappy'] as const)
      lies[`${codec}, more`] = withBytesBehind(codec);
    const ofLies = [];
    for (const [what, batch] of Object.entries(lies)) {
      const { responses } = await run.prepare('produce', 9, produceTo(topic, 9, batch));
      const code = responses[0]?.partitionResponses[0]?.errorCode ?? -1;
      ofLies.push({ name: what, error: errorByCode(code).name });
    }
    run.note('produce', 9, { ofLies });
  },
};
