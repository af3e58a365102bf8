import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import type { CompressionType } from '../../../src/protocol/records/compression.ts';
import type { RecordBatch } from '../../../src/protocol/records/recordBatch.ts';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { type KafkaRecord, readRecords } from '../../../src/protocol/records/recordReader.ts';
import type { LogConfig } from '../../../src/storage/logConfig.ts';
import type { LogManagerOptions } from '../../../src/storage/logManager.ts';
import type { PartitionLog } from '../../../src/storage/partitionLog.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import {
  appendAsClient,
  openLogs,
  pick,
  readAll,
  startMs,
  type TestLogs,
  type TestOptions,
  turns,
  transactionMarker,
} from './support.ts';

const compacted: Partial<LogConfig> = {
  cleanupPolicy: new Set(['compact']),
  minCleanableDirtyRatio: 0,
  segmentBytes: 2000,
  indexIntervalBytes: 200,
  deleteRetentionMs: 10_000,
};

function openCompacted(test: TestOptions = {}): Promise<TestLogs> {
  return openLogs({ ...test, config: { ...compacted, ...test.config } });
}

type Pair = readonly [key: string, value: string | null];

interface Sent {
  readonly producerId?: bigint;
  readonly producerEpoch?: number;
  readonly baseSequence?: number;
  readonly isTransactional?: boolean;
  readonly compression?: CompressionType;
  readonly timestamp?: bigint;
}

async function send(log: PartitionLog, pairs: readonly Pair[], sent: Sent = {}): Promise<bigint> {
  const { timestamp = BigInt(startMs), ...options } = sent;
  const records = pairs.map(([key, value]) => ({
    timestamp,
    key: Buffer.from(key),
    value: value === null ? null : Buffer.from(value),
  }));
  const { lastOffset } = await appendAsClient(log, buildRecordBatch({ ...options, records }));
  log.advanceHighWatermark(log.logEndOffset);
  return lastOffset;
}

async function end(log: PartitionLog, producerId: bigint, isAbort: boolean): Promise<void> {
  const marker = transactionMarker({ producerId, producerEpoch: 0, isAbort });
  await log.append(marker, { origin: 'coordinator', leaderEpoch: 0 });
  log.advanceHighWatermark(log.logEndOffset);
}

function shown({ offset, key, value }: KafkaRecord): string {
  return `${offset} ${key?.toString() ?? 'null'}=${value?.toString() ?? 'null'}`;
}

/** Each record, `c` for a marker, `-` for an empty batch. */
function contentsOf(found: readonly RecordBatch[]): string[] {
  return found.flatMap((batch) => {
    const { header } = batch;
    if (header.recordCount === 0) return [`${header.baseOffset}-${header.lastOffset} -`];
    if (header.isControl) return [`${header.baseOffset} c`];
    return [...readRecords(batch)].map(shown);
  });
}

async function contents(log: PartitionLog): Promise<string[]> {
  return contentsOf(await readAll(log));
}

describe('[A5] compaction', () => {
  it('keeps the latest record of each key in closed segments, with its offset and timestamp', async () => {
    const { log, manager } = await openCompacted();
    await send(log, [['a', '1'], ['b', '1'], ['a', '2']], { timestamp: 1_600_000_000_001n }); // prettier-ignore
    await send(log, [['c', '1'], ['a', '3']]); // prettier-ignore
    await log.roll();
    await send(log, [['a', '4']]);
    await manager.compactDirty();
    const batches = await readAll(log);
    assert.deepEqual(contentsOf(batches), ['1 b=1', '3 c=1', '4 a=3', '5 a=4']);
    const [first] = batches;
    assert.ok(first);
    assert.deepEqual([first.header.baseOffset, first.header.lastOffset], [0n, 2n]);
    assert.equal([...readRecords(first)][0]?.timestamp, 1_600_000_000_001n);
    assert.equal(log.cleanedOffset, 5n);
  });

  it('leaves a file as old as the last of those that it was made from', async () => {
    const { log, manager, clock, fileSystem } = await openCompacted();
    await send(log, [['a', '1']]);
    await log.roll();
    clock.advance(1000);
    await send(log, [['a', '2']]);
    await log.roll();
    clock.advance(1000);
    await manager.compactDirty();
    const path = `/data/${log.topic}-${log.partition}/${'0'.repeat(20)}.log`;
    assert.equal((await fileSystem.stat(path))?.modifiedMs, startMs + 1000);
  });

  it('leaves a batch alone, byte for byte, of which nothing goes', async () => {
    const { log, manager } = await openCompacted();
    await send(log, [['a', 'x'.repeat(50)]], { compression: 'gzip' });
    const [before] = await readAll(log);
    await log.roll();
    await manager.compactDirty();
    const [after] = await readAll(log);
    assert.deepEqual(after?.bytes, before?.bytes);
  });

  it('rewrites a batch with the codec that it had', async () => {
    for (const compression of ['gzip', 'snappy', 'lz4', 'zstd'] as const) {
      const { log, manager } = await openCompacted();
      await send(log, [['a', '1'], ['b', '1'], ['a', '2']], { compression }); // prettier-ignore
      await log.roll();
      await manager.compactDirty();
      const [batch] = await readAll(log);
      assert.equal(batch?.header.compression, compression);
      assert.deepEqual(contentsOf([batch]), ['1 b=1', '2 a=2']);
    }
  });

  it('waits until the share of what is dirty passes min.cleanable.dirty.ratio', async () => {
    const { log, manager } = await openCompacted({ config: { minCleanableDirtyRatio: 0.5 } });
    const fill = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await send(log, [[`k${n}`, `at ${log.logEndOffset}`]]);
      await log.roll();
    };
    await fill(8);
    await manager.compactDirty();
    assert.equal(log.cleanedOffset, 8n);
    await fill(7);
    await manager.compactDirty();
    assert.equal(log.cleanedOffset, 8n, '7 of 15');
    await fill(2);
    await manager.compactDirty();
    assert.equal(log.cleanedOffset, 17n, '9 of 17');
  });

  it('leaves out what is younger than min.compaction.lag.ms, and an open transaction', async () => {
    const { log, manager, clock } = await openCompacted({ config: { minCompactionLagMs: 60_000 } });
    await send(log, [['a', '1']]);
    await log.roll();
    await send(log, [['a', '2']], { timestamp: BigInt(startMs + 30_000) });
    await log.roll();
    clock.advance(60_001);
    await manager.compactDirty();
    assert.deepEqual(await contents(log), ['0 a=1', '1 a=2']);
    assert.equal(log.cleanedOffset, 1n);
    await send(log, [['t', '1']], { producerId: 9n, producerEpoch: 0, baseSequence: 0, isTransactional: true }); // prettier-ignore
    await log.roll();
    await send(log, [['a', '3']]);
    await log.roll();
    clock.advance(600_000);
    await manager.compactDirty();
    assert.equal(log.cleanedOffset, 2n, 'where the transaction begins');
    await end(log, 9n, false);
    await manager.compactDirty();
    assert.equal(log.cleanedOffset, 4n);
    assert.deepEqual(await contents(log), ['2 t=1', '3 a=3', '4 c']);
  });

  it('goes ahead whatever the ratio when max.compaction.lag.ms has passed', async () => {
    const { log, manager, clock } = await openCompacted({
      config: { minCleanableDirtyRatio: 1, maxCompactionLagMs: 60_000 },
    });
    await send(log, [['a', '1'], ['a', '2']]); // prettier-ignore
    await log.roll();
    clock.advance(60_000);
    await manager.compactDirty();
    assert.equal(log.cleanedOffset, undefined);
    clock.advance(1);
    await manager.compactDirty();
    assert.deepEqual(await contents(log), ['1 a=2']);
  });

  it('keeps a tombstone until delete.retention.ms after it was first compacted [KIP-534]', async () => {
    const { log, manager, clock } = await openCompacted();
    await send(log, [['a', '1']]);
    await send(log, [['a', null]]);
    await send(log, [['b', '1']]);
    await log.roll();
    clock.advance(100_000);
    const compact = async (): Promise<void> => {
      await manager.compactNow();
    };
    await compact();
    const [first] = await readAll(log);
    assert.deepEqual(await contents(log), ['1 a=null', '2 b=1']);
    assert.equal(first?.header.hasDeleteHorizon, true);
    assert.equal(first.header.baseTimestamp, BigInt(startMs + 110_000));
    assert.equal([...readRecords(first)][0]?.timestamp, BigInt(startMs));
    clock.advance(9999);
    await compact();
    assert.equal((await contents(log)).length, 2);
    clock.advance(1);
    await compact();
    assert.deepEqual(await contents(log), ['2 b=1']);
  });

  it('removes aborted data, and markers only when their data has been gone for delete.retention.ms', async () => {
    const { log, manager, clock } = await openCompacted();
    const transaction = { producerEpoch: 0, baseSequence: 0, isTransactional: true };
    await send(log, [['a', 'kept']]);
    await send(log, [['a', 'aborted']], { ...transaction, producerId: 1n });
    await send(log, [['b', 'committed']], { ...transaction, producerId: 2n });
    await end(log, 1n, true);
    await end(log, 2n, false);
    await send(log, [['z', '1']]);
    await manager.compactNow();
    assert.deepEqual(await contents(log), ['0 a=kept', '1-1 -', '2 b=committed', '3 c', '4 c', '5 z=1']); // prettier-ignore
    const { abortedTransactions } = await log.read({ offset: 0n, maxBytes: 9999, upTo: 'lastStable', minOneBatch: true }); // prettier-ignore
    assert.deepEqual(abortedTransactions, [{ producerId: 1n, firstOffset: 1n }]);
    await send(log, [['b', 'later']]);
    await manager.compactNow();
    assert.deepEqual(await contents(log), ['0 a=kept', '1-1 -', '2-2 -', '3 c', '4 c', '5 z=1', '6 b=later']); // prettier-ignore
    clock.advance(86_400_000);
    await log.removeExpiredProducers();
    await manager.compactNow();
    assert.deepEqual(await contents(log), ['0 a=kept', '3 c', '4 c', '5 z=1', '6 b=later']);
    await manager.compactNow();
    clock.advance(9999);
    await manager.compactNow();
    assert.deepEqual(await contents(log), ['0 a=kept', '3 c', '4 c', '5 z=1', '6 b=later']);
    clock.advance(1);
    await manager.compactNow();
    assert.deepEqual(await contents(log), ['0 a=kept', '5 z=1', '6 b=later']);
  });

  it('keeps the last batch of a producer, emptied, so that its retries are still known', async () => {
    const { log, manager, fileSystem, clock } = await openCompacted();
    const producer = { producerId: 5n, producerEpoch: 0 };
    await send(log, [['a', '1']], { ...producer, baseSequence: 0 });
    await send(log, [['a', '2']], { ...producer, baseSequence: 1 });
    await send(log, [['a', '3']]);
    await send(log, [['z', '1']]);
    await manager.compactNow();
    assert.deepEqual(await contents(log), ['1-1 -', '2 a=3', '3 z=1']);
    fileSystem.kill();
    const reopened = await openCompacted({ fileSystem, clock });
    const repeated = buildRecordBatch({
      ...producer,
      baseSequence: 1,
      records: [{ timestamp: BigInt(startMs), key: Buffer.from('a'), value: Buffer.from('2') }],
    });
    const info = await appendAsClient(reopened.log, repeated);
    assert.deepEqual([info.isDuplicate, info.baseOffset], [true, 1n]);
  });

  it('joins small segments and works where open files cannot be renamed, as on Windows', async () => {
    const fileSystem = new MemoryFileSystem({ refusesOpenFiles: true });
    const { log, manager, clock } = await openCompacted({ fileSystem });
    for (let n = 0; n < 60; n++) await send(log, [[`k${n % 3}`, 'x'.repeat(100)]]);
    assert.ok(log.segmentCount > 5);
    await readAll(log);
    await manager.compactNow();
    assert.equal((await contents(log)).length, 3);
    await send(log, [['k0', 'again']]);
    await manager.compactNow();
    assert.equal(log.segmentCount, 2);
    clock.advance(60_000);
    await settled();
    assert.deepEqual(strays(fileSystem), []);
    assert.equal((await contents(log)).length, 3);
  });

  it('goes on from where it was after a restart, with the checkpoint in the form of Kafka', async () => {
    const { log, manager, fileSystem, clock } = await openCompacted();
    await send(log, [['a', '1'], ['a', '2']]); // prettier-ignore
    await log.roll();
    await manager.compactDirty();
    assert.equal(
      fileSystem.contents('/data/cleaner-offset-checkpoint')?.toString(),
      '0\n1\nt 0 2\n',
    );
    await manager.close();
    const reopened = await openCompacted({ fileSystem, clock });
    assert.equal(reopened.log.cleanedOffset, 2n);
    assert.deepEqual(await contents(reopened.log), ['1 a=2']);
  });

  it('deletes old segments as well where the policy is compact,delete', async () => {
    const { log, manager, clock } = await openCompacted({
      config: { cleanupPolicy: new Set(['compact', 'delete']), retentionMs: 60_000 },
    });
    await send(log, [['a', '1'], ['a', '2']]); // prettier-ignore
    await log.roll();
    await manager.compactDirty();
    await send(log, [['b', '1']], { timestamp: BigInt(startMs + 50_000) });
    clock.advance(60_001);
    assert.equal(await log.applyRetention(), 1);
    assert.deepEqual(await contents(log), ['2 b=1']);
    await manager.compactNow();
    assert.deepEqual(await contents(log), ['2 b=1']);
  });

  it('deletes old segments of compact,delete with each round, which retention itself leaves alone', async () => {
    const retained = { cleanupPolicy: new Set(['compact', 'delete'] as const), retentionMs: 1000 };
    const logStarts = async (
      options: Partial<LogManagerOptions>,
      afterMs: number,
    ): Promise<bigint> => {
      const { log, manager, clock } = await openCompacted({ config: retained, options });
      await send(log, [['a', '1']]);
      await log.roll();
      manager.startMaintenance();
      clock.advance(afterMs);
      await turns(500);
      await manager.close();
      return log.logStartOffset;
    };
    const backoff = { cleanerBackoffMs: 5000, retentionCheckIntervalMs: 9000 };
    assert.equal(await logStarts(backoff, 5000), 1n, 'with the cleaner');
    const seldom = { cleanerBackoffMs: 60_000, retentionCheckIntervalMs: 5000 };
    assert.equal(await logStarts(seldom, 9000), 0n, 'with retention');
    const without = { ...backoff, isCleanerEnabled: false };
    assert.equal(await logStarts(without, 9000), 0n, 'without a cleaner');
  });

  it('leaves a log alone that is damaged, and says so', async () => {
    const { log, manager, fileSystem } = await openCompacted();
    await send(log, [['a', '1'], ['a', '2']]); // prettier-ignore
    await log.roll();
    const path = '/data/t-0/00000000000000000000.log';
    const data = fileSystem.contents(path);
    assert.ok(data);
    data[70] = (data[70] ?? 0) ^ 1;
    await manager.compactNow();
    assert.deepEqual([log.cleanedOffset, strays(fileSystem)], [undefined, []]);
    assert.deepEqual(fileSystem.contents(path), data);
  });

  it('gives up where the disk is full, and loses nothing', async () => {
    const { log, manager, fileSystem } = await openCompacted();
    await send(log, [['a', '1'], ['a', '2'], ['b', '1']]); // prettier-ignore
    await log.roll();
    fileSystem.fail('write', 'ENOSPC', { path: /\.cleaned$/ });
    await manager.compactNow();
    assert.deepEqual(await contents(log), ['0 a=1', '1 a=2', '2 b=1']);
    assert.deepEqual(strays(fileSystem), []);
  });

  it('of which an old file cannot be renamed is ended by the next start, without a record twice', async () => {
    const { log, manager, fileSystem } = await openCompacted();
    for (const pairs of [[['a', '1']], [['b', '1']], [['a', '2']]] as const) {
      await send(log, pairs);
      await log.roll();
    }
    fileSystem.fail('rename', 'EACCES', { path: /0001\.log$/ });
    await manager.compactNow();
    const left = ['1 b=1', '2 a=2'];
    assert.deepEqual(await contents(log), left);
    fileSystem.kill();
    const { log: reopened } = await openCompacted({ fileSystem });
    assert.deepEqual(await contents(reopened), left);
    assert.equal(reopened.segmentCount, 2);
  });

  it('with an offset map that is too small goes on in steps', async () => {
    const { log, manager } = await openCompacted({ options: { cleanerDedupeBufferBytes: 24 * 8 } });
    for (let n = 0; n < 40; n++) await send(log, [[`k${n % 20}`, `${n}`]]);
    await log.roll();
    await manager.compactDirty();
    const expected = Array.from({ length: 20 }, (_, n) => `${n + 20} k${n}=${n + 20}`);
    assert.deepEqual(await contents(log), expected);
    assert.equal(log.cleanedOffset, 40n);
  });
});

describe(`[A5] any log that is compacted, seed ${seed()}`, () => {
  it('keeps the latest committed value of every key, and nothing of what is kept changes', async () => {
    for (let run = 0; run < 30; run++) await anyLog(seed() + run);
  });
});

async function anyLog(runSeed: number): Promise<void> {
  const random = seededRandom(runSeed);
  const test = await openCompacted({ config: { segmentBytes: 800, deleteRetentionMs: 1e9 } });
  const { log, manager } = test;
  const sequences = new Map<bigint, number>();
  const latest = new Map<string, string>();
  for (let step = 0; step < 60; step++) {
    const pairs = Array.from({ length: 1 + random.below(4) }, (): Pair => [
      `k${random.below(8)}`,
      random.below(5) === 0 ? null : `v${step}`,
    ]);
    const producerId = BigInt(1 + random.below(3));
    const isTransactional = random.below(3) === 0;
    const isIdempotent = isTransactional || random.below(2) === 0;
    const sequence = sequences.get(producerId) ?? 0;
    if (isIdempotent) sequences.set(producerId, sequence + pairs.length);
    const sent = isIdempotent ? { producerId, producerEpoch: 0, baseSequence: sequence } : {};
    const compression = pick(random, ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const);
    const lastOffset = await send(log, pairs, { ...sent, isTransactional, compression });
    const isAbort = isTransactional && random.below(2) === 0;
    if (isTransactional) await end(log, producerId, isAbort);
    pairs.forEach(([key, value], n) => {
      const offset = lastOffset - BigInt(pairs.length - 1 - n);
      if (!isAbort) latest.set(key, `${offset} ${key}=${value ?? 'null'}`);
    });
    if (random.below(10) === 0) await manager.compactNow();
  }
  const before = new Set(await contents(log));
  await manager.compactNow();
  const after = (await contents(log)).filter((line) => line.includes('='));
  const why = `run ${runSeed}`;
  assert.deepEqual(new Set(after), new Set(latest.values()), why);
  assert.ok(
    after.every((line) => before.has(line)),
    why,
  );
  assert.equal((await readAll(log)).at(-1)?.header.lastOffset, log.logEndOffset - 1n, why);
}

function seed(): number {
  return Number(process.env['KAFKA_WORKBENCH_SEED'] ?? 11);
}

function strays(fileSystem: MemoryFileSystem): string[] {
  return fileSystem.paths().filter((path) => /\.(cleaned|swap|deleted)$/.test(path));
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
}
