// Folders of partitions: whose they are, and what becomes of those that are nobody's any more.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import type { LogManagerOptions } from '../../../src/storage/logManager.ts';
import type { PartitionLog } from '../../../src/storage/partitionLog.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import {
  appendAsClient,
  clientBatch,
  configWith,
  openManager,
  readAll,
  startMs,
  storageError,
  topicId,
  turns,
  valuesOf,
} from './support.ts';

const laterId = 'AAAAAAAAAAAAAAAAAAAABw';

/** A log manager that tells what it warns of. */
async function kept(fileSystem = new MemoryFileSystem(), given: Partial<LogManagerOptions> = {}) {
  const told: string[] = [];
  const note = (message: string): void => void told.push(message);
  const logger: Logger = { ...silentLogger, warn: note, error: note };
  const clock = new ManualClock(startMs);
  const options = { logger, ...given };
  const manager = await openManager(fileSystem, { clock, options });
  const host = (topic: string, id = topicId): PartitionLog =>
    manager.host({ topic, partition: 0, topicId: id, config: configWith() });
  const folders = (): string[] =>
    [...new Set(fileSystem.paths().flatMap((path) => path.split('/').slice(2, -1)))].sort();
  return { fileSystem, manager, clock, told, host, folders };
}

const write = (log: PartitionLog, value: string) => appendAsClient(log, clientBatch([value]));
const read = async (log: PartitionLog): Promise<string[]> => valuesOf(await readAll(log));

describe('a folder that cannot be renamed when its log is deleted', () => {
  const stuck = { path: /\/stuck-0$/ };

  it('is told, and deleted later; logs that are deleted along with it go at once', async () => {
    const { manager, clock, told, host, folders, fileSystem } = await kept();
    for (const topic of ['first', 'stuck', 'last', 'other']) await write(host(topic), topic);
    fileSystem.fail('rename', 'EACCES', { ...stuck, times: 2 });
    await manager.deleteAll(['first', 'stuck', 'last'].map((topic) => ({ topic, partition: 0 })));
    assert.equal(manager.get('stuck', 0), undefined);
    const names = (): string[] => folders().filter((name) => !name.includes('-delete'));
    assert.deepEqual(names(), ['other-0', 'stuck-0']);
    assert.match(told.join('\n'), /\/stuck-0 cannot be deleted, and is tried again.*EACCES/);
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.deepEqual(names(), ['other-0', 'stuck-0']);
      clock.advance(60_000);
      await turns();
    }
    assert.deepEqual(names(), ['other-0']);
    clock.advance(60_000);
    await turns();
    assert.deepEqual(folders(), ['other-0']);
    await manager.close();
    assert.equal(clock.pendingTimers, 0);
  });

  it('is set aside by a later topic of its name, which has records of its own only', async () => {
    const { manager, clock, told, host, folders, fileSystem } = await kept();
    await write(host('stuck'), 'of the earlier topic');
    fileSystem.fail('rename', 'EACCES', stuck);
    await manager.delete('stuck', 0);
    const log = host('stuck', laterId);
    clock.advance(60_000);
    await write(log, 'mine');
    assert.deepEqual(await read(log), ['0:mine']);
    assert.match(told.join('\n'), /renamed to stuck-0\.[0-9a-f]{32}-stray/);
    clock.advance(600_000);
    await turns();
    const [own, stray, ...rest] = folders();
    assert.deepEqual([own, rest], ['stuck-0', []]);
    const records = fileSystem.contents(`/data/${stray}/00000000000000000000.log`)?.toString();
    assert.match(records ?? '', /of the earlier topic/);
    await manager.close();
  });

  it('keeps a later topic of its name from writing for as long as it cannot be set aside', async () => {
    const { manager, host, fileSystem } = await kept();
    await write(host('stuck'), 'of the earlier topic');
    fileSystem.fail('rename', 'EACCES', { ...stuck, times: 2 });
    await manager.delete('stuck', 0);
    const log = host('stuck', laterId);
    await assert.rejects(write(log, 'refused'), storageError('KAFKA_STORAGE_ERROR', /EACCES/));
    await write(log, 'taken');
    assert.deepEqual(await read(log), ['0:taken']);
    await manager.close();
  });

  it('is a stray after a restart: set aside, and named again at every start', async () => {
    for (const end of ['stop', 'kill'] as const) {
      const first = await kept();
      await write(first.host('stuck'), 'of the earlier topic');
      first.fileSystem.fail('rename', 'EACCES', stuck);
      await first.manager.delete('stuck', 0);
      if (end === 'stop') await first.manager.close();
      else first.fileSystem.kill();
      const isStray: LogManagerOptions['isStray'] = (found) => found.topicId !== laterId;
      const { manager, host, folders, told } = await kept(first.fileSystem, { isStray });
      assert.deepEqual([...manager.logs()], []);
      const log = host('stuck', laterId);
      await write(log, 'mine');
      assert.deepEqual(await read(log), ['0:mine']);
      assert.match(folders().join(' '), /^stuck-0 stuck-0\.[0-9a-f]{32}-stray$/);
      assert.match(told.join('\n'), /\/stuck-0 is not of a topic that is there now/);
      await manager.close();
      const again = await kept(first.fileSystem, { isStray });
      assert.match(again.told.join('\n'), /1 folders in \/data whose names end in -stray/);
      assert.deepEqual(await read(again.host('stuck', laterId)), ['0:mine']);
      await again.manager.close();
    }
  });
});

describe('a folder that is about to be deleted', () => {
  it('leaves its name before a later topic takes that, however soon it does', async () => {
    for (let steps = 0; steps < 12; steps++) {
      const { manager, host, folders, fileSystem, told } = await kept();
      await write(host('t'), 'of the earlier topic');
      const gone = manager.delete('t', 0);
      await turns(steps);
      const log = host('t', laterId);
      await write(log, 'mine');
      await gone;
      assert.deepEqual(await read(log), ['0:mine'], `after ${steps} steps`);
      assert.deepEqual(told, []);
      assert.ok(folders().includes('t-0'));
      fileSystem.kill();
      const again = await kept(fileSystem);
      assert.deepEqual(await read(again.host('t', laterId)), ['0:mine']);
      await again.manager.close();
    }
  });
});

describe('a folder that has the name of a log that begins', () => {
  it('is taken where it is what was left of a beginning that failed', async () => {
    const { manager, host, fileSystem, folders } = await kept();
    fileSystem.place('/data/t-0/partition.metadata.tmp', Buffer.from('version: 0\nto'));
    const log = host('t');
    await write(log, 'mine');
    assert.deepEqual(await read(log), ['0:mine']);
    assert.deepEqual(folders(), ['t-0']);
    await manager.close();
  });

  it('is not left behind where its topic id cannot be written', async () => {
    const { manager, host, fileSystem } = await kept();
    fileSystem.fail('write', 'ENOSPC', { path: /partition.metadata/ });
    await assert.rejects(write(host('t'), 'refused'), storageError('KAFKA_STORAGE_ERROR'));
    await assert.rejects(fileSystem.list('/data/t-0'), /ENOENT/);
    await write(host('t'), 'taken');
    await manager.close();
  });

  it('stays whose it is on a disk that does not tell case apart', async () => {
    const fileSystem = new MemoryFileSystem({ foldsCase: true });
    const { manager, host } = await kept(fileSystem);
    const orders = host('Orders');
    await write(orders, 'first');
    const refused = write(host('orders', laterId), 'refused');
    await assert.rejects(
      refused,
      storageError(
        'KAFKA_STORAGE_ERROR',
        /in use by a topic whose name differs from orders in case/,
      ),
    );
    await write(orders, 'second');
    assert.deepEqual(await read(orders), ['0:first', '1:second']);
    await manager.close();
  });
});

describe('the files of deleted logs', () => {
  it('are removed folder by folder, and those that a stop leaves after the next start', async () => {
    const { manager, clock, host, folders, fileSystem } = await kept();
    const topics = Array.from({ length: 20 }, (_, n) => `t${n}`);
    await Promise.all(topics.map((topic) => write(host(topic), topic)));
    await manager.deleteAll(topics.map((topic) => ({ topic, partition: 0 })));
    assert.equal(folders().length, 20);
    clock.advance(60_000);
    await turns(3);
    await manager.close();
    const left = folders().length;
    assert.ok(left > 10 && left < 20, `${left}`);
    const again = await openManager(fileSystem);
    assert.ok(folders().length > left - 3, 'a start does not wait for them');
    while (folders().length > 0) await turns(1);
    await again.close();
  });
});
