// The file that says whose a folder is. Where Kafka cannot read it, it takes the whole directory out of service.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPartitionMetadata } from '../../../src/storage/partitionMetadata.ts';
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

const path = '/data/t-0/partition.metadata';
const hosted = { topic: 't', partition: 0, topicId, config: configWith() };
const other = { ...hosted, topic: 'other' };

const damages: Readonly<Record<string, Uint8Array>> = {
  empty: Buffer.alloc(0),
  'of zeros': Buffer.alloc(4096),
  garbage: Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80]),
  'cut off': Buffer.from('version: 0\ntopic_id: AAAAAAAA'),
  'without a topic id': Buffer.from('version: 0\n'),
  'of no topic': Buffer.from('version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA\n'),
  'of a version that is none': Buffer.from(`version: -1\ntopic_id: ${topicId}\n`),
};

function filesOf(fileSystem: MemoryFileSystem): [string, string | undefined][] {
  return fileSystem
    .paths()
    .filter((each) => each.includes('t-0'))
    .map((each) => [each, fileSystem.contents(each)?.toString('base64')]);
}

describe('partition.metadata', () => {
  for (const [kind, bytes] of Object.entries(damages))
    for (const end of ['stop', 'kill'] as const)
      it(`${kind}, after a ${end}: the partition is offline and left as it is until the file is mended`, async () => {
        const first = await openLogs();
        await appendAsClient(first.log, clientBatch(['kept']));
        await appendAsClient(await first.manager.create(other), clientBatch(['else']));
        if (end === 'stop') await first.manager.close();
        else first.fileSystem.kill();
        const { fileSystem } = first;
        const sound = fileSystem.contents(path);
        assert.ok(sound);
        fileSystem.place(path, bytes);
        const before = filesOf(fileSystem);

        const { errors, logger } = listener();
        const clock = new ManualClock(startMs);
        const manager = await openManager(fileSystem, { clock, options: { logger } });
        const log = manager.host(hosted);
        assert.deepEqual(valuesOf(await readAll(manager.host(other))), ['0:else']);
        for (const call of [
          () => appendAsClient(log, clientBatch(1)),
          () => log.read({ offset: 0n, maxBytes: 1, upTo: 'logEnd', minOneBatch: true }),
          () => log.open(),
        ])
          await assert.rejects(call, storageError('KAFKA_STORAGE_ERROR', /metadata is damaged/));
        assert.equal(errors.length, 1);
        assert.match(errors[0] ?? '', /^t-0: \/data\/t-0\/partition\.metadata is damaged, it /);
        assert.ok(errors[0]?.includes(`write the lines "version: 0" and "topic_id: ${topicId}"`));
        await manager.writeCheckpoints();
        assert.deepEqual(filesOf(fileSystem), before);

        fileSystem.place(path, sound);
        manager.startMaintenance();
        const isOffline = (): boolean => log.problem !== undefined;
        while (isOffline()) {
          clock.advance(5000);
          await new Promise((resolve) => setImmediate(resolve));
        }
        assert.deepEqual(valuesOf(await readAll(log)), ['0:kept']);
        assert.equal((await appendAsClient(log, clientBatch(['next']))).baseOffset, 1n);
        await manager.close();
      });

  it('that is damaged beside nothing else is written anew: there is nothing to lose', async () => {
    const fileSystem = new MemoryFileSystem();
    fileSystem.place(path, Buffer.alloc(0));
    const manager = await openManager(fileSystem);
    const log = manager.host(hosted);
    await log.open();
    await appendAsClient(log, clientBatch(['first']));
    assert.equal(await readPartitionMetadata(fileSystem, '/data/t-0'), topicId);
    await manager.close();
  });

  it('is read as Kafka reads it: of a later version, with other ends of lines, with more lines', async () => {
    const fileSystem = new MemoryFileSystem();
    for (const contents of [
      `version: 0\ntopic_id: ${topicId}`,
      `version: 1\r\ntopic_id:  ${topicId}\r\n`,
      `version: 0\ntopic_id: ${topicId}\n${'more\n'.repeat(1000)}`,
    ]) {
      fileSystem.place(path, Buffer.from(contents));
      assert.equal(await readPartitionMetadata(fileSystem, '/data/t-0'), topicId);
    }
    assert.equal(await readPartitionMetadata(fileSystem, '/data/nowhere-0'), undefined);
  });
});
