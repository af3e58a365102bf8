import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';
import type { LogConfig } from '../../../src/storage/logConfig.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import {
  appendAsClient,
  clientBatch,
  openLogs,
  readAll,
  startMs,
  type TestLogs,
  valuesOf,
} from './support.ts';

const config = { segmentBytes: 1000, indexIntervalBytes: 150 };
const folder = '/data/t-0';

async function filled(
  count: number,
  overrides: Partial<LogConfig> = {},
  fileSystem = new MemoryFileSystem(),
): Promise<TestLogs> {
  const test = await openLogs({ fileSystem, config: { ...config, ...overrides } });
  for (let n = 0; n < count; n++)
    await appendAsClient(
      test.log,
      clientBatch([`record ${n}`], { timestamp: BigInt(startMs + n) }),
      n >> 3,
    );
  return test;
}

function reopen(fileSystem: MemoryFileSystem): Promise<TestLogs> {
  return openLogs({ fileSystem, config });
}

async function values(test: TestLogs): Promise<string[]> {
  return valuesOf(await readAll(test.log));
}

function expected(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${n}:record ${n}`);
}

function lastOf(fileSystem: MemoryFileSystem, ending: string): string {
  const path = fileSystem
    .paths()
    .findLast((each) => each.startsWith(folder) && each.endsWith(ending));
  assert.ok(path !== undefined);
  return path;
}

describe('a log after a kill', () => {
  it('has every acknowledged record, with indexes and epochs', async () => {
    const { fileSystem } = await filled(40);
    fileSystem.kill();
    const test = await reopen(fileSystem);
    assert.equal(test.manager.hadCleanShutdown, false);
    assert.deepEqual(await values(test), expected(40));
    assert.equal(test.log.leaderEpoch, 4);
    assert.deepEqual(await test.log.endOffsetForEpoch(2), { leaderEpoch: 2, endOffset: 24n });
    assert.equal((await test.log.offsetForTimestamp(BigInt(startMs + 17)))?.offset, 17n);
    assert.equal((await appendAsClient(test.log, clientBatch(1))).baseOffset, 40n);
  });

  for (const cut of [1, 30, 61, 90])
    it(`is cut where its last batch is torn, ${cut} bytes from the end`, async () => {
      const { fileSystem } = await filled(20);
      fileSystem.kill();
      const path = lastOf(fileSystem, '.log');
      const bytes = fileSystem.contents(path) ?? Buffer.alloc(0);
      fileSystem.place(path, bytes.subarray(0, bytes.length - cut));
      const test = await reopen(fileSystem);
      const found = await values(test);
      assert.deepEqual(found, expected(found.length));
      assert.ok(found.length >= 18 && found.length < 20);
      await appendAsClient(test.log, clientBatch(['next']));
      assert.deepEqual((await values(test)).at(-1), `${found.length}:next`);
    });

  it('is cut before a batch with a flipped bit, and what follows goes, whole segments too', async () => {
    const { fileSystem } = await filled(40);
    fileSystem.kill();
    const path = `${folder}/00000000000000000000.log`;
    const size = fileSystem.contents(path)?.length ?? 0;
    const bytes = fileSystem.contents(path)!;
    bytes.writeUInt8(bytes.readUInt8(size - 3) ^ 4, size - 3);
    const test = await reopen(fileSystem);
    const found = await values(test);
    assert.deepEqual(found, expected(found.length));
    assert.ok(found.length >= 5 && found.length < 15);
    assert.equal(test.log.segmentCount, 1);
  });

  it('is cut before zeros that the file system put where data was to come', async () => {
    const { fileSystem } = await filled(12);
    fileSystem.kill();
    const path = lastOf(fileSystem, '.log');
    fileSystem.place(path, Buffer.concat([fileSystem.contents(path)!, Buffer.alloc(8192)]));
    assert.deepEqual(await values(await reopen(fileSystem)), expected(12));
  });

  it('survives a length field that claims the rest of the disk', async () => {
    const { fileSystem } = await filled(12);
    fileSystem.kill();
    const path = lastOf(fileSystem, '.log');
    const garbage = clientBatch(1);
    garbage.writeInt32BE(2 ** 31 - 1, 8);
    fileSystem.place(path, Buffer.concat([fileSystem.contents(path)!, garbage]));
    assert.deepEqual(await values(await reopen(fileSystem)), expected(12));
  });

  it('reads only what lies past the recovery point', async () => {
    const test = await filled(40);
    await test.log.flush();
    assert.equal(test.log.recoveryPoint, 40n);
    await test.manager.writeCheckpoints();
    await appendAsClient(test.log, clientBatch(['record 40']));
    test.fileSystem.kill();
    // Damage below the recovery point is not looked for, as in Kafka.
    const path = `${folder}/00000000000000000000.log`;
    const bytes = test.fileSystem.contents(path)!;
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    const reopened = await reopen(test.fileSystem);
    assert.equal(reopened.log.logEndOffset, 41n);
    assert.ok(reopened.log.segmentCount > 3);
  });

  it('keeps its high watermark where a checkpoint has it', async () => {
    const test = await filled(10);
    test.log.advanceHighWatermark(7n);
    await test.manager.writeCheckpoints();
    test.fileSystem.kill();
    assert.equal((await reopen(test.fileSystem)).log.highWatermark, 7n);
  });
});

describe('a log after a clean stop', () => {
  it('is not opened before it is used, and is known by its offsets', async () => {
    const test = await filled(20);
    test.log.advanceHighWatermark(20n);
    await test.manager.close();
    const { counts } = test.fileSystem;
    const { log, manager } = await openLogs({ fileSystem: test.fileSystem, config });
    assert.equal(manager.hadCleanShutdown, true);
    assert.equal(log.isOpen, false);
    assert.deepEqual([log.logEndOffset, log.highWatermark, log.lastStableOffset], [20n, 20n, 20n]);
    const before = counts.read;
    await log.open();
    assert.ok(counts.read > before);
    assert.equal(log.isOpen, true);
  });

  it('takes appends that come all at once before it is open in their order', async () => {
    const test = await filled(3);
    await test.manager.close();
    const { log } = await reopen(test.fileSystem);
    const infos = await Promise.all(
      ['a', 'b', 'c'].map((value) => appendAsClient(log, clientBatch([value]))),
    );
    assert.deepEqual(
      infos.map(({ baseOffset }) => baseOffset),
      [3n, 4n, 5n],
    );
  });

  it('is recovered nonetheless where its end was damaged since', async () => {
    const test = await filled(20);
    await test.manager.close();
    const path = lastOf(test.fileSystem, '.log');
    const bytes = test.fileSystem.contents(path)!;
    test.fileSystem.place(path, bytes.subarray(0, bytes.length - 5));
    const reopened = await reopen(test.fileSystem);
    assert.deepEqual(await values(reopened), expected(19));
    assert.equal(reopened.log.logEndOffset, 19n);
  });

  it('has its marker taken away, so that a crash before any write counts as one', async () => {
    const test = await filled(2);
    await test.manager.close();
    await reopen(test.fileSystem);
    test.fileSystem.kill();
    assert.equal((await reopen(test.fileSystem)).manager.hadCleanShutdown, false);
  });
});

describe('damaged index files', () => {
  const damages: [name: string, ending: string, damage: (bytes: Buffer) => Buffer | undefined][] = [
    ['a missing offset index', '.index', () => undefined],
    ['a missing time index', '.timeindex', () => undefined],
    ['an offset index of half an entry', '.index', (bytes) => bytes.subarray(0, bytes.length - 3)],
    ['an offset index of zeros', '.index', (bytes) => Buffer.alloc(bytes.length)],
    ['a time index of zeros', '.timeindex', (bytes) => Buffer.alloc(bytes.length + 12)],
    [
      'an offset index that points behind the log',
      '.index',
      (bytes) => (bytes.writeInt32BE(1e9, bytes.length - 4), bytes),
    ],
  ];
  for (const [name, ending, damage] of damages)
    it(`are rebuilt: ${name}`, async () => {
      const test = await filled(40);
      await test.manager.close();
      const path = `${folder}/00000000000000000000${ending}`;
      const damaged = damage(Buffer.from(test.fileSystem.contents(path)!));
      if (damaged === undefined) await test.fileSystem.remove(path);
      else test.fileSystem.place(path, damaged);
      const reopened = await reopen(test.fileSystem);
      assert.deepEqual(await values(reopened), expected(40));
      assert.equal((await reopened.log.offsetForTimestamp(BigInt(startMs + 3)))?.offset, 3n);
      await reopened.log.offsetOfMaxTimestamp();
      assert.notDeepEqual(test.fileSystem.contents(path), damaged);
    });
});

describe('an offset index after a kill', () => {
  it('gets its next entry index.interval.bytes past where the broker began again', async () => {
    const batchBytes = clientBatch(['record 0'], { timestamp: BigInt(startMs) }).length;
    const overrides = { indexIntervalBytes: batchBytes + 1 };
    const test = await filled(3, overrides);
    test.fileSystem.kill();
    const { log, fileSystem, manager } = await openLogs({
      fileSystem: test.fileSystem,
      config: { ...config, ...overrides },
    });
    for (let n = 3; n < 6; n++)
      await appendAsClient(log, clientBatch([`record ${n}`], { timestamp: BigInt(startMs + n) }));
    await manager.close();
    const index = fileSystem.contents(`${folder}/00000000000000000000.index`)!;
    assert.deepEqual([index.readInt32BE(0), index.readInt32BE(8), index.length], [2, 5, 16]);
  });
});

describe('indexes that are rebuilt', () => {
  it('say the largest time of a segment, at once and in their file', async () => {
    // Segments without a time are as old as their files.
    const test = await filled(40, {}, new MemoryFileSystem({ nowMs: () => startMs + 1000 }));
    await test.manager.close();
    const path = `${folder}/00000000000000000000.timeindex`;
    const before = test.fileSystem.contents(path)!;
    await test.fileSystem.remove(path);
    const { log } = await reopen(test.fileSystem);
    assert.equal((await log.offsetForTimestamp(BigInt(startMs + 30)))?.offset, 30n);
    assert.deepEqual(test.fileSystem.contents(path)?.subarray(-12), before.subarray(-12));
  });
});

describe('damaged checkpoints', () => {
  for (const name of [
    'recovery-point-offset-checkpoint',
    'replication-offset-checkpoint',
    'log-start-offset-checkpoint',
  ])
    for (const contents of [
      '',
      '0\n',
      '0\n2\nt 0 5\n',
      '7\n1\nt 0 5\n',
      '0\n1\nt zero 5\n',
      'garbage',
    ])
      it(`fall back to reading the logs: ${name} as ${JSON.stringify(contents)}`, async () => {
        const test = await filled(20);
        await test.manager.close();
        test.fileSystem.place(`/data/${name}`, Buffer.from(contents));
        assert.deepEqual(await values(await reopen(test.fileSystem)), expected(20));
      });

  it('of leader epochs are rebuilt from the batches', async () => {
    const test = await filled(20);
    await test.manager.close();
    test.fileSystem.place(`${folder}/leader-epoch-checkpoint`, Buffer.from('0\n1\n'));
    const { log } = await reopen(test.fileSystem);
    assert.deepEqual(await log.endOffsetForEpoch(1), { leaderEpoch: 1, endOffset: 16n });
    assert.equal(log.leaderEpoch, 2);
  });
});

describe('truncation', () => {
  it('removes everything from the offset on, and the log goes on there', async () => {
    const test = await filled(40);
    test.log.advanceHighWatermark(30n);
    await test.log.truncateTo(17n);
    assert.deepEqual([test.log.logEndOffset, test.log.highWatermark], [17n, 17n]);
    assert.equal(test.log.leaderEpoch, 2);
    assert.deepEqual(await values(test), expected(17));
    await appendAsClient(test.log, clientBatch(['record 17']), 9);
    assert.deepEqual(await values(test), expected(18));
    assert.equal((await test.log.offsetForTimestamp(BigInt(startMs + 16)))?.offset, 16n);
    test.fileSystem.kill();
    const reopened = await reopen(test.fileSystem);
    assert.deepEqual(await values(reopened), expected(18));
    assert.deepEqual(await reopened.log.endOffsetForEpoch(2), { leaderEpoch: 2, endOffset: 17n });
  });

  it('within a batch removes the whole batch', async () => {
    const { log } = await openLogs({ config });
    await appendAsClient(log, clientBatch(3));
    await appendAsClient(log, clientBatch(3));
    await log.truncateTo(4n);
    assert.equal(log.logEndOffset, 4n);
    const { records } = await log.read({
      offset: 0n,
      maxBytes: 1e6,
      upTo: 'logEnd',
      minOneBatch: true,
    });
    assert.deepEqual(valuesOf([...batches(records)]), ['0:value 0', '1:value 1', '2:value 2']);
  });

  it('forgets what producers wrote after it', async () => {
    const { log } = await openLogs({ config });
    for (let n = 0; n < 6; n++)
      await appendAsClient(
        log,
        clientBatch(1, { producerId: 5n, producerEpoch: 0, baseSequence: n }),
      );
    await log.truncateTo(4n);
    const again = await appendAsClient(
      log,
      clientBatch(1, { producerId: 5n, producerEpoch: 0, baseSequence: 4 }),
    );
    assert.deepEqual([again.baseOffset, again.isDuplicate], [4n, false]);
  });

  it('of everything starts the log over at the leader’s offset', async () => {
    const test = await filled(20);
    await test.log.truncateFullyAndStartAt(100n);
    assert.deepEqual(
      [test.log.logStartOffset, test.log.logEndOffset, test.log.highWatermark],
      [100n, 100n, 100n],
    );
    const batch = buildRecordBatch({
      baseOffset: 100n,
      partitionLeaderEpoch: 3,
      records: [{ value: Buffer.from('x') }],
    });
    await test.log.append(batch, { origin: 'replication', leaderEpoch: 3 });
    test.fileSystem.kill();
    assert.deepEqual(await values(await reopen(test.fileSystem)), ['100:x']);
  });
});
