import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import {
  appendAsClient,
  clientBatch,
  configWith,
  listener,
  openLogs,
  readAll,
  startMs,
  storageError,
  type TestLogs,
  topicId,
  valuesOf,
} from './support.ts';

const size = clientBatch(1).length;
/** Two batches to a segment. */
const segments = { segmentBytes: size * 2 };

async function fill(test: TestLogs, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await appendAsClient(test.log, clientBatch(1, { timestamp: BigInt(startMs + n * 1000) }));
  test.log.advanceHighWatermark(test.log.logEndOffset);
}

describe('retention', () => {
  it('by size deletes whole segments, oldest first, while the rest is large enough', async () => {
    const test = await openLogs({ config: { ...segments, retentionBytes: size * 3 } });
    await fill(test, 8);
    assert.equal(await test.log.applyRetention(), 2);
    assert.deepEqual(
      [test.log.logStartOffset, test.log.segmentCount, test.log.sizeInBytes],
      [4n, 2, size * 4],
    );
    assert.deepEqual(valuesOf(await readAll(test.log)), [
      '4:value 0',
      '5:value 0',
      '6:value 0',
      '7:value 0',
    ]);
    await assert.rejects(
      test.log.read({ offset: 3n, maxBytes: 1, upTo: 'logEnd', minOneBatch: true }),
      storageError('OFFSET_OUT_OF_RANGE'),
    );
  });

  it('by time goes by the largest timestamp of a segment', async () => {
    const test = await openLogs({ config: { ...segments, retentionMs: 60_000 } });
    await fill(test, 6);
    test.clock.advance(61_000);
    assert.equal(await test.log.applyRetention(), 0, 'offset 1 is exactly 60 s old');
    test.clock.advance(1);
    assert.equal(await test.log.applyRetention(), 1);
    test.clock.advance(2000);
    assert.equal(await test.log.applyRetention(), 1);
    assert.equal(test.log.logStartOffset, 4n);
  });

  it('by time rolls and deletes the active segment where all of it has expired', async () => {
    const test = await openLogs({ config: { ...segments, retentionMs: 1000 } });
    await fill(test, 5);
    test.clock.advance(3_600_000);
    assert.equal(await test.log.applyRetention(), 3);
    assert.deepEqual(
      [test.log.logStartOffset, test.log.logEndOffset, test.log.segmentCount],
      [5n, 5n, 1],
    );
    assert.equal(await test.log.applyRetention(), 0, 'an empty log is left alone');
    assert.equal((await appendAsClient(test.log, clientBatch(1))).baseOffset, 5n);
  });

  it('never passes the high watermark', async () => {
    const test = await openLogs({ config: { ...segments, retentionMs: 1 } });
    for (let n = 0; n < 6; n++) await appendAsClient(test.log, clientBatch(1));
    test.log.advanceHighWatermark(3n);
    test.clock.advance(1_000_000);
    assert.equal(await test.log.applyRetention(), 1);
    assert.equal(test.log.logStartOffset, 2n);
  });

  it('leaves a topic alone that is only compacted', async () => {
    const test = await openLogs({
      config: {
        ...segments,
        retentionMs: 1,
        retentionBytes: 1,
        cleanupPolicy: new Set(['compact']),
      },
    });
    await fill(test, 6);
    test.clock.advance(1_000_000);
    assert.equal(await test.log.applyRetention(), 0);
  });

  it('goes by the time of the last write where no record has a timestamp', async () => {
    const test = await openLogs({ config: { ...segments, retentionMs: 1000 } });
    for (let n = 0; n < 4; n++) {
      await appendAsClient(test.log, clientBatch(1, { timestamp: -1n }));
      test.clock.advance(100);
    }
    test.log.advanceHighWatermark(4n);
    test.clock.advance(700);
    assert.equal(await test.log.applyRetention(), 0, 'offset 1 was written exactly 1 s ago');
    test.clock.advance(1);
    assert.equal(await test.log.applyRetention(), 1);
    test.clock.advance(200);
    assert.equal(await test.log.applyRetention(), 1);
  });

  it('renames files first and removes them after file.delete.delay.ms', async () => {
    const test = await openLogs({
      config: { ...segments, retentionBytes: 0, fileDeleteDelayMs: 5000 },
    });
    await fill(test, 4);
    await test.log.applyRetention();
    const deleted = (): string[] =>
      test.fileSystem.paths().filter((path) => path.endsWith('.deleted'));
    assert.ok(deleted().includes('/data/t-0/00000000000000000000.log.deleted'));
    test.clock.advance(4999);
    await settled();
    assert.notDeepEqual(deleted(), []);
    test.clock.advance(1);
    await settled();
    assert.deepEqual(deleted(), []);
  });

  it('goes on where a file cannot be renamed, says so once, and takes it along at the next pass', async () => {
    const { warnings, logger } = listener();
    const test = await openLogs({
      config: { ...segments, retentionBytes: 1 },
      options: { logger },
    });
    await fill(test, 8);
    const { fileSystem, log } = test;
    const files = (): string[] =>
      fileSystem
        .paths()
        .filter((path) => /\.log(\.deleted)?$/.test(path))
        .map((path) => path.replace(/^.*\/0*(?=\d)/, ''));
    fileSystem.fail('rename', 'EACCES', { path: /\/0{20}\.log$/, times: 2 });
    assert.equal(await log.applyRetention(), 3);
    assert.deepEqual(files(), ['0.log', '2.log.deleted', '4.log.deleted', '6.log']);
    assert.equal(await log.applyRetention(), 0);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /0{20}\.log .*EACCES/);
    assert.equal(await log.applyRetention(), 0);
    assert.deepEqual(files(), ['0.log.deleted', '2.log.deleted', '4.log.deleted', '6.log']);
    test.clock.advance(60_000);
    while (files().length > 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(valuesOf(await readAll(log)), ['6:value 0', '7:value 0']);
  });

  it('takes an index along at the next pass that could not be renamed with its log', async () => {
    const test = await openLogs({ config: { ...segments, retentionBytes: 1 } });
    await fill(test, 4);
    const { fileSystem, log } = test;
    const files = (): string[] =>
      fileSystem
        .paths()
        .filter((path) => path.includes('/00000000000000000000.'))
        .map((path) => path.replace(/^.*\/0*(?=\.)/, ''))
        .sort();
    fileSystem.fail('rename', 'EACCES', { path: /\/0{20}\.index$/ });
    await log.applyRetention();
    assert.deepEqual(files(), ['.index', '.log.deleted', '.timeindex.deleted']);
    await log.applyRetention();
    assert.deepEqual(files(), ['.index.deleted', '.log.deleted', '.timeindex.deleted']);
    test.clock.advance(60_000);
    while (files().length > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('leaves a file that could not be renamed to the segment that has its name since', async () => {
    const test = await openLogs({ config: { ...segments, retentionBytes: 1 } });
    await fill(test, 4);
    const { fileSystem, log } = test;
    fileSystem.fail('rename', 'EACCES', { path: /\/0{20}\.log$/ });
    assert.equal(await log.applyRetention(), 1);
    await log.truncateFullyAndStartAt(0n);
    await appendAsClient(log, clientBatch(['anew']));
    assert.equal(await log.applyRetention(), 0);
    fileSystem.kill();
    assert.deepEqual(valuesOf(await readAll((await openLogs({ fileSystem })).log)), ['0:anew']);
  });

  it('works where open files cannot be renamed or removed, as on Windows', async () => {
    const fileSystem = new MemoryFileSystem({ refusesOpenFiles: true });
    const test = await openLogs({
      fileSystem,
      config: { ...segments, retentionBytes: 0, fileDeleteDelayMs: 0 },
    });
    await fill(test, 6);
    await readAll(test.log);
    assert.equal(await test.log.applyRetention(), 3);
    test.clock.advance(0);
    await settled();
    assert.equal(
      fileSystem.paths().some((path) => path.endsWith('.deleted')),
      false,
    );
    await test.manager.delete('t', 0);
    assert.equal(test.manager.get('t', 0), undefined);
  });

  it('removes what a stop left half deleted at the next start', async () => {
    const test = await openLogs({ config: { ...segments, retentionBytes: 0 } });
    await fill(test, 4);
    await test.log.applyRetention();
    await test.manager.close();
    const reopened = await openLogs({ fileSystem: test.fileSystem });
    await reopened.log.open();
    assert.equal(
      test.fileSystem.paths().some((path) => path.endsWith('.deleted')),
      false,
    );
    assert.equal(reopened.log.logStartOffset, 4n);
  });
});

describe('DeleteRecords', () => {
  it('moves the log start within a batch, and at once for good', async () => {
    const test = await openLogs();
    await appendAsClient(test.log, clientBatch(6));
    test.log.advanceHighWatermark(6n);
    await test.log.deleteRecordsBefore(4n);
    assert.equal(test.log.logStartOffset, 4n);
    test.fileSystem.kill();
    const { log } = await openLogs({ fileSystem: test.fileSystem });
    assert.deepEqual([log.logStartOffset, log.logEndOffset], [4n, 6n]);
    await test.log.deleteRecordsBefore(2n).catch(() => undefined);
    assert.equal(log.logStartOffset, 4n);
  });

  it('of many logs at a time writes their starts down together', async () => {
    const { manager, fileSystem } = await openLogs();
    const partitions = Array.from({ length: 20 }, (_, partition) => partition);
    const logs = await Promise.all(
      partitions.map((partition) =>
        manager.create({ topic: 'many', partition, topicId, config: configWith() }),
      ),
    );
    for (const log of logs) {
      await appendAsClient(log, clientBatch(2));
      log.advanceHighWatermark(2n);
    }
    const renames = fileSystem.counts.rename;
    await Promise.all(logs.map((log) => log.deleteRecordsBefore(1n)));
    const written = fileSystem.contents('/data/log-start-offset-checkpoint')?.toString();
    assert.equal(written?.match(/^many \d+ 1$/gm)?.length, 20);
    assert.ok(fileSystem.counts.rename - renames <= 3, `${fileSystem.counts.rename - renames}`);
    await manager.close();
  });

  it('whose new start the disk refuses is told so, and can be asked for again', async () => {
    const { log, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(6));
    log.advanceHighWatermark(6n);
    fileSystem.fail('write', 'ENOSPC', { path: /log-start-offset-checkpoint/ });
    await assert.rejects(log.deleteRecordsBefore(4n), storageError('KAFKA_STORAGE_ERROR'));
    await log.deleteRecordsBefore(4n);
    const written = fileSystem.contents('/data/log-start-offset-checkpoint')?.toString();
    assert.match(written ?? '', /^t 0 4$/m);
  });

  it('past the high watermark is refused', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(6));
    log.advanceHighWatermark(3n);
    await assert.rejects(log.deleteRecordsBefore(4n), storageError('OFFSET_OUT_OF_RANGE'));
  });

  it('of everything leaves a log that goes on, over a restart too', async () => {
    const test = await openLogs({ config: segments });
    await fill(test, 5);
    await test.log.deleteRecordsBefore(5n);
    await test.log.applyRetention();
    await test.manager.close();
    const { log } = await openLogs({ fileSystem: test.fileSystem });
    assert.deepEqual([log.logStartOffset, log.logEndOffset, log.highWatermark], [5n, 5n, 5n]);
    assert.equal((await appendAsClient(log, clientBatch(1))).baseOffset, 5n);
    assert.deepEqual(valuesOf(await readAll(log)), ['5:value 0']);
  });

  it('lets retention delete the segments wholly below the log start, of a compacted topic too', async () => {
    const test = await openLogs({ config: { ...segments, cleanupPolicy: new Set(['compact']) } });
    await fill(test, 7);
    await test.log.deleteRecordsBefore(5n);
    assert.equal(await test.log.applyRetention(), 2);
    assert.deepEqual([test.log.logStartOffset, test.log.segmentCount], [5n, 2]);
  });
});

describe('a segment is rolled', () => {
  it('when the next batch would take it over segment.bytes', async () => {
    const { log } = await openLogs({ config: segments });
    for (let n = 0; n < 4; n++) await appendAsClient(log, clientBatch(1));
    assert.equal(log.segmentCount, 2);
  });

  it('by segment.ms, counted from its first timestamp', async () => {
    const { log } = await openLogs({ config: { segmentMs: 1000 } });
    await appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs) }));
    await appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs + 1000) }));
    assert.equal(log.segmentCount, 1);
    await appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs + 1001) }));
    assert.equal(log.segmentCount, 2);
  });

  it('up to segment.jitter.ms earlier, each segment by a part of its own', async () => {
    const { log } = await openLogs({ config: { segmentMs: 1000, segmentJitterMs: 800 } });
    const lifetimes = new Set<number>();
    let begun = 0;
    for (let ms = 0; lifetimes.size < 3; ms += 10) {
      const { segmentCount } = log;
      await appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs + ms) }));
      if (log.segmentCount === segmentCount) continue;
      assert.ok(ms - begun > 200 && ms - begun <= 1010, `${ms - begun} ms`);
      lifetimes.add(ms - begun);
      begun = ms;
    }
  });

  it('by max.compaction.lag.ms where the topic is compacted and that is shorter', async () => {
    const { log } = await openLogs({
      config: { cleanupPolicy: new Set(['compact']), maxCompactionLagMs: 1000 },
    });
    await appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs) }));
    await appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs + 1001) }));
    assert.equal(log.segmentCount, 2);
  });

  it('by segment.ms since its creation where records have no timestamps', async () => {
    const { log, clock } = await openLogs({ config: { segmentMs: 1000 } });
    await appendAsClient(log, clientBatch(1, { timestamp: -1n }));
    clock.advance(1001);
    await appendAsClient(log, clientBatch(1, { timestamp: -1n }));
    assert.equal(log.segmentCount, 2);
  });

  it('when its index is full', async () => {
    const { log } = await openLogs({ config: { segmentIndexBytes: 8 * 4, indexIntervalBytes: 1 } });
    for (let n = 0; n < 12; n++)
      await appendAsClient(log, clientBatch(1, { timestamp: BigInt(startMs + n) }));
    assert.ok(log.segmentCount > 2);
    assert.equal(valuesOf(await readAll(log)).length, 12);
  });

  it('on request, unless it is empty', async () => {
    const { log } = await openLogs();
    await log.roll();
    assert.equal(log.segmentCount, 1);
    await appendAsClient(log, clientBatch(1));
    await log.roll();
    await log.roll();
    assert.equal(log.segmentCount, 2);
  });
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
}
