import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OpenFile, OpenMode } from '../../../src/storage/fileSystem.ts';
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
  turns,
  valuesOf,
} from './support.ts';

const text = (fileSystem: MemoryFileSystem, path: string): string | undefined =>
  fileSystem.contents(path)?.toString();

describe('a data directory', () => {
  it('is made with Kafka’s files', async () => {
    const { fileSystem, manager, log } = await openLogs();
    await appendAsClient(log, clientBatch(2), 3);
    log.advanceHighWatermark(1n);
    await manager.close();
    assert.match(
      text(fileSystem, '/data/meta.properties') ?? '',
      /^version=1\ncluster.id=cluster\nnode.id=1\ndirectory.id=[\w-]{22}$/m,
    );
    assert.equal(text(fileSystem, '/data/recovery-point-offset-checkpoint'), '0\n1\nt 0 2\n');
    assert.equal(text(fileSystem, '/data/replication-offset-checkpoint'), '0\n1\nt 0 1\n');
    assert.equal(text(fileSystem, '/data/log-start-offset-checkpoint'), '0\n0\n');
    assert.equal(text(fileSystem, '/data/.kafka_cleanshutdown'), '{"version":0,"brokerEpoch":-1}');
    assert.equal(text(fileSystem, '/data/t-0/leader-epoch-checkpoint'), '0\n1\n3 0\n');
    assert.equal(
      text(fileSystem, '/data/t-0/partition.metadata'),
      `version: 0\ntopic_id: ${topicId}\n`,
    );
    const names = fileSystem
      .paths()
      .filter((path) => path.startsWith('/data/t-0/'))
      .map((path) => path.slice(10));
    assert.deepEqual(names, [
      '00000000000000000000.index',
      '00000000000000000000.log',
      '00000000000000000000.timeindex',
      '00000000000000000002.snapshot',
      'leader-epoch-checkpoint',
      'partition.metadata',
    ]);
  });

  it('makes a log that a compaction on request looks at meanwhile', async () => {
    for (let steps = 0; steps < 30; steps++) {
      const { manager, log } = await openLogs();
      const config = { ...log.config, cleanupPolicy: new Set(['compact'] as const) };
      const made = manager.create({ topic: 'c', partition: 0, topicId, config });
      await turns(steps);
      await manager.compactNow();
      assert.equal((await made).logEndOffset, 0n);
      await manager.close();
    }
  });

  it('keeps a flush of a deleted log out of the log that takes its name', async () => {
    for (let steps = 0; steps < 12; steps++) {
      const { fileSystem, manager, log } = await openLogs();
      await appendAsClient(log, clientBatch(2), 3);
      const flushed = log.flush();
      for (let step = 0; step < steps; step++) await Promise.resolve();
      await manager.delete('t', 0);
      const id = 'AAAAAAAAAAAAAAAAAAAABw';
      const config = log.config;
      const again = await manager.create({ topic: 't', partition: 0, topicId: id, config });
      // It may have come too late, and then says so; it must not fail over files that went, or write others.
      await flushed.catch((error: unknown) =>
        assert.match(String(error), /closed or being deleted/),
      );
      assert.equal(
        text(fileSystem, '/data/t-0/leader-epoch-checkpoint') ?? '0\n0\n',
        '0\n0\n',
        `${steps}`,
      );
      assert.equal(again.leaderEpoch, -1);
      await manager.close();
    }
  });

  it('keeps its id', async () => {
    const { fileSystem, manager } = await openLogs();
    await manager.close();
    assert.equal((await openLogs({ fileSystem })).manager.directoryId, manager.directoryId);
  });

  const meta = (lines: string): string => `#\n${lines}\n`;
  const refusals: [name: string, contents: string, message: RegExp][] = [
    [
      'of a newer version',
      meta('version=2\ncluster.id=cluster\nnode.id=1'),
      /newer version.*Update Kafka Workbench/,
    ],
    ['of an unknown version', meta('cluster.id=cluster'), /no version that is known/],
    [
      'of another cluster',
      meta('version=1\ncluster.id=other\nnode.id=1'),
      /another cluster.*other.*Choose another/,
    ],
    ['of another broker', meta('version=1\ncluster.id=cluster\nnode.id=2'), /another broker/],
  ];
  for (const [name, contents, message] of refusals)
    it(`${name} is refused, and left as it was`, async () => {
      const fileSystem = new MemoryFileSystem();
      fileSystem.place('/data/meta.properties', Buffer.from(contents));
      fileSystem.place('/data/.kafka_cleanshutdown', Buffer.from('{}'));
      await assert.rejects(openManager(fileSystem), storageError('KAFKA_STORAGE_ERROR', message));
      assert.deepEqual(fileSystem.paths(), ['/data/.kafka_cleanshutdown', '/data/meta.properties']);
    });

  for (const code of ['EACCES', 'EROFS', 'ENOSPC'])
    it(`that cannot be written (${code}) is refused in words`, async () => {
      const fileSystem = new MemoryFileSystem();
      fileSystem.fail('write', code, { path: /write-check/ });
      await assert.rejects(
        openManager(fileSystem),
        storageError('KAFKA_STORAGE_ERROR', /\/data cannot be written.*write access/),
      );
    });

  it('may hold folders that are not partitions', async () => {
    const fileSystem = new MemoryFileSystem();
    fileSystem.place('/data/notes/readme.txt', Buffer.from('hello'));
    fileSystem.place('/data/lost-7/readme.txt', Buffer.from('no metadata'));
    const { manager } = await openLogs({ fileSystem });
    assert.deepEqual(
      [...manager.logs()].map(({ topic }) => topic),
      ['t'],
    );
    assert.ok(fileSystem.contents('/data/lost-7/readme.txt'));
  });
});

describe('a log manager', () => {
  it('finds its logs again, with dashes and dots in their names', async () => {
    const { manager, fileSystem } = await openLogs();
    for (const topic of ['a-1', 'b.c_d-e', '__consumer_offsets'])
      await manager.create({ topic, partition: 12, topicId, config: configWith() });
    await manager.close();
    const reopened = await openLogs({ fileSystem });
    const found = [...reopened.manager.logs()]
      .map(({ topic, partition }) => `${topic}/${partition}`)
      .sort();
    assert.deepEqual(found, ['__consumer_offsets/12', 'a-1/12', 'b.c_d-e/12', 't/0']);
    assert.equal(reopened.manager.get('a-1', 12)?.topicId, topicId);
  });

  it('opens nothing after a clean stop', async () => {
    const { manager, fileSystem } = await openLogs();
    for (let partition = 0; partition < 50; partition++)
      await manager.create({ topic: 'many', partition, topicId, config: configWith() });
    await manager.close();
    const opens = fileSystem.counts.open;
    const reads = fileSystem.counts.read;
    const reopened = await openManager(fileSystem);
    assert.equal([...reopened.logs()].filter(({ isOpen }) => isOpen).length, 0);
    assert.ok(fileSystem.counts.open - opens < 10, 'opens do not grow with partitions');
    assert.ok(fileSystem.counts.read - reads < 51 + 10, 'of each it reads whose it is');
    await reopened.close();
    assert.equal(
      text(fileSystem, '/data/recovery-point-offset-checkpoint')?.split('\n').length,
      54,
    );
  });

  it('holds a bounded number of files open', async () => {
    const { manager, fileSystem } = await openLogs();
    const logs = await Promise.all(
      Array.from({ length: 600 }, (_, partition) =>
        manager.create({ topic: 'many', partition, topicId, config: configWith() }),
      ),
    );
    for (const log of logs) await appendAsClient(log, clientBatch(1));
    await turns(5);
    assert.ok(fileSystem.openFiles <= 512, `${fileSystem.openFiles} open files`);
    for (const log of logs.slice(0, 5)) assert.equal((await readAll(log)).length, 1);
    await manager.close();
    assert.equal(fileSystem.openFiles, 0);
  });

  it('deletes a log by renaming its folder, and removes that after file.delete.delay.ms', async () => {
    const { manager, log, fileSystem, clock } = await openLogs();
    await appendAsClient(log, clientBatch(1));
    await manager.delete('t', 0);
    assert.equal(manager.get('t', 0), undefined);
    assert.ok(
      fileSystem
        .paths()
        .some((path) => /^\/data\/t-0\.[0-9a-f]{32}-delete\/\d{20}\.log$/.test(path)),
    );
    const again = await manager.create({
      topic: 't',
      partition: 0,
      topicId: 'BBBBBBBBBBBBBBBBBBBBBA',
      config: configWith(),
    });
    assert.equal(again.logEndOffset, 0n);
    clock.advance(60_000);
    await turns();
    assert.equal(
      fileSystem.paths().some((path) => path.includes('-delete')),
      false,
    );
    assert.ok(fileSystem.contents('/data/t-0/00000000000000000000.log'));
  });

  it('finishes deletions that a kill interrupted', async () => {
    const { manager, fileSystem } = await openLogs();
    await manager.delete('t', 0);
    fileSystem.kill();
    const { log } = await openLogs({ fileSystem });
    await turns();
    assert.equal(
      fileSystem.paths().some((path) => path.includes('-delete')),
      false,
    );
    assert.equal(log.logEndOffset, 0n);
  });

  it('does not mix up a topic with an earlier one of its name', async () => {
    const { manager, log } = await openLogs();
    assert.equal(
      await manager.create({ topic: 't', partition: 0, topicId, config: configWith() }),
      log,
    );
    await assert.rejects(
      manager.create({
        topic: 't',
        partition: 0,
        topicId: 'BBBBBBBBBBBBBBBBBBBBBA',
        config: configWith(),
      }),
      storageError('KAFKA_STORAGE_ERROR', /topic id/),
    );
  });

  it('recovers a log that no checkpoint knows, whatever the marker says', async () => {
    const { manager, log, fileSystem } = await openLogs();
    await appendAsClient(log, clientBatch(['kept']));
    await manager.close();
    fileSystem.place('/data/recovery-point-offset-checkpoint', Buffer.from('0\n0\n'));
    const reopened = await openManager(fileSystem);
    assert.deepEqual(valuesOf(await readAll(reopened.get('t', 0)!)), []);
    await reopened.get('t', 0)!.open();
    assert.deepEqual(valuesOf(await readAll(reopened.get('t', 0)!)), ['0:kept']);
  });
});

describe('a clean stop', () => {
  /** A disk whose syncs last a while, and the most that it had at the same time. */
  class SlowDisk extends MemoryFileSystem {
    mostAtOnce = 0;
    #running = 0;

    override async open(path: string, mode: OpenMode): Promise<OpenFile> {
      const file = await super.open(path, mode);
      return { ...file, sync: () => this.#slowly(() => file.sync()) };
    }

    override syncDirectory(path: string): Promise<void> {
      return this.#slowly(() => super.syncDirectory(path));
    }

    async #slowly(sync: () => Promise<void>): Promise<void> {
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#running);
      await turns(4);
      await sync();
      this.#running--;
    }
  }

  it('syncs many logs at a time, and not all of them', async () => {
    const fileSystem = new SlowDisk();
    const { manager, log } = await openLogs({ fileSystem });
    for (let partition = 0; partition < 40; partition++) {
      const made = manager.host({ topic: 'many', partition, topicId, config: log.config });
      await appendAsClient(made, clientBatch(1));
    }
    fileSystem.mostAtOnce = 0;
    await manager.close();
    assert.equal(fileSystem.mostAtOnce, 16);
    fileSystem.powerCut();
    const again = await openManager(fileSystem);
    assert.equal(again.hadCleanShutdown, true);
    for (let partition = 0; partition < 40; partition++)
      assert.deepEqual(valuesOf(await readAll(again.get('many', partition)!)), ['0:value 0']);
    await again.close();
  });

  it('does not wait for a round of flushes that goes from one log to the next', async () => {
    const fileSystem = new SlowDisk();
    const { manager, log, clock } = await openLogs({ fileSystem });
    manager.startMaintenance();
    for (let partition = 0; partition < 20; partition++) {
      const made = manager.host({ topic: 'many', partition, topicId, config: log.config });
      await appendAsClient(made, clientBatch(1));
    }
    const unflushed = (): number => [...manager.logs()].filter(({ isDirty }) => isDirty).length;
    const dirty = unflushed();
    for (let n = 0; n < 5; n++) {
      clock.advance(250);
      await turns(1);
    }
    while (unflushed() === dirty) await turns(1);
    fileSystem.mostAtOnce = 0;
    const flushedBefore = dirty - unflushed();
    await manager.close();
    assert.ok(flushedBefore < 10, `${flushedBefore}`);
    assert.equal(fileSystem.mostAtOnce, 16);
  });
});

describe('maintenance', () => {
  it('flushes within a second or so, and writes the checkpoints', async () => {
    const { manager, log, clock, fileSystem } = await openLogs();
    manager.startMaintenance();
    await appendAsClient(log, clientBatch(5));
    log.advanceHighWatermark(3n);
    for (let n = 0; n < 6; n++) {
      clock.advance(250);
      await turns();
    }
    assert.equal(log.recoveryPoint, 5n);
    clock.advance(5000);
    await turns();
    assert.equal(text(fileSystem, '/data/replication-offset-checkpoint'), '0\n1\nt 0 3\n');
    assert.equal(text(fileSystem, '/data/recovery-point-offset-checkpoint'), '0\n1\nt 0 5\n');
    await manager.close();
  });

  it('applies retention every log.retention.check.interval.ms', async () => {
    const config = { retentionMs: 1000 };
    const { manager, log, clock } = await openLogs({
      config,
      options: { retentionCheckIntervalMs: 10_000 },
    });
    manager.startMaintenance();
    await appendAsClient(log, clientBatch(2, { timestamp: BigInt(startMs) }));
    log.advanceHighWatermark(2n);
    clock.advance(10_000);
    await turns();
    assert.equal(log.logStartOffset, 2n);
    await manager.close();
  });

  it('forgets silent producers every producer.id.expiration.check.interval.ms', async () => {
    const options = { producerIdExpirationMs: 1000, producerCheckIntervalMs: 180_000 };
    const { manager, log, clock } = await openLogs({ options });
    manager.startMaintenance();
    await appendAsClient(
      log,
      clientBatch(1, { producerId: 7n, producerEpoch: 0, baseSequence: 0 }),
    );
    const ticks = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n++) {
        clock.advance(60_000);
        await turns();
      }
      return (await log.activeProducers()).length;
    };
    assert.equal(await ticks(2), 1);
    assert.equal(await ticks(1), 0);
    await manager.close();
  });

  it('writes nothing while nothing happens', async () => {
    const { manager, clock, fileSystem, log } = await openLogs();
    await log.flush();
    manager.startMaintenance();
    clock.advance(5000);
    await turns();
    const { write, sync } = { ...fileSystem.counts };
    for (let n = 0; n < 10; n++) {
      clock.advance(5000);
      await turns(20);
    }
    assert.deepEqual([fileSystem.counts.write, fileSystem.counts.sync], [write, sync]);
    await manager.close();
  });

  it('goes on with other logs where one fails, and says so', async () => {
    const { errors, logger } = listener();
    const clock = new ManualClock(startMs);
    const { manager, log, fileSystem } = await openLogs({ clock, options: { logger } });
    const other = await manager.create({
      topic: 'other',
      partition: 0,
      topicId,
      config: configWith(),
    });
    await appendAsClient(log, clientBatch(1));
    await appendAsClient(other, clientBatch(1));
    fileSystem.fail('sync', 'EIO', { path: /\/t-0\// });
    manager.startMaintenance();
    for (let n = 0; n < 6; n++) {
      clock.advance(250);
      await turns();
    }
    assert.equal(other.recoveryPoint, 1n);
    assert.match(errors.join('\n'), /t-0.*EIO/);
    await manager.close().catch(() => undefined);
  });

  it('leaves no timer behind', async () => {
    const { manager, clock } = await openLogs();
    manager.startMaintenance();
    clock.advance(1000);
    await turns();
    await manager.close();
    assert.equal(clock.pendingTimers, 0);
  });
});
