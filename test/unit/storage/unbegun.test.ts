// Logs of partitions that nothing was written to: they have nothing on the disk.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LogManager } from '../../../src/storage/logManager.ts';
import type { PartitionLog } from '../../../src/storage/partitionLog.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import {
  appendAsClient,
  clientBatch,
  configWith,
  openManager,
  readAll,
  storageError,
  topicId,
  valuesOf,
} from './support.ts';

const read = { maxBytes: 100, upTo: 'logEnd', minOneBatch: true } as const;

interface Hosted {
  readonly fileSystem: MemoryFileSystem;
  readonly manager: LogManager;
  readonly log: PartitionLog;
}

async function hosted(fileSystem = new MemoryFileSystem(), id = topicId): Promise<Hosted> {
  const manager = await openManager(fileSystem);
  const log = manager.host({ topic: 't', partition: 0, topicId: id, config: configWith() });
  return { fileSystem, manager, log };
}

const filesOf = ({ fileSystem }: Hosted): string[] =>
  fileSystem.paths().filter((path) => path.startsWith('/data/t-0'));

describe('a log that nothing was written to', () => {
  it('is read, looked at and kept in order without anything on the disk', async () => {
    const test = await hosted();
    const { log, manager } = test;
    const { records, highWatermark } = await log.read({ ...read, offset: 0n });
    assert.deepEqual([records.length, highWatermark], [0, 0n]);
    await assert.rejects(log.read({ ...read, offset: 1n }), storageError('OFFSET_OUT_OF_RANGE'));
    assert.equal(await log.offsetForTimestamp(0n), undefined);
    assert.equal(await log.offsetOfMaxTimestamp(), undefined);
    assert.deepEqual(await log.activeProducers(), []);
    await log.startLeaderEpoch(3);
    await log.startLeaderEpoch(5);
    const ends = await Promise.all([-1, 2, 5, 6].map((epoch) => log.endOffsetForEpoch(epoch)));
    assert.deepEqual(
      ends.map(({ leaderEpoch, endOffset }) => [leaderEpoch, endOffset]),
      [
        [-1, -1n],
        [2, 0n],
        [5, 0n],
        [-1, -1n],
      ],
    );
    await log.deleteRecordsBefore(0n);
    await assert.rejects(log.deleteRecordsBefore(1n), storageError('OFFSET_OUT_OF_RANGE'));
    assert.equal(await log.applyRetention(), 0);
    await log.open();
    await log.flush();
    log.updateConfig({ ...log.config, cleanupPolicy: new Set(['compact'] as const) });
    assert.deepEqual(await manager.compactNow(), []);
    await manager.writeCheckpoints();
    await manager.close();
    assert.deepEqual(filesOf(test), []);
    const checkpoint = test.fileSystem.contents('/data/recovery-point-offset-checkpoint');
    assert.equal(checkpoint?.toString(), '0\n0\n');
  });

  it('begins with its first record, which a kill does not take', async () => {
    const test = await hosted();
    await appendAsClient(test.log, clientBatch(['first']));
    assert.equal(
      test.fileSystem.contents('/data/t-0/partition.metadata')?.toString(),
      `version: 0\ntopic_id: ${topicId}\n`,
    );
    test.fileSystem.kill();
    const { log } = await hosted(test.fileSystem);
    assert.deepEqual(valuesOf(await readAll(log)), ['0:first']);
  });

  it('takes its leader epoch along when it begins', async () => {
    const { log, fileSystem } = await hosted();
    await log.startLeaderEpoch(4);
    assert.equal(log.leaderEpoch, 4);
    await log.begin();
    assert.equal(log.leaderEpoch, 4);
    await appendAsClient(log, clientBatch(['first']), 5);
    assert.deepEqual(await log.endOffsetForEpoch(4), { leaderEpoch: 4, endOffset: 0n });
    await log.flush();
    const checkpoint = fileSystem.contents('/data/t-0/leader-epoch-checkpoint');
    assert.equal(checkpoint?.toString(), '0\n1\n5 0\n');
  });

  it('keeps its leader epoch, and reads as empty, where its folder was made and its files could not be', async () => {
    const { log, fileSystem } = await hosted();
    await log.startLeaderEpoch(4);
    fileSystem.fail('open', 'ENOSPC', { path: /\/t-0\/0{20}\.log/ });
    await assert.rejects(log.begin(), storageError('KAFKA_STORAGE_ERROR', /full/));
    assert.equal(log.leaderEpoch, 4);
    assert.equal((await log.read({ ...read, offset: 0n })).records.length, 0);
    await log.startLeaderEpoch(5);
    await log.begin();
    assert.deepEqual(await log.endOffsetForEpoch(5), { leaderEpoch: 5, endOffset: 0n });
  });

  it('begins once where several write first', async () => {
    const { log } = await hosted();
    const values = ['a', 'b', 'c'];
    await Promise.all(values.map((value) => appendAsClient(log, clientBatch([value]))));
    assert.deepEqual(valuesOf(await readAll(log)), ['0:a', '1:b', '2:c']);
  });

  it('refuses the write where its folder cannot be made, and begins once it can', async () => {
    const test = await hosted();
    test.fileSystem.fail('rename', 'EIO', { path: /partition.metadata/ });
    const refused = appendAsClient(test.log, clientBatch(['lost']));
    await assert.rejects(refused, storageError('KAFKA_STORAGE_ERROR'));
    await appendAsClient(test.log, clientBatch(['kept']));
    assert.deepEqual(valuesOf(await readAll(test.log)), ['0:kept']);
  });

  it('leaves nothing when it is deleted, also while it begins', async () => {
    for (let steps = 0; steps < 20; steps++) {
      const test = await hosted();
      const written = appendAsClient(test.log, clientBatch(1)).catch(() => undefined);
      for (let step = 0; step < steps; step++) await new Promise(setImmediate);
      await test.manager.delete('t', 0);
      await written;
      const left = filesOf(test).filter((path) => !path.includes('-delete/'));
      assert.deepEqual(left, [], `after ${steps} steps`);
    }
  });

  it('does not take for its own what a folder of its name holds that says no topic id', async () => {
    const old = await hosted();
    await appendAsClient(old.log, clientBatch(['of another topic']));
    await old.manager.close();
    await old.fileSystem.remove('/data/t-0/partition.metadata');
    const { log, fileSystem } = await hosted(old.fileSystem, 'AAAAAAAAAAAAAAAAAAAABw');
    await appendAsClient(log, clientBatch(['mine']));
    assert.deepEqual(valuesOf(await readAll(log)), ['0:mine']);
    const aside = fileSystem.paths().filter((path) => /\/t-0\.[0-9a-f]{32}-stray\//.test(path));
    assert.ok(aside.some((path) => path.endsWith('/00000000000000000000.log')));
  });
});
