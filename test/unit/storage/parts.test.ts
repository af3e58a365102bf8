import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FileHandles } from '../../../src/storage/fileHandles.ts';
import {
  deletedFolderName,
  folderName,
  isDeletedFolder,
  parseFolderName,
} from '../../../src/storage/folderName.ts';
import { IndexCache, type IndexHolder } from '../../../src/storage/indexCache.ts';
import { LeaderEpochCache } from '../../../src/storage/leaderEpochCache.ts';
import { OffsetIndex } from '../../../src/storage/offsetIndex.ts';
import { newProducer, withBatch } from '../../../src/storage/producerEntry.ts';
import {
  CorruptSnapshotError,
  decodeProducerSnapshot,
  encodeProducerSnapshot,
} from '../../../src/storage/producerSnapshot.ts';
import { TimeIndex } from '../../../src/storage/timeIndex.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

describe('leader epochs', () => {
  const cache = (): LeaderEpochCache =>
    new LeaderEpochCache([
      { epoch: 2, startOffset: 10n },
      { epoch: 4, startOffset: 20n },
      { epoch: 7, startOffset: 30n },
    ]);

  it('end where the next one begins, the last one at the log end', () => {
    assert.deepEqual(cache().endOffsetFor(2, 40n), { leaderEpoch: 2, endOffset: 20n });
    assert.deepEqual(cache().endOffsetFor(7, 40n), { leaderEpoch: 7, endOffset: 40n });
  });

  it('that are not known are answered by the one before, or by what is first', () => {
    assert.deepEqual(cache().endOffsetFor(5, 40n), { leaderEpoch: 4, endOffset: 30n });
    assert.deepEqual(cache().endOffsetFor(1, 40n), { leaderEpoch: 1, endOffset: 10n });
    assert.deepEqual(cache().endOffsetFor(8, 40n), { leaderEpoch: -1, endOffset: -1n });
    assert.deepEqual(cache().endOffsetFor(-1, 40n), { leaderEpoch: -1, endOffset: -1n });
    assert.deepEqual(cache().endOffsetFor(-2, 40n), { leaderEpoch: -2, endOffset: 10n });
  });

  it('are found by offset', () => {
    assert.deepEqual(
      [9n, 10n, 19n, 20n, 99n].map((offset) => cache().epochForOffset(offset)),
      [-1, 2, 2, 4, 7],
    );
  });

  it('that contradict a new one go', () => {
    const epochs = cache();
    assert.equal(epochs.assign(7, 35n), false);
    assert.equal(epochs.assign(5, 25n), true);
    assert.deepEqual(
      epochs.entries.map(({ epoch }) => epoch),
      [2, 4, 5],
    );
  });

  it('are cut with the log, at either end', () => {
    const epochs = cache();
    assert.equal(epochs.truncateFromEnd(30n), true);
    assert.equal(epochs.truncateFromStart(15n), true);
    assert.equal(epochs.truncateFromStart(15n), false);
    assert.deepEqual(epochs.entries, [
      { epoch: 2, startOffset: 15n },
      { epoch: 4, startOffset: 20n },
    ]);
  });
});

describe('folder names', () => {
  it('are read back', () => {
    for (const topic of ['a', 'a-1', '__consumer_offsets', 'x.y-z_0'])
      assert.deepEqual(parseFolderName(folderName({ topic, partition: 10 })), {
        topic,
        partition: 10,
      });
  });

  it('of anything else are not partitions', () => {
    for (const name of [
      'logs',
      'a-',
      '-1',
      'a-01',
      'a b-1',
      'a-1.0123456789abcdef0123456789abcdef-delete',
    ])
      assert.equal(parseFolderName(name), undefined, name);
  });

  it('of deleted partitions fit into 255 bytes', () => {
    const name = deletedFolderName({ topic: 'x'.repeat(249), partition: 123 }, 'f'.repeat(32));
    assert.equal(name.length, 255);
    assert.equal(isDeletedFolder(name), true);
  });
});

describe('a producer snapshot', () => {
  const entries = [
    {
      ...newProducer(1n),
      producerEpoch: 3,
      coordinatorEpoch: 2,
      transactionFirstOffset: 5n,
      lastTimestamp: 77n,
    },
    withBatch(newProducer(2n), 0, {
      lastSequence: 9,
      lastOffset: 100n,
      offsetDelta: 4,
      timestamp: 88n,
    }),
  ];

  it('is read back', () => {
    assert.deepEqual(decodeProducerSnapshot(encodeProducerSnapshot(entries)), entries);
  });

  it('is refused whichever byte is wrong, and however much is missing', () => {
    const bytes = encodeProducerSnapshot(entries);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      assert.throws(() => decodeProducerSnapshot(damaged), CorruptSnapshotError);
      assert.throws(() => decodeProducerSnapshot(bytes.subarray(0, at)), CorruptSnapshotError);
    }
  });
});

describe('indexes', () => {
  it('of offsets answer the last entry at or below', () => {
    const index = new OffsetIndex(100n);
    index.append(109n, 0);
    index.append(119n, 5000);
    index.append(129n, 9000);
    const floors = [100n, 109n, 118n, 119n, 500n].map((offset) => index.floor(offset).position);
    assert.deepEqual(floors, [0, 0, 0, 5000, 9000]);
    index.truncateToPosition(9000);
    assert.deepEqual(index.last, { offset: 119n, position: 5000 });
  });

  it('of timestamps only ever rise', () => {
    const index = new TimeIndex(100n);
    for (const [timestamp, offset] of [
      [5n, 101n],
      [5n, 102n],
      [4n, 103n],
      [9n, 104n],
    ] as const)
      index.maybeAppend({ timestamp, offset });
    assert.equal(index.entries.count, 2);
    assert.deepEqual(index.lastBelow(9n), { timestamp: 5n, offset: 101n });
    assert.deepEqual(index.lastBelow(5n), { timestamp: -1n, offset: 100n });
    index.truncateToOffset(104n);
    assert.deepEqual(index.last, { timestamp: 5n, offset: 101n });
  });

  it('in memory are bounded, the least recently used dropped first', () => {
    const dropped: string[] = [];
    const holder = (name: string): IndexHolder => ({ dropIndexes: () => dropped.push(name) });
    const [a, b, c] = [holder('a'), holder('b'), holder('c')];
    const cache = new IndexCache(100);
    cache.touch(a, 40);
    cache.touch(b, 40);
    cache.touch(a, 40);
    cache.touch(c, 40);
    assert.deepEqual([dropped, cache.sizeInBytes], [['b'], 80]);
    cache.touch(b, 500);
    assert.deepEqual([dropped, cache.sizeInBytes], [['b', 'a', 'c'], 500]);
    cache.forget(b);
    assert.equal(cache.sizeInBytes, 0);
  });
});

describe('file handles', () => {
  async function withFiles(count: number): Promise<MemoryFileSystem> {
    const fileSystem = new MemoryFileSystem();
    for (let n = 0; n < count; n++) fileSystem.place(`/d/${n}`, Buffer.from(String(n)));
    return Promise.resolve(fileSystem);
  }

  it('stay open for the next use, up to a number', async () => {
    const fileSystem = await withFiles(10);
    const handles = new FileHandles(fileSystem, 3);
    for (const n of [0, 0, 1, 2, 3, 3]) await handles.use(`/d/${n}`, (file) => file.size());
    assert.equal(fileSystem.counts.open, 4);
    assert.equal(handles.size, 3);
    await handles.use('/d/3', (file) => file.size());
    assert.equal(fileSystem.counts.open, 4);
    await handles.use('/d/0', (file) => file.size());
    assert.equal(fileSystem.counts.open, 5);
  });

  it('are not closed under their users', async () => {
    const fileSystem = await withFiles(10);
    const handles = new FileHandles(fileSystem, 1);
    const sizes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        handles.use(`/d/${n}`, async (file) => (await file.size()) + (await file.size())),
      ),
    );
    assert.deepEqual(
      sizes,
      Array.from({ length: 10 }, () => 2),
    );
    assert.ok(handles.size <= 1);
  });

  it('are released once their last user has gone', async () => {
    const fileSystem = await withFiles(1);
    const handles = new FileHandles(fileSystem, 5);
    const using = handles.use('/d/0', async (file) => (await file.size()) + (await file.size()));
    await handles.release('/d/0');
    assert.equal(fileSystem.openFiles, 0);
    assert.equal(await using, 2);
  });

  it('that could not be opened are tried again', async () => {
    const fileSystem = await withFiles(1);
    fileSystem.fail('open', 'EACCES');
    const handles = new FileHandles(fileSystem, 5);
    await assert.rejects(handles.use('/d/0', (file) => file.size()));
    assert.equal(await handles.use('/d/0', (file) => file.size()), 1);
  });

  it('are as many as the process may have, and make room for what else needs one', async () => {
    const fileSystem = new MemoryFileSystem({ maxOpenFiles: 12 });
    for (let n = 0; n < 100; n++) fileSystem.place(`/d/${n}`, Buffer.from(String(n)));
    const handles = new FileHandles(fileSystem, 512);
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < 100; n++) await handles.use(`/d/${n}`, (file) => file.size());
    const at = (n: number): string => `/d/${n}`;
    await Promise.all([
      ...[1, 2, 3, 4].map((n) => handles.use(at(n), (file) => file.size())),
      ...[5, 6, 7, 8].map(async (n) => (await handles.fileSystem.open(at(n), 'read')).close()),
    ]);
    assert.ok(handles.size <= 12, `${handles.size}`);
    const others = new MemoryFileSystem({ maxOpenFiles: 0 });
    others.place('/d/0', Buffer.from('0'));
    await assert.rejects(
      new FileHandles(others, 512).use('/d/0', (file) => file.size()),
      /EMFILE/,
    );
  });
});
