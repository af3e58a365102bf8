import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  appendAsClient,
  clientBatch,
  openLogs,
  readAll,
  storageError,
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
  it('never moves the recovery point past what it may have lost', async () => {
    const { log, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(1));
    await log.flush();
    await appendAsClient(log, clientBatch(1));
    fileSystem.fail('sync', 'EIO', { path: logFile });
    await assert.rejects(log.flush(), storageError('KAFKA_STORAGE_ERROR'));
    await appendAsClient(log, clientBatch(1));
    await log.flush();
    assert.equal(log.recoveryPoint, 1n);
  });

  it('with flush.messages=1 fails the append', async () => {
    const { log, fileSystem } = await openLogs({ config: { flushMessages: 1 } });
    await appendAsClient(log, clientBatch(1));
    assert.equal(log.recoveryPoint, 1n);
    fileSystem.fail('sync', 'EIO', { path: logFile });
    await assert.rejects(appendAsClient(log, clientBatch(1)), storageError('KAFKA_STORAGE_ERROR'));
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
    assert.deepEqual(valuesOf(await readAll(log)), ['0:kept']);
  });
});

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
