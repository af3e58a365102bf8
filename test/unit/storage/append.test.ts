import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { setMaxTimestamp } from '../../../src/protocol/records/recordBatch.ts';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import {
  appendAsClient,
  clientBatch,
  openLogs,
  readAll,
  startMs,
  storageError,
  valuesOf,
} from './support.ts';

describe('an append', () => {
  it('gets the next offsets, and the leader epoch stamped, in the order of the calls', async () => {
    const { log } = await openLogs();
    const infos = await Promise.all(
      [2, 3, 1].map((count, n) => appendAsClient(log, clientBatch(count), 4 + n)),
    );
    assert.deepEqual(
      infos.map(({ baseOffset, lastOffset }) => [baseOffset, lastOffset]),
      [
        [0n, 1n],
        [2n, 4n],
        [5n, 5n],
      ],
    );
    const read = await readAll(log);
    assert.deepEqual(
      read.map(({ header }) => header.partitionLeaderEpoch),
      [4, 5, 6],
    );
    assert.equal(log.logEndOffset, 6n);
    assert.equal(log.leaderEpoch, 6);
  });

  it('is readable byte for byte, once it is acknowledged', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(['a', '', 'c'], { compression: 'gzip' }));
    const read = await readAll(log);
    assert.deepEqual(valuesOf(read), ['0:a', '1:', '2:c']);
    assert.equal(read[0]?.header.compression, 'gzip');
  });

  it('goes with others into one write while a write is under way', async () => {
    const { log, fileSystem } = await openLogs();
    const before = fileSystem.counts.write;
    await Promise.all(Array.from({ length: 100 }, () => appendAsClient(log, clientBatch(1))));
    assert.equal(fileSystem.counts.write - before, 2);
    assert.equal(log.logEndOffset, 100n);
  });

  it('counts as unwritten until it is written', async () => {
    const { log } = await openLogs();
    const batch = clientBatch(10);
    const appended = appendAsClient(log, batch);
    await Promise.resolve();
    assert.equal(log.unwrittenBytes, batch.length);
    await appended;
    assert.equal(log.unwrittenBytes, 0);
  });

  it('tells those who wait for records', async () => {
    const { log } = await openLogs();
    const seen: bigint[] = [];
    log.onDidChange(() => seen.push(log.logEndOffset, log.highWatermark));
    await appendAsClient(log, clientBatch(2));
    log.advanceHighWatermark(2n);
    assert.deepEqual(seen, [2n, 0n, 2n, 2n]);
  });

  it('works however short the writes of the file system are', async () => {
    const { log } = await openLogs({ fileSystem: new MemoryFileSystem({ shortWrites: true }) });
    for (let n = 0; n < 20; n++) await appendAsClient(log, clientBatch(3));
    assert.equal(valuesOf(await readAll(log)).length, 60);
  });

  it('of a replica keeps the offsets and epochs of its leader, gaps included', async () => {
    const { log } = await openLogs();
    const fetched = Buffer.concat([
      buildRecordBatch({
        baseOffset: 7n,
        partitionLeaderEpoch: 2,
        records: [{ value: Buffer.from('a') }],
      }),
      buildRecordBatch({
        baseOffset: 9n,
        partitionLeaderEpoch: 3,
        records: [{ value: Buffer.from('b') }],
      }),
    ]);
    const info = await log.append(fetched, { origin: 'replication', leaderEpoch: 5 });
    assert.deepEqual([info.baseOffset, info.lastOffset], [7n, 9n]);
    assert.deepEqual(valuesOf(await readAll(log, 7n)), ['7:a', '9:b']);
    assert.equal(await log.epochForOffset(8n), 2);
    await assert.rejects(
      log.append(fetched, { origin: 'replication', leaderEpoch: 5 }),
      storageError('OFFSET_OUT_OF_RANGE'),
    );
  });
});

describe('a batch of a client is refused', () => {
  const refusals: [name: string, make: () => Buffer, error: Parameters<typeof storageError>][] = [
    ['when nothing is there', () => Buffer.alloc(0), ['INVALID_RECORD', /no whole record batch/]],
    ['when it is cut off', () => clientBatch(3).subarray(0, 80), ['INVALID_RECORD', /no whole/]],
    [
      'when another follows',
      () => Buffer.concat([clientBatch(1), clientBatch(1)]),
      ['INVALID_RECORD', /more than one/],
    ],
    [
      'when its base offset is not 0',
      () => clientBatch(1, { baseOffset: 5n }),
      ['INVALID_RECORD', /base offset/],
    ],
    ['when a bit of it is wrong', () => flipped(clientBatch(2)), ['CORRUPT_MESSAGE', /checksum/]],
    [
      'when it is over max.message.bytes',
      () => clientBatch(['x'.repeat(2000)]),
      ['MESSAGE_TOO_LARGE', /1000/],
    ],
    [
      'when its count and its offsets differ',
      () => clientBatch(2, { lastOffsetDelta: 4 }),
      ['INVALID_RECORD', /2 records where/],
    ],
    [
      'when it has no record',
      () => buildRecordBatch({ records: [] }),
      ['INVALID_RECORD', /0 records/],
    ],
    [
      'when it is a control batch',
      () => clientBatch(1, { isControl: true }),
      ['INVALID_RECORD', /control/],
    ],
    [
      'when it has a producer id but no sequence',
      () => clientBatch(1, { producerId: 4n, producerEpoch: 0 }),
      ['INVALID_RECORD', /sequence -1/],
    ],
    ['in an old message format', () => oldFormat(), ['INVALID_RECORD', /v1/]],
  ];
  for (const [name, make, error] of refusals)
    it(name, async () => {
      const { log } = await openLogs({ config: { maxMessageBytes: 1000 } });
      await assert.rejects(appendAsClient(log, make()), storageError(...error));
      assert.equal(log.logEndOffset, 0n);
    });

  it('when it does not fit into a segment', async () => {
    const { log } = await openLogs({ config: { segmentBytes: 500 } });
    await assert.rejects(
      appendAsClient(log, clientBatch(['x'.repeat(600)])),
      storageError('RECORD_LIST_TOO_LARGE', /segment\.bytes/),
    );
  });

  for (const compression of ['none', 'gzip', 'zstd', 'snappy', 'lz4'] as const)
    it(`in ${compression} when a record of a compacted topic has no key, naming each such record`, async () => {
      const { log } = await openLogs({ config: { cleanupPolicy: new Set(['compact']) } });
      const batch = buildRecordBatch({
        compression,
        records: [null, 'k', null].map((key) => ({
          key: key === null ? null : Buffer.from(key),
          value: Buffer.from('v'),
          timestamp: BigInt(startMs),
        })),
      });
      await assert.rejects(appendAsClient(log, batch), (error: unknown) => {
        assert.ok(storageError('INVALID_RECORD')(error));
        const { recordErrors } = error as {
          recordErrors: { batchIndex: number; message: string }[];
        };
        assert.deepEqual(
          recordErrors.map(({ batchIndex }) => batchIndex),
          [0, 2],
        );
        assert.match(recordErrors[0]?.message ?? '', /without key/);
        return true;
      });
      assert.equal(log.logEndOffset, 0n);
    });

  it('when a record does not take the bytes it claims', async () => {
    const { log } = await openLogs();
    const batch = clientBatch(['abc', 'def']);
    batch.writeInt8(batch.readInt8(61) + 2, 61);
    setMaxTimestamp(batch, 'LogAppendTime', 1n);
    setMaxTimestamp(batch, 'CreateTime', BigInt(startMs));
    await assert.rejects(appendAsClient(log, batch), storageError('INVALID_RECORD', /record 0/));
  });
});

describe('timestamps', () => {
  const hour = 3_600_000n;

  it('of the client are kept, and the largest is found out from the records', async () => {
    const { log } = await openLogs();
    const batch = buildRecordBatch({
      maxTimestamp: 5n,
      records: [30n, 20n].map((offset) => ({ timestamp: BigInt(startMs) + offset })),
    });
    const info = await appendAsClient(log, batch);
    assert.deepEqual([info.maxTimestamp, info.logAppendTimeMs], [BigInt(startMs) + 30n, -1n]);
    assert.equal((await readAll(log))[0]?.header.maxTimestamp, BigInt(startMs) + 30n);
  });

  it('may be missing', async () => {
    const { log } = await openLogs({ config: { messageTimestampBeforeMaxMs: 1000 } });
    const info = await appendAsClient(
      log,
      buildRecordBatch({ records: [{ value: Buffer.from('a') }] }),
    );
    assert.equal(info.maxTimestamp, -1n);
  });

  it('further ahead than message.timestamp.after.max.ms are refused, record by record', async () => {
    const { log } = await openLogs();
    const records = [0n, hour, hour + 1n].map((ahead) => ({ timestamp: BigInt(startMs) + ahead }));
    await assert.rejects(appendAsClient(log, buildRecordBatch({ records })), (error: unknown) => {
      assert.ok(storageError('INVALID_TIMESTAMP')(error));
      assert.deepEqual(
        (error as { recordErrors: { batchIndex: number }[] }).recordErrors.map((e) => e.batchIndex),
        [2],
      );
      return true;
    });
  });

  it('older than message.timestamp.before.max.ms are refused', async () => {
    const { log } = await openLogs({ config: { messageTimestampBeforeMaxMs: 1000 } });
    await appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs - 1000) }));
    await assert.rejects(
      appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs - 1001) })),
      storageError('INVALID_TIMESTAMP'),
    );
  });

  it('are the broker’s own with LogAppendTime, and are told', async () => {
    const { log, clock } = await openLogs({ config: { messageTimestampType: 'LogAppendTime' } });
    clock.advance(500);
    const info = await appendAsClient(log, clientBatch(2, { timestamp: 1n, compression: 'gzip' }));
    assert.deepEqual(
      [info.logAppendTimeMs, info.maxTimestamp],
      [BigInt(startMs + 500), BigInt(startMs + 500)],
    );
    const [batch] = await readAll(log);
    assert.equal(batch?.header.timestampType, 'LogAppendTime');
    assert.deepEqual(
      [...readRecords(batch)].map(({ timestamp }) => timestamp),
      [BigInt(startMs + 500), BigInt(startMs + 500)],
    );
  });

  it('may not be marked LogAppendTime by a client where the topic has that too', async () => {
    const { log } = await openLogs({ config: { messageTimestampType: 'LogAppendTime' } });
    await assert.rejects(
      appendAsClient(log, clientBatch(1, { logAppendTime: BigInt(startMs) })),
      storageError('INVALID_TIMESTAMP'),
    );
  });
});

describe('compression.type', () => {
  for (const target of ['gzip', 'snappy', 'lz4', 'zstd', 'uncompressed'] as const)
    it(`${target} is what is stored, whatever the producer sent`, async () => {
      const { log } = await openLogs({ config: { compressionType: target } });
      const options = { producerId: 9n, producerEpoch: 1, baseSequence: 0 };
      await appendAsClient(
        log,
        clientBatch(['a', 'b'], { ...options, compression: target === 'gzip' ? 'zstd' : 'gzip' }),
      );
      const [batch] = await readAll(log);
      assert.equal(batch?.header.compression, target === 'uncompressed' ? 'none' : target);
      assert.deepEqual([batch.header.producerId, batch.header.lastSequence], [9n, 1]);
      assert.deepEqual(valuesOf([batch]), ['0:a', '1:b']);
    });
});

function flipped(batch: Buffer): Buffer {
  batch.writeUInt8(batch.readUInt8(batch.length - 1) ^ 1, batch.length - 1);
  return batch;
}

function oldFormat(): Buffer {
  const batch = clientBatch(1);
  batch.writeInt8(1, 16);
  return batch;
}
