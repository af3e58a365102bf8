// Our record batches against Kafka's own: Kafka's batches read by us and built again, ours read by Kafka.
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import { ByteReader } from '../../../src/protocol/byteReader.ts';
import { decodeVersioned } from '../../../src/protocol/messageCodec.ts';
import type { CompressionType } from '../../../src/protocol/records/compression.ts';
import {
  decodeControlRecordKey,
  endTxnMarker,
} from '../../../src/protocol/records/controlRecords.ts';
import {
  batches,
  type BatchHeader,
  type RecordBatch,
  setMaxTimestamp,
  verifyBatch,
} from '../../../src/protocol/records/recordBatch.ts';
import {
  type BatchOptions,
  buildRecordBatch,
  type RecordInput,
} from '../../../src/protocol/records/recordBatchBuilder.ts';
import { type KafkaRecord, readRecords } from '../../../src/protocol/records/recordReader.ts';
import { runJavaProgram } from '../../support/kafka/javaPrograms.ts';

const batchesPerCompression = 150;
const compressions: readonly CompressionType[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 2 ** 31);

interface Case {
  readonly compression: CompressionType;
  /** Empty if it is for Kafka to make. */
  bytes: Buffer;
  /** Kafka's words for it. */
  description: string;
}

function hex(bytes: Buffer | null): string {
  return bytes === null ? 'null' : `0x${bytes.toString('hex')}`;
}

function describeHeader(header: BatchHeader): string {
  const words = [header.baseOffset, header.lastOffset, header.sizeInBytes];
  words.push(header.partitionLeaderEpoch, header.crc);
  const flags = [header.isTransactional, header.isControl, header.hasDeleteHorizon];
  const times = [header.baseTimestamp, header.maxTimestamp];
  const producer = [header.producerId, header.producerEpoch, header.baseSequence];
  return [
    'batch',
    ...words,
    header.compression,
    header.timestampType,
    ...flags,
    ...times,
    ...producer,
    header.lastSequence,
    header.recordCount,
  ].join(' ');
}

function describeRecord({ offset, timestamp, key, value, headers }: KafkaRecord): string[] {
  const pairs = headers.map((header) => `${hex(header.key)}=${hex(header.value)}`);
  return ['record', `${offset}`, `${timestamp}`, hex(key), hex(value), ...pairs];
}

function describeBatch(batch: RecordBatch): string[] {
  verifyBatch(batch);
  const records = [...readRecords(batch)].map((record) => {
    const words = describeRecord(record);
    if (batch.header.isControl && record.key && record.value) {
      const { message } = decodeVersioned(endTxnMarker, record.value, 'readAsNewest');
      words.push(decodeControlRecordKey(record.key) ?? 'unknown', `${message.coordinatorEpoch}`);
    }
    return words.join(' ');
  });
  return [describeHeader(batch.header), ...records];
}

/** The same batch, built by us from what we read in it. */
function rebuilt(batch: RecordBatch): Buffer {
  const { header } = batch;
  return buildRecordBatch({
    records: [...readRecords(batch)].map((record) => ({
      ...record,
      offsetDelta: Number(record.offset - header.baseOffset),
    })),
    baseOffset: header.baseOffset,
    partitionLeaderEpoch: header.partitionLeaderEpoch,
    ...(header.hasDeleteHorizon ? { deleteHorizonMs: header.baseTimestamp } : {}),
    producerId: header.producerId,
    producerEpoch: header.producerEpoch,
    baseSequence: header.baseSequence,
    isTransactional: header.isTransactional,
    isControl: header.isControl,
    lastOffsetDelta: header.lastOffsetDelta,
  });
}

function randomRecord(random: Random): RecordInput {
  const bytes = (): Uint8Array | null =>
    random.below(5) === 0 ? null : random.bytes(random.below(300));
  return {
    timestamp: BigInt(random.below(2 ** 32)) * 1000n,
    key: bytes(),
    value: random.below(10) === 0 ? random.bytes(20_000) : bytes(),
    headers: Array.from({ length: random.below(3) }, () => ({ key: 'h', value: bytes() })),
  };
}

function randomBatch(random: Random, compression: CompressionType): Buffer {
  const producer: BatchOptions =
    random.below(2) === 0
      ? {
          producerId: 9n,
          producerEpoch: 3,
          baseSequence: random.below(2 ** 31),
          isTransactional: true,
        }
      : {};
  const bytes = buildRecordBatch({
    records: Array.from({ length: 1 + random.below(20) }, () => randomRecord(random)),
    compression,
    baseOffset: BigInt(random.below(2 ** 32)),
    partitionLeaderEpoch: random.below(9),
    ...(random.below(3) === 0 ? { logAppendTime: 1_800_000_000_000n } : {}),
    ...(random.below(4) === 0 ? { deleteHorizonMs: 1_800_000_000_123n } : {}),
    ...producer,
  });
  if (random.below(4) === 0) setMaxTimestamp(bytes, 'LogAppendTime', 1_900_000_000_000n);
  return bytes;
}

function inputFor({ compression, bytes }: Case, index: number): Buffer {
  const argument = bytes.length > 0 ? bytes : Buffer.from(compression);
  const head = Buffer.alloc(5);
  head.write(bytes.length > 0 ? 'd' : 'm');
  head.writeInt32BE(argument.length, 1);
  const seedBytes = Buffer.alloc(bytes.length > 0 ? 0 : 8);
  if (bytes.length === 0) seedBytes.writeBigInt64BE(BigInt(seed) * 1_000_003n + BigInt(index));
  return Buffer.concat([head, argument, seedBytes]);
}

function readAnswers(cases: readonly Case[], output: Buffer): void {
  const reader = new ByteReader(output);
  for (const one of cases) {
    if (one.bytes.length === 0) one.bytes = reader.readBytes(reader.readInt32());
    one.description = reader.readBytes(reader.readInt32()).toString();
  }
  assert.equal(reader.remaining, 0);
}

describe(`our batches and Kafka's, KAFKA_WORKBENCH_SEED=${seed}`, function () {
  this.timeout(600_000); // the first run fetches Kafka
  const random = seededRandom(seed);
  const cases = compressions.flatMap((compression) =>
    Array.from({ length: batchesPerCompression * 2 }, (_, index): Case => {
      const bytes = index % 2 === 0 ? Buffer.alloc(0) : randomBatch(random, compression);
      return { compression, bytes, description: '' };
    }),
  );

  before(async () => {
    readAnswers(
      cases,
      await runJavaProgram('RecordConformance', Buffer.concat(cases.map(inputFor))),
    );
  });

  for (const compression of compressions) {
    it(`are read alike in ${compression}, whoever made them`, () => {
      for (const one of cases.filter((candidate) => candidate.compression === compression)) {
        assert.deepEqual(
          [...batches(one.bytes)].flatMap(describeBatch),
          one.description.split('\n'),
        );
      }
    });
  }

  it('are the same bytes when we build what Kafka built', () => {
    let compared = 0;
    for (const { bytes } of cases) {
      for (const batch of batches(bytes)) {
        const { compression, timestampType } = batch.header;
        if (compression !== 'none' || timestampType !== 'CreateTime') continue;
        assert.equal(hex(rebuilt(batch)), hex(bytes));
        compared++;
      }
    }
    assert.ok(compared >= batchesPerCompression);
  });
});
