import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import type { OpenFile, OpenMode } from '../../../src/storage/fileSystem.ts';
import { CleaningAborted } from '../../../src/storage/logCleaning.ts';
import type { PartitionLog } from '../../../src/storage/partitionLog.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import {
  appendAsClient,
  clientBatch,
  configWith,
  listener,
  openLogs,
  openManager,
  readAll,
  startMs,
  storageError,
  topicId,
  valuesOf,
} from './support.ts';

const logFile = /\.log$/;

describe('a disk that refuses a write', () => {
  for (const code of ['ENOSPC', 'EIO'])
    for (const afterBytes of [0, 50, 100, 500])
      it(`with ${code} after ${afterBytes} bytes: the appends fail, the log goes on as if they had not been`, async () => {
        const { log, fileSystem } = await openLogs();
        await appendAsClient(log, clientBatch(['kept']));
        fileSystem.fail('write', code, { path: logFile, afterBytes });
        const producer = { producerId: 3n, producerEpoch: 0 };
        const failing = [
          appendAsClient(log, clientBatch(['lost'], { ...producer, baseSequence: 0 })),
          appendAsClient(log, clientBatch(['written along with it'])),
        ];
        const reason = code === 'ENOSPC' ? /disk is full/ : /EIO/;
        for (const append of await Promise.allSettled(failing)) {
          assert.ok(append.status === 'rejected');
          assert.ok(storageError('KAFKA_STORAGE_ERROR', reason)(append.reason));
        }
        assert.equal((await appendAsClient(log, clientBatch(['after']))).baseOffset, 1n);
        const retried = await appendAsClient(
          log,
          clientBatch(['retried'], { ...producer, baseSequence: 0 }),
        );
        assert.deepEqual([retried.baseOffset, retried.isDuplicate], [2n, false]);
        assert.deepEqual(valuesOf(await readAll(log)), ['0:kept', '1:after', '2:retried']);
        fileSystem.kill();
        const { log: reopened } = await openLogs({ fileSystem });
        assert.deepEqual(valuesOf(await readAll(reopened)), ['0:kept', '1:after', '2:retried']);
      });

  it('and then a truncation too: nothing is appended until what is left of it is gone', async () => {
    const { log, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(['kept']));
    fileSystem.fail('write', 'EIO', { path: logFile, afterBytes: 60 });
    fileSystem.fail('truncate', 'EIO', { path: logFile, times: 2 });
    await assert.rejects(
      appendAsClient(log, clientBatch(['lost'])),
      storageError('KAFKA_STORAGE_ERROR'),
    );
    await assert.rejects(
      appendAsClient(log, clientBatch(['lost too'])),
      storageError('KAFKA_STORAGE_ERROR'),
    );
    await appendAsClient(log, clientBatch(['next']));
    assert.deepEqual(valuesOf(await readAll(log)), ['0:kept', '1:next']);
  });

  it('being full for good stops writes, keeps reads, and takes writes again once there is room', async () => {
    const { log, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(['kept']));
    fileSystem.capacityBytes = fileSystem.usedBytes + 40;
    for (let n = 0; n < 3; n++)
      await assert.rejects(
        appendAsClient(log, clientBatch(['lost'])),
        storageError('KAFKA_STORAGE_ERROR', /full/),
      );
    assert.deepEqual(valuesOf(await readAll(log)), ['0:kept']);
    fileSystem.capacityBytes = Infinity;
    assert.equal((await appendAsClient(log, clientBatch(['next']))).baseOffset, 1n);
  });

  it('while a segment is begun: the append fails, the next one begins it', async () => {
    const { log, fileSystem } = await openLogs({ config: { segmentBytes: 100 } });
    await appendAsClient(log, clientBatch(['one']));
    fileSystem.fail('open', 'EACCES', { path: /0001\.log$/ });
    await assert.rejects(
      appendAsClient(log, clientBatch(['lost'])),
      storageError('KAFKA_STORAGE_ERROR'),
    );
    await appendAsClient(log, clientBatch(['two']));
    assert.equal(log.segmentCount, 2);
    assert.deepEqual(valuesOf(await readAll(log)), ['0:one', '1:two']);
  });
});

describe('a flush', () => {
  it('covers what was appended before it, not what comes while it runs', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(2));
    const flushed = log.flush();
    const appended = appendAsClient(log, clientBatch(3));
    await appended;
    await flushed;
    assert.deepEqual([log.recoveryPoint, log.logEndOffset], [2n, 5n]);
    await log.flush();
    assert.equal(log.recoveryPoint, 5n);
  });
});

describe('a disk that refuses a sync', () => {
  const refused = storageError('KAFKA_STORAGE_ERROR', /EIO/);

  it('takes the partition offline: all is refused, and nothing counts as flushed, until it was opened again', async () => {
    const { log, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(['flushed']));
    await log.flush();
    await appendAsClient(log, clientBatch(['in doubt']));
    fileSystem.fail('sync', 'EIO', { path: logFile });
    await assert.rejects(log.flush(), refused);
    for (let n = 0; n < 2; n++) {
      assert.ok(refused(log.problem));
      await assert.rejects(log.flush(), refused);
      await assert.rejects(appendAsClient(log, clientBatch(1)), refused);
      await assert.rejects(readAll(log), refused);
      await assert.rejects(log.roll(), refused);
      assert.equal(log.recoveryPoint, 1n);
    }
    await log.open();
    assert.equal(log.problem, undefined);
    assert.equal(log.recoveryPoint, 2n);
    await appendAsClient(log, clientBatch(['next']));
    assert.deepEqual(valuesOf(await readAll(log)), ['0:flushed', '1:in doubt', '2:next']);
  });

  it('stays offline while it cannot be made durable again', async () => {
    const { log, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(['in doubt']));
    fileSystem.fail('sync', 'EIO', { path: logFile, times: 3 });
    await assert.rejects(log.flush(), refused);
    for (let n = 0; n < 2; n++) await assert.rejects(log.open(), refused);
    assert.ok(refused(log.problem));
    assert.equal(log.recoveryPoint, 0n);
    await log.open();
    assert.deepEqual(valuesOf(await readAll(log)), ['0:in doubt']);
  });

  it('with flush.messages=1: what was refused may be there, its retry is a duplicate, and survives a power cut', async () => {
    const config = { flushMessages: 1 };
    const batch = (value: string, baseSequence: number): Buffer =>
      clientBatch([value.padEnd(3000, '.')], { producerId: 3n, producerEpoch: 0, baseSequence });
    for (let seed = 1; seed <= 10; seed++) {
      const fileSystem = new MemoryFileSystem({ random: seededRandom(seed) });
      const { log } = await openLogs({ fileSystem, config });
      await appendAsClient(log, batch('one', 0));
      assert.equal(log.recoveryPoint, 1n);
      fileSystem.fail('sync', 'EIO', { path: logFile });
      const both = [appendAsClient(log, batch('two', 1)), appendAsClient(log, batch('three', 2))];
      for (const append of await Promise.allSettled(both))
        assert.ok(append.status === 'rejected' && refused(append.reason));
      await log.open();
      const answers = [];
      for (const [n, value] of ['two', 'three', 'four'].entries()) {
        const { baseOffset, isDuplicate } = await appendAsClient(log, batch(value, n + 1));
        answers.push(`${baseOffset} ${isDuplicate ? 'again' : 'new'}`);
      }
      assert.deepEqual(answers, ['1 again', '2 again', '3 new']);
      fileSystem.powerCut();
      const { log: after } = await openLogs({ fileSystem });
      const values = valuesOf(await readAll(after)).map((value) => value.replaceAll('.', ''));
      assert.deepEqual(values, ['0:one', '1:two', '2:three', '3:four']);
    }
  });

  it('in the background: an append whose own sync waits behind it is refused', async () => {
    const { log, fileSystem } = await openLogs({ config: { flushMessages: 2 } });
    await appendAsClient(log, clientBatch(1));
    fileSystem.fail('sync', 'EIO', { path: logFile });
    const flushed = log.flush();
    const [flush, append] = await Promise.allSettled([
      flushed,
      appendAsClient(log, clientBatch(2)),
    ]);
    assert.ok(flush.status === 'rejected' && refused(flush.reason));
    assert.ok(append.status === 'rejected' && refused(append.reason));
    assert.equal(log.recoveryPoint, 0n);
  });

  it('of several segments appends nothing after the one that it refused', async () => {
    const { log, fileSystem } = await openLogs({ config: { flushMessages: 1, segmentBytes: 100 } });
    fileSystem.fail('sync', 'EIO', { path: logFile });
    const appends = ['one', 'two', 'three'].map((value) =>
      appendAsClient(log, clientBatch([value])),
    );
    for (const append of appends) await assert.rejects(append, refused);
    await log.open();
    assert.deepEqual(valuesOf(await readAll(log)), ['0:one']);
  });

  it('after an append that its index has no room for: what was written stays, once there is room', async () => {
    const { log, fileSystem } = await openLogs({
      config: { flushMessages: 1, indexIntervalBytes: 1 },
    });
    await appendAsClient(log, clientBatch(['one']));
    fileSystem.fail('write', 'ENOSPC', { path: /\.index$/ });
    const full = storageError('KAFKA_STORAGE_ERROR', /full/);
    await assert.rejects(appendAsClient(log, clientBatch(['two'])), full);
    await assert.rejects(readAll(log), full);
    await log.open();
    assert.deepEqual(valuesOf(await readAll(log)), ['0:one', '1:two']);
  });

  it('keeps a log whose leader epochs found no room, and flushes it once there is', async () => {
    const { log, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(['one']));
    fileSystem.fail('write', 'ENOSPC', { path: /leader-epoch-checkpoint/ });
    await assert.rejects(log.flush(), storageError('KAFKA_STORAGE_ERROR', /full/));
    assert.deepEqual([log.problem, log.recoveryPoint], [undefined, 0n]);
    await log.flush();
    assert.equal(log.recoveryPoint, 1n);
  });

  it('of a segment that is deleted meanwhile has refused nothing', async () => {
    const { log, fileSystem } = await openLogs({ config: { segmentBytes: 100 } });
    for (const value of ['one', 'two']) await appendAsClient(log, clientBatch([value]));
    log.advanceHighWatermark(2n);
    await log.deleteRecordsBefore(1n);
    const flushed = log.flush();
    const deleted = log.applyRetention();
    fileSystem.fail('open', 'ENOENT', { path: /\/0{20}\.log$/ });
    fileSystem.fail('sync', 'ENOENT', { path: /\/0{20}\.log$/ });
    await Promise.all([flushed, deleted]);
    assert.equal(log.segmentCount, 1);
    assert.equal(log.problem, undefined);
  });

  it('ends a compaction that goes on beside it: the log that is read anew is not touched', async () => {
    const gate = deferred<undefined>();
    const fileSystem = new (class extends MemoryFileSystem {
      override async open(path: string, mode: OpenMode): Promise<OpenFile> {
        if (path.endsWith('.cleaned')) await gate.promise;
        return super.open(path, mode);
      }
    })();
    const config = { segmentBytes: 200, cleanupPolicy: new Set(['compact'] as const) };
    const { log, manager } = await openLogs({ fileSystem, config });
    for (let n = 0; n < 8; n++) await appendAsClient(log, clientBatch(2));
    log.advanceHighWatermark(16n);
    const all = valuesOf(await readAll(log));
    const toClean = await log.surveyCompaction();
    const compacted = assert.rejects(
      log.compact({ toClean, maxMapBytes: 1 << 20, checkAborted: () => undefined }),
      CleaningAborted,
    );
    fileSystem.fail('sync', 'EIO', { path: logFile });
    await assert.rejects(log.flush(), refused);
    await log.open();
    gate.resolve(undefined);
    await compacted;
    assert.deepEqual(valuesOf(await readAll(log)), all);
    await manager.compactNow();
    const left = valuesOf(await readAll(log));
    assert.ok(left.length < all.length);
    fileSystem.kill();
    assert.deepEqual(valuesOf(await readAll((await openLogs({ fileSystem })).log)), left);
  });

  it('at a stop leaves no clean-shutdown marker', async () => {
    const { log, fileSystem, manager } = await openLogs();
    await appendAsClient(log, clientBatch(['kept']));
    fileSystem.fail('sync', 'EIO', { path: logFile });
    await assert.rejects(manager.close(), storageError('KAFKA_STORAGE_ERROR'));
    const reopened = await openLogs({ fileSystem });
    assert.equal(reopened.manager.hadCleanShutdown, false);
    assert.deepEqual(valuesOf(await readAll(reopened.log)), ['0:kept']);
  });
});

describe('a log whose folder cannot be read', () => {
  it('fails what needs it, and works once it can', async () => {
    const first = await openLogs();
    await appendAsClient(first.log, clientBatch(['kept']));
    await first.manager.close();
    const { log, fileSystem } = await openLogs({ fileSystem: first.fileSystem });
    fileSystem.fail('read', 'EIO', { path: /t-0/ });
    await assert.rejects(appendAsClient(log, clientBatch(1)), storageError('KAFKA_STORAGE_ERROR'));
    await log.open();
    assert.deepEqual(valuesOf(await readAll(log)), ['0:kept']);
  });
});

describe('what the disk does to a log', () => {
  it('is told once, however often it fails, and again where it comes back later', async () => {
    const { errors, logger } = listener();
    const clock = new ManualClock(startMs);
    const { log, fileSystem } = await openLogs({ clock, options: { logger } });
    const other = { code: 'EIO', told: /^t-0: .*EIO.*Check the disk/ };
    for (const { code, told } of [
      { code: 'ENOSPC', told: /^t-0: the disk is full\. Make room/ },
      other,
    ]) {
      fileSystem.fail('write', code, { path: logFile, times: 6 });
      for (let n = 0; n < 5; n++) {
        await assert.rejects(appendAsClient(log, clientBatch(1)));
        clock.advance(50_000);
      }
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', told);
      clock.advance(60_000);
      await assert.rejects(appendAsClient(log, clientBatch(1)));
      assert.equal(errors.splice(0).length, 2);
    }
    await appendAsClient(log, clientBatch(1));
    assert.deepEqual(errors, []);
  });

  it('is told once of flushes in the background too', async () => {
    const { errors, logger } = listener();
    const clock = new ManualClock(startMs);
    const { log, fileSystem, manager } = await openLogs({ clock, options: { logger } });
    await appendAsClient(log, clientBatch(1));
    const { sync } = fileSystem.counts;
    fileSystem.fail('sync', 'EIO', { path: logFile, times: Infinity });
    manager.startMaintenance();
    while (fileSystem.counts.sync < sync + 5) {
      clock.advance(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(errors.length, 1);
    fileSystem.clearFaults();
    await manager.close();
  });
});

describe('a log that a sync failed for', () => {
  it('is checked at the next start, though the stop is clean', async () => {
    const { log, fileSystem, manager } = await openLogs();
    await appendAsClient(log, clientBatch(['kept']));
    fileSystem.fail('sync', 'EIO', { path: logFile });
    await assert.rejects(log.flush(), storageError('KAFKA_STORAGE_ERROR'));
    await manager.close();
    const reopened = await openLogs({ fileSystem });
    assert.equal(reopened.manager.hadCleanShutdown, false);
    assert.deepEqual(valuesOf(await readAll(reopened.log)), ['0:kept']);
  });
});

describe('a partition folder that cannot be read at the start', () => {
  const folder = /\/t-0(\/|$)/;
  const other = { topic: 'other', partition: 0, topicId, config: configWith() };
  const hosted = { topic: 't', partition: 0, topicId, config: configWith() };

  for (const end of ['stop', 'kill'] as const)
    for (const what of [/\/t-0\/partition\.metadata/, /\/t-0\/0{20}\.log/, folder])
      it(`after a ${end} (${what.source}) holds up nobody else, is left as it is, and is there again once it can be`, async () => {
        const first = await openLogs();
        await appendAsClient(first.log, clientBatch(['one', 'two']));
        await appendAsClient(await first.manager.create(other), clientBatch(['else']));
        if (end === 'stop') await first.manager.close();
        else first.fileSystem.kill();
        const { fileSystem } = first;
        const before = filesOf(fileSystem);
        const { errors, logger } = listener();
        const recovered: string[] = [];
        const clock = new ManualClock(startMs);
        const options = {
          logger,
          onDidRecover: ({ topic }: PartitionLog) => void recovered.push(topic),
        };
        for (const operation of ['open', 'read'] as const)
          fileSystem.fail(operation, 'EACCES', { path: what, times: Infinity });
        const manager = await openManager(fileSystem, { clock, options });
        const log = manager.host(hosted);
        assert.deepEqual(valuesOf(await readAll(manager.host(other))), ['0:else']);
        await assert.rejects(
          appendAsClient(log, clientBatch(1)),
          storageError('KAFKA_STORAGE_ERROR'),
        );
        assert.equal(log.problem?.error, 'KAFKA_STORAGE_ERROR');
        assert.equal(errors.length, 1);
        assert.match(errors[0] ?? '', /^t-0: .*EACCES.* Give the broker access to its files/);
        await manager.writeCheckpoints();
        assert.deepEqual(filesOf(fileSystem), before);

        fileSystem.clearFaults();
        manager.startMaintenance();
        const isOffline = (): boolean => log.problem !== undefined;
        while (isOffline()) {
          clock.advance(5000);
          await new Promise((resolve) => setImmediate(resolve));
        }
        assert.deepEqual(recovered, ['t']);
        assert.deepEqual(valuesOf(await readAll(log)), ['0:one', '1:two']);
        assert.equal((await appendAsClient(log, clientBatch(['three']))).baseOffset, 2n);
        await manager.close();
      });

  it('is checked at the start after, where it was not after a kill', async () => {
    const first = await openLogs();
    await appendAsClient(first.log, clientBatch(['one']));
    first.fileSystem.kill();
    const { fileSystem } = first;
    fileSystem.fail('read', 'EACCES', { path: folder, times: Infinity });
    const second = await openManager(fileSystem);
    second.host(hosted);
    await second.close();
    fileSystem.clearFaults();
    const third = await openLogs({ fileSystem });
    assert.equal(third.manager.hadCleanShutdown, false);
    assert.deepEqual(valuesOf(await readAll(third.log)), ['0:one']);
    await third.manager.close();
  });

  it('is set aside, not written to, where it turns out to be of another topic', async () => {
    const first = await openLogs();
    await appendAsClient(first.log, clientBatch(['theirs']));
    await first.manager.close();
    const { fileSystem } = first;
    fileSystem.fail('read', 'EACCES', { path: folder, times: 1 });
    const manager = await openManager(fileSystem);
    const log = manager.host({ ...hosted, topicId: 'BBBBBBBBBBBBBBBBBBBBBQ' });
    await log.open();
    assert.equal((await appendAsClient(log, clientBatch(['mine']))).baseOffset, 0n);
    assert.deepEqual(valuesOf(await readAll(log)), ['0:mine']);
    assert.ok(fileSystem.paths().some((path) => /\/t-0\..*-stray\/0{20}\.log/.test(path)));
    await manager.close();
  });
});

/** All that the folder has, byte for byte. */
function filesOf(fileSystem: MemoryFileSystem): [string, string | undefined][] {
  return fileSystem
    .paths()
    .filter((path) => path.startsWith('/data/t-0/'))
    .map((path) => [path, fileSystem.contents(path)?.toString('base64')]);
}

describe('a log that is closed or deleted', () => {
  it('refuses everything', async () => {
    const { log, manager } = await openLogs();
    await manager.delete('t', 0);
    await assert.rejects(
      appendAsClient(log, clientBatch(1)),
      storageError('KAFKA_STORAGE_ERROR', /closed or being deleted/),
    );
    await assert.rejects(
      log.read({ offset: 0n, maxBytes: 1, upTo: 'logEnd', minOneBatch: true }),
      storageError('KAFKA_STORAGE_ERROR'),
    );
    await assert.rejects(log.truncateTo(0n), storageError('KAFKA_STORAGE_ERROR'));
  });
});
