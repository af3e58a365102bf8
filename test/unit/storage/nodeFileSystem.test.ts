import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { replaceFile, writeFully } from '../../../src/storage/atomicFile.ts';
import { FileSystemError } from '../../../src/storage/fileSystem.ts';
import { LogManager } from '../../../src/storage/logManager.ts';
import { nodeFileSystem } from '../../../src/storage/nodeFileSystem.ts';
import type { PartitionLog } from '../../../src/storage/partitionLog.ts';
import {
  appendAsClient,
  clientBatch,
  configWith,
  managerOptions,
  readAll,
  topicId,
  valuesOf,
} from './support.ts';

describe("the machine's file system", () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'kafka-workbench-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('reads and writes at positions, several buffers at once', async () => {
    const file = await nodeFileSystem.open(`${directory}/a`, 'create');
    await writeFully(file, [Buffer.from('hello'), Buffer.alloc(0), Buffer.from(' world')], 2);
    const into = Buffer.alloc(20);
    assert.equal(await file.read(into, 4), 9);
    assert.equal(into.toString('utf8', 0, 9), 'llo world');
    assert.equal(await file.read(into, 13), 0);
    assert.equal(await file.size(), 13);
    await file.truncate(4);
    await file.sync();
    await file.close();
    assert.deepEqual(await nodeFileSystem.readFile(`${directory}/a`), Buffer.from('\0\0he'));
    assert.equal((await nodeFileSystem.stat(`${directory}/a`))?.sizeInBytes, 4);
  });

  it('answers undefined for files that are not there, where that is no error', async () => {
    assert.equal(await nodeFileSystem.readFile(`${directory}/none`), undefined);
    assert.equal(await nodeFileSystem.stat(`${directory}/none`), undefined);
    await nodeFileSystem.remove(`${directory}/none`);
    await nodeFileSystem.removeDirectory(`${directory}/none`);
  });

  it('rejects with a code and the path', async () => {
    const opening = nodeFileSystem.open(`${directory}/none`, 'readWrite');
    await assert.rejects(opening, (error: unknown) => {
      assert.ok(error instanceof FileSystemError);
      assert.deepEqual([error.code, error.path], ['ENOENT', `${directory}/none`]);
      return true;
    });
    await assert.rejects(nodeFileSystem.list(`${directory}/none`), FileSystemError);
  });

  it('replaces files whole', async () => {
    await replaceFile(nodeFileSystem, `${directory}/a`, 'a long text');
    await replaceFile(nodeFileSystem, `${directory}/a`, 'short');
    assert.equal((await nodeFileSystem.readFile(`${directory}/a`))?.toString(), 'short');
    assert.deepEqual(await nodeFileSystem.list(directory), [{ name: 'a', isDirectory: false }]);
  });

  it('moves and removes whole folders', async () => {
    await nodeFileSystem.makeDirectory(`${directory}/x/y`);
    await replaceFile(nodeFileSystem, `${directory}/x/y/a`, 'a');
    await nodeFileSystem.rename(`${directory}/x`, `${directory}/z`);
    assert.equal((await nodeFileSystem.readFile(`${directory}/z/y/a`))?.toString(), 'a');
    await nodeFileSystem.removeDirectory(`${directory}/z`);
    assert.deepEqual(await nodeFileSystem.list(directory), []);
  });

  it('carries logs through writes, rolls, retention, a stop without goodbye, and a clean one', async () => {
    const config = configWith({ segmentBytes: 2000, retentionBytes: 4000, fileDeleteDelayMs: 0 });
    const options = managerOptions(nodeFileSystem, {
      options: { directory, clock: systemClock, defaultConfig: config },
    });
    const first = await LogManager.open(options);
    const log = await first.create({ topic: 't', partition: 0, topicId, config });
    const batches = Array.from({ length: 100 }, (_, n) => clientBatch([`record ${n}`]));
    await Promise.all(batches.map((batch) => appendAsClient(log, batch)));
    log.advanceHighWatermark(100n);
    const deleted = await log.applyRetention();
    assert.ok(deleted > 0);
    const expected = valuesOf(await readAll(log));

    const second = await LogManager.open(options);
    assert.equal(second.hadCleanShutdown, false);
    assert.deepEqual(valuesOf(await readAll(second.get('t', 0)!)), expected);
    await second.close();

    const third = await LogManager.open(options);
    assert.equal(third.hadCleanShutdown, true);
    assert.deepEqual(valuesOf(await readAll(third.get('t', 0)!)), expected);
    await third.close();
  });

  it('answers by time, and of its ends, as before a start, also where the last segment is empty', async () => {
    const config = configWith({});
    const options = managerOptions(nodeFileSystem, {
      options: { directory, clock: systemClock, defaultConfig: config },
    });
    const answersOf = async (log: PartitionLog) => ({
      atLatest: await log.offsetOfMaxTimestamp(),
      first: await log.offsetForTimestamp(0n),
      later: await log.offsetForTimestamp(BigInt(Date.now() + 60_000)),
      // Behind all records, but not behind the time of the empty segment's file. [LogSegment.largestTimestamp]
      between: await log.offsetForTimestamp(2n),
      ends: [log.logStartOffset, log.highWatermark, log.logEndOffset],
    });
    const first = await LogManager.open(options);
    const log = await first.create({ topic: 'times', partition: 0, topicId, config });
    await appendAsClient(log, clientBatch(['record'], { timestamp: 1n }));
    log.advanceHighWatermark(1n);
    await log.roll();
    const before = await answersOf(log);
    assert.equal(before.atLatest?.offset, 0n);
    assert.equal(before.first?.offset, 0n);
    assert.deepEqual([before.later, before.between], [undefined, undefined]);
    assert.deepEqual(before.ends, [0n, 1n, 1n]);
    await first.close();

    const second = await LogManager.open(options);
    assert.equal(second.hadCleanShutdown, true);
    assert.deepEqual(await answersOf(second.get('times', 0)!), before);
    await second.writeCheckpoints();

    const third = await LogManager.open(options);
    assert.equal(third.hadCleanShutdown, false);
    assert.deepEqual(await answersOf(third.get('times', 0)!), before);
    await third.close();
  });
});
