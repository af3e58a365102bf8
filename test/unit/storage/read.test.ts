import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import type { PartitionLog, ReadOptions, ReadResult } from '../../../src/storage/partitionLog.ts';
import {
  appendAsClient,
  clientBatch,
  openLogs,
  readAll,
  startMs,
  storageError,
  valuesOf,
} from './support.ts';

function read(
  log: PartitionLog,
  offset: bigint,
  options: Partial<ReadOptions> = {},
): Promise<ReadResult> {
  return log.read({ offset, maxBytes: 1 << 20, upTo: 'logEnd', minOneBatch: true, ...options });
}

function ranges({ records }: ReadResult): string[] {
  return [...batches(records)].map(({ header }) => `${header.baseOffset}-${header.lastOffset}`);
}

describe('a read', () => {
  it('in the middle of a batch returns the whole batch', async () => {
    const { log } = await openLogs();
    for (let n = 0; n < 3; n++) await appendAsClient(log, clientBatch(4));
    assert.deepEqual(ranges(await read(log, 6n)), ['4-7', '8-11']);
  });

  it('returns whole batches only, as many as fit', async () => {
    const { log } = await openLogs();
    const size = clientBatch(1).length;
    for (let n = 0; n < 5; n++) await appendAsClient(log, clientBatch(1));
    assert.deepEqual(ranges(await read(log, 0n, { maxBytes: size * 3 - 1 })), ['0-0', '1-1']);
  });

  it('returns a first batch over its limit only where it may', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(['x'.repeat(5000)]));
    assert.deepEqual(ranges(await read(log, 0n, { maxBytes: 100 })), ['0-0']);
    assert.deepEqual(ranges(await read(log, 0n, { maxBytes: 0 })), ['0-0']);
    assert.deepEqual(ranges(await read(log, 0n, { maxBytes: 100, minOneBatch: false })), []);
    assert.deepEqual(ranges(await read(log, 0n, { maxBytes: 0, minOneBatch: false })), []);
  });

  it('never passes the high watermark', async () => {
    const { log } = await openLogs();
    for (let n = 0; n < 4; n++) await appendAsClient(log, clientBatch(2));
    log.advanceHighWatermark(4n);
    assert.deepEqual(ranges(await read(log, 0n, { upTo: 'highWatermark' })), ['0-1', '2-3']);
    assert.deepEqual(ranges(await read(log, 4n, { upTo: 'highWatermark' })), []);
    const result = await read(log, 8n, { upTo: 'highWatermark' });
    assert.deepEqual(
      [result.records.length, result.highWatermark, result.lastStableOffset],
      [0, 4n, 4n],
    );
  });

  it('outside the log is an error, at its end it is empty', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(3));
    assert.deepEqual(ranges(await read(log, 3n)), []);
    await assert.rejects(read(log, 4n), storageError('OFFSET_OUT_OF_RANGE', /0 to 3/));
    await assert.rejects(read(log, -1n), storageError('OFFSET_OUT_OF_RANGE'));
  });

  it('goes on in the next segment', async () => {
    const { log } = await openLogs({ config: { segmentBytes: 300 } });
    for (let n = 0; n < 9; n++) await appendAsClient(log, clientBatch(2));
    assert.ok(log.segmentCount >= 3);
    assert.equal(valuesOf(await readAll(log)).length, 18);
  });

  it('finds every offset of a log with many segments and index entries', async () => {
    const config = { segmentBytes: 4000, indexIntervalBytes: 200 };
    const { log, manager, fileSystem } = await openLogs({ config });
    const random = seededRandom(3);
    for (let n = 0; n < 120; n++) await appendAsClient(log, clientBatch(1 + random.below(5)));
    const check = async (opened: PartitionLog): Promise<void> => {
      for (let offset = 0n; offset < opened.logEndOffset; offset += 7n) {
        const [first] = [...batches((await read(opened, offset, { maxBytes: 500 })).records)];
        assert.ok(
          first && first.header.baseOffset <= offset && offset <= first.header.lastOffset,
          `offset ${offset}`,
        );
      }
    };
    await check(log);
    await manager.close();
    await check((await openLogs({ config, fileSystem })).log);
  });

  it('that goes on where another ended needs one call of the file system', async () => {
    const { log, fileSystem } = await openLogs();
    for (let n = 0; n < 50; n++) await appendAsClient(log, clientBatch(3));
    await read(log, 0n, { maxBytes: 2000 });
    const [, ...rest] = [...batches((await read(log, 0n, { maxBytes: 2000 })).records)];
    const next = rest.at(-1)!.header.lastOffset + 1n;
    const before = fileSystem.counts.read;
    await read(log, next, { maxBytes: 2000 });
    assert.equal(fileSystem.counts.read - before, 1);
  });

  it('of what the disk has damaged is an error, not a wrong answer', async () => {
    const { log, fileSystem } = await openLogs();
    for (let n = 0; n < 3; n++) await appendAsClient(log, clientBatch(1));
    fileSystem.contents('/data/t-0/00000000000000000000.log')?.writeInt32BE(-5, 8);
    await assert.rejects(read(log, 0n), storageError('CORRUPT_MESSAGE'));
  });
});

describe('an offset by timestamp', () => {
  const at = (ms: number): bigint => BigInt(startMs + ms);

  it('is that of the first record at or after it, also within a batch', async () => {
    const { log } = await openLogs({ config: { indexIntervalBytes: 100 } });
    for (let n = 0; n < 10; n++)
      await appendAsClient(
        log,
        clientBatch(3, { timestamp: at(n * 10), compression: n % 2 ? 'zstd' : 'none' }),
        n,
      );
    assert.deepEqual(await log.offsetForTimestamp(at(0)), {
      offset: 0n,
      timestamp: at(0),
      leaderEpoch: 0,
    });
    assert.deepEqual(await log.offsetForTimestamp(at(31)), {
      offset: 10n,
      timestamp: at(31),
      leaderEpoch: 3,
    });
    assert.deepEqual(await log.offsetForTimestamp(at(33)), {
      offset: 12n,
      timestamp: at(40),
      leaderEpoch: 4,
    });
    assert.equal(await log.offsetForTimestamp(at(93)), undefined);
    assert.equal((await log.offsetForTimestamp(0n))?.offset, 0n);
  });

  it('is the first in offset order where timestamps are not in order', async () => {
    const { log } = await openLogs({ config: { segmentBytes: 300, indexIntervalBytes: 100 } });
    for (const ms of [50, 10, 90, 20, 60])
      await appendAsClient(log, clientBatch(1, { timestamp: at(ms) }));
    assert.ok(log.segmentCount > 1);
    assert.equal((await log.offsetForTimestamp(at(60)))?.offset, 2n);
    assert.equal((await log.offsetForTimestamp(at(11)))?.offset, 0n);
    assert.equal((await log.offsetOfMaxTimestamp())?.offset, 2n);
  });

  it('is never below the log start', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(5, { timestamp: at(0) }));
    log.advanceHighWatermark(5n);
    await log.deleteRecordsBefore(3n);
    assert.equal((await log.offsetForTimestamp(0n))?.offset, 3n);
  });

  it('of the largest timestamp is that of its first record, and survives a restart', async () => {
    const { log, manager, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(3, { timestamp: at(0) }));
    await appendAsClient(log, clientBatch(3, { timestamp: at(-100) }));
    const expected = { offset: 2n, timestamp: at(2), leaderEpoch: 0 };
    assert.deepEqual(await log.offsetOfMaxTimestamp(), expected);
    await manager.close();
    const reopened = await openLogs({ fileSystem });
    assert.deepEqual(await reopened.log.offsetOfMaxTimestamp(), expected);
    await appendAsClient(reopened.log, clientBatch(1, { timestamp: at(-50) }));
    assert.deepEqual(await reopened.log.offsetOfMaxTimestamp(), expected);
  });

  it('of an empty log is none', async () => {
    const { log } = await openLogs();
    assert.equal(await log.offsetForTimestamp(0n), undefined);
    assert.equal(await log.offsetOfMaxTimestamp(), undefined);
  });
});
