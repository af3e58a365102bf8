import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  addToSequence,
  batches,
  readBatchHeader,
  type RecordBatch,
  setBaseOffset,
  setMaxTimestamp,
  setPartitionLeaderEpoch,
  verifyBatch,
} from '../../../../src/protocol/records/recordBatch.ts';
import {
  buildRecordBatch,
  RecordBatchBuilder,
} from '../../../../src/protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../../../src/protocol/records/recordReader.ts';

const text = (value: string): Buffer => Buffer.from(value);

const records = [
  { timestamp: 1000n, key: text('k'), value: text('v') },
  { timestamp: 900n, key: null, value: null },
  {
    timestamp: 2000n,
    key: Buffer.alloc(0),
    value: Buffer.alloc(0),
    headers: [
      { key: 'b', value: text('1') },
      { key: 'a', value: null },
      { key: 'b', value: Buffer.alloc(0) },
      { key: Buffer.of(0xff, 0xfe), value: text('not UTF-8') },
    ],
  },
];

function only(bytes: Buffer): RecordBatch {
  const [batch, ...others] = [...batches(bytes)];
  assert.ok(batch);
  assert.equal(others.length, 0);
  return batch;
}

describe('a batch', () => {
  it('says what it was built with', () => {
    const { header } = only(
      buildRecordBatch({
        records,
        baseOffset: 40n,
        partitionLeaderEpoch: 6,
        producerId: 5n,
        producerEpoch: 2,
        baseSequence: 2 ** 31 - 1,
        isTransactional: true,
        isControl: true,
      }),
    );
    assert.equal(header.baseOffset, 40n);
    assert.equal(header.lastOffset, 42n);
    assert.equal(header.partitionLeaderEpoch, 6);
    assert.equal(header.magic, 2);
    assert.equal(header.recordCount, 3);
    assert.equal(header.baseTimestamp, 1000n);
    assert.equal(header.maxTimestamp, 2000n);
    assert.equal(header.producerId, 5n);
    assert.equal(header.producerEpoch, 2);
    assert.deepEqual([header.baseSequence, header.lastSequence], [2 ** 31 - 1, 1]);
    assert.deepEqual([header.isTransactional, header.isControl], [true, true]);
    assert.deepEqual([header.compression, header.timestampType], ['none', 'CreateTime']);
    assert.equal(header.hasDeleteHorizon, false);
  });

  it('has no producer unless it was given one', () => {
    const { header } = only(buildRecordBatch({ records }));
    assert.deepEqual(
      [header.producerId, header.producerEpoch, header.baseSequence, header.lastSequence],
      [-1n, -1, -1, -1],
    );
    assert.equal(header.partitionLeaderEpoch, -1);
  });

  for (const compression of ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const) {
    it(`gives back its records, in ${compression}, null and empty apart, headers in order with their duplicates`, () => {
      const batch = only(buildRecordBatch({ records, compression, baseOffset: 7n }));
      verifyBatch(batch);
      const [first, second, third] = [...readRecords(batch)];
      assert.deepEqual(first, {
        offset: 7n,
        timestamp: 1000n,
        key: text('k'),
        value: text('v'),
        headers: [],
      });
      assert.deepEqual([second?.timestamp, second?.key, second?.value], [900n, null, null]);
      assert.deepEqual([third?.key?.length, third?.value?.length], [0, 0]);
      assert.deepEqual(
        third?.headers.map(({ key, value }) => [key.toString('latin1'), value?.toString()]),
        [
          ['b', '1'],
          ['a', undefined],
          ['b', ''],
          ['\xff\xfe', 'not UTF-8'],
        ],
      );
      assert.equal(third.headers[1]?.value, null);
    });
  }

  it('may have gaps in its offsets, and an end behind its last record', () => {
    const batch = only(
      buildRecordBatch({
        baseOffset: 100n,
        records: [{ offsetDelta: 2 }, { offsetDelta: 5 }],
        lastOffsetDelta: 9,
      }),
    );
    assert.equal(batch.header.lastOffset, 109n);
    assert.deepEqual(
      [...readRecords(batch)].map(({ offset }) => offset),
      [102n, 105n],
    );
  });

  it('may be empty, to keep what is known of a producer', () => {
    const options = { baseOffset: 5n, lastOffsetDelta: 3, producerId: 1n, maxTimestamp: 9n };
    const batch = only(buildRecordBatch({ records: [], ...options, compression: 'gzip' }));
    verifyBatch(batch);
    assert.equal(batch.bytes.length, 61);
    assert.deepEqual([...readRecords(batch)], []);
    assert.deepEqual([batch.header.lastOffset, batch.header.maxTimestamp], [8n, 9n]);
  });

  it('with LogAppendTime gives every record that time', () => {
    const batch = only(buildRecordBatch({ records, logAppendTime: 5000n }));
    assert.equal(batch.header.timestampType, 'LogAppendTime');
    assert.deepEqual(
      new Set([...readRecords(batch)].map(({ timestamp }) => timestamp)),
      new Set([5000n]),
    );
  });

  it('with a delete horizon keeps the times of its records', () => {
    const batch = only(buildRecordBatch({ records, deleteHorizonMs: 77_000n }));
    assert.equal(batch.header.hasDeleteHorizon, true);
    assert.equal(batch.header.baseTimestamp, 77_000n);
    assert.deepEqual(
      [...readRecords(batch)].map(({ timestamp }) => timestamp),
      [1000n, 900n, 2000n],
    );
  });

  it('knows its size while it grows', () => {
    const builder = new RecordBatchBuilder();
    for (const record of records) builder.add(record);
    const { sizeInBytes } = builder;
    assert.equal(builder.recordCount, 3);
    assert.equal(builder.build().length, sizeInBytes);
  });
});

describe('what a broker stamps', () => {
  it('base offset and leader epoch lie outside the checksum', () => {
    const bytes = buildRecordBatch({ records });
    setBaseOffset(bytes, 123n);
    setPartitionLeaderEpoch(bytes, 9);
    const batch = only(bytes);
    verifyBatch(batch);
    assert.deepEqual([batch.header.baseOffset, batch.header.partitionLeaderEpoch], [123n, 9]);
  });

  it('LogAppendTime brings its own checksum', () => {
    const bytes = buildRecordBatch({ records, compression: 'gzip', isTransactional: true });
    setMaxTimestamp(bytes, 'LogAppendTime', 5n);
    const batch = only(bytes);
    verifyBatch(batch);
    assert.equal(batch.header.timestampType, 'LogAppendTime');
    assert.deepEqual([batch.header.compression, batch.header.isTransactional], ['gzip', true]);
    assert.deepEqual(
      [...readRecords(batch)].map(({ timestamp }) => timestamp),
      [5n, 5n, 5n],
    );
  });
});

describe('several batches', () => {
  const bytes = Buffer.concat(
    [0n, 3n, 6n].map((baseOffset) => buildRecordBatch({ records, baseOffset })),
  );

  it('are found one after the other, as views', () => {
    const found = [...batches(bytes)];
    assert.deepEqual(
      found.map(({ header }) => header.baseOffset),
      [0n, 3n, 6n],
    );
    assert.deepEqual(
      found.map(({ position }) => position),
      [0, bytes.length / 3, (bytes.length * 2) / 3],
    );
    assert.equal(found[1]?.bytes.buffer, bytes.buffer);
  });

  it('leave out a last one that is cut off, wherever it is cut', () => {
    for (let length = (bytes.length / 3) * 2; length < bytes.length; length++) {
      assert.equal([...batches(bytes.subarray(0, length))].length, 2);
    }
  });

  it('leave out a last one that is cut off also where it says that it is too short for its header', () => {
    const short = Buffer.from(bytes);
    short.writeInt32BE(48, 8);
    for (const length of [17, 30, 59])
      assert.deepEqual([...batches(short.subarray(0, length))], []);
    assert.throws(() => [...batches(short.subarray(0, 60))], { error: 'CORRUPT_MESSAGE' });
  });

  it('need not be whole for a header to be read', () => {
    assert.equal(readBatchHeader(bytes.subarray(0, 61)).recordCount, 3);
    assert.throws(() => readBatchHeader(bytes.subarray(0, 60)), { error: 'CORRUPT_MESSAGE' });
  });
});

describe('a bad batch', () => {
  const good = buildRecordBatch({ records });
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(good);
    change(bytes);
    return bytes;
  };

  it('is found by its checksum, whichever bit behind it is wrong', () => {
    for (let index = 17; index < good.length; index++) {
      const batch = only(good);
      const bytes = changed((copy) => copy.writeUInt8((copy[index] ?? 0) ^ 1, index));
      const header = readBatchHeader(good);
      const wrongCrc = { ...header, crc: bytes.readUInt32BE(17) };
      assert.throws(() => verifyBatch({ ...batch, header: wrongCrc, bytes }), {
        error: 'CORRUPT_MESSAGE',
      });
    }
  });

  it('in one of the old formats is refused by name', () => {
    for (const magic of [0, 1]) {
      const bytes = changed((copy) => copy.writeInt8(magic, 16));
      assert.throws(() => [...batches(bytes)], {
        error: 'INVALID_RECORD',
        message: `message format v${magic} is not supported; records must be in format v2`,
      });
    }
    assert.throws(() => [...batches(changed((copy) => copy.writeInt8(3, 16)))], {
      error: 'CORRUPT_MESSAGE',
    });
  });

  it('with an impossible length is refused', () => {
    for (const length of [-1, 0, 13, 48, -(2 ** 31)]) {
      const bytes = changed((copy) => copy.writeInt32BE(length, 8));
      assert.throws(() => [...batches(bytes)], { error: 'CORRUPT_MESSAGE' });
    }
  });

  it('with more or fewer records than it says is refused', () => {
    for (const count of [2, 4, -1, 2 ** 31 - 1]) {
      const batch = only(changed((copy) => copy.writeInt32BE(count, 57)));
      assert.throws(() => [...readRecords(batch)], { error: 'INVALID_RECORD' });
    }
  });

  it('with a record of the wrong size is refused', () => {
    for (const size of [0x0a, 0x0e, 0x01, 0xfe]) {
      const batch = only(changed((copy) => copy.writeUInt8(size, 61)));
      assert.throws(() => [...readRecords(batch)], /record 0:/);
    }
  });

  it('that does not decompress, or to too much, is refused', () => {
    const zeros = buildRecordBatch({
      records: [{ value: Buffer.alloc(5_000_000) }],
      compression: 'gzip',
    });
    assert.ok(zeros.length < 10_000);
    assert.throws(() => [...readRecords(only(zeros), { maxDecompressedBytes: 1_000_000 })], {
      error: 'INVALID_RECORD',
      message: 'a batch in gzip decompresses to more than 1000000 bytes',
    });
    zeros.fill(7, 70, 90);
    assert.throws(() => [...readRecords(only(zeros))], /cannot be decompressed/);
  });

  it('in a compression that does not exist is refused', () => {
    const bytes = changed((copy) => copy.writeInt16BE(5, 21));
    assert.throws(() => only(bytes), {
      error: 'INVALID_RECORD',
      message: 'there is no compression type 5',
    });
  });
});

describe('sequence numbers', () => {
  it('go on from 0 after the largest int32', () => {
    assert.equal(addToSequence(5, 3), 8);
    assert.equal(addToSequence(2 ** 31 - 1, 1), 0);
    assert.equal(addToSequence(2 ** 31 - 2, 4), 2);
  });
});
