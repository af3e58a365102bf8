import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import type { LogConfig } from '../../../src/storage/logConfig.ts';
import type { PartitionLog } from '../../../src/storage/partitionLog.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { appendAsClient, openLogs, startMs, transactionMarker } from './support.ts';

const config: Partial<LogConfig> = {
  cleanupPolicy: new Set(['compact']),
  minCleanableDirtyRatio: 0,
  segmentBytes: 700,
  indexIntervalBytes: 100,
};

/** A log of several segments with plain, idempotent and aborted records, compacted once before. */
async function prepare(fileSystem: MemoryFileSystem): Promise<Map<string, string>> {
  const { log, manager } = await openLogs({ fileSystem: session(fileSystem), config });
  const latest = new Map<string, string>();
  for (let n = 0; n < 24; n++) {
    const producer = { producerId: 1n, producerEpoch: 0, baseSequence: n / 3 };
    const offset = await append(log, `k${n % 5}`, `v${n}`, n % 3 === 0 ? producer : {});
    latest.set(`k${n % 5}`, `${offset} v${n}`);
    if (n % 6 === 0) await abort(log, n);
    if (n === 12) await manager.compactNow();
  }
  await log.roll();
  await append(log, 'k9', 'last', {});
  latest.set('k9', `${log.logEndOffset - 1n} last`);
  await log.flush();
  await manager.writeCheckpoints();
  return latest;
}

async function append(log: PartitionLog, key: string, value: string, options: object) {
  const record = { timestamp: BigInt(startMs), key: Buffer.from(key), value: Buffer.from(value) };
  const info = await appendAsClient(log, buildRecordBatch({ ...options, records: [record] }));
  log.advanceHighWatermark(log.logEndOffset);
  return info.baseOffset;
}

async function abort(log: PartitionLog, n: number): Promise<void> {
  const producer = { producerId: 2n, producerEpoch: 0 };
  await append(log, 'k1', 'aborted', { ...producer, baseSequence: n / 6, isTransactional: true });
  const marker = transactionMarker({ ...producer, isAbort: true });
  await log.append(marker, { origin: 'coordinator', leaderEpoch: 0 });
  log.advanceHighWatermark(log.logEndOffset);
}

/** The storage of one life of the process. */
function session(fileSystem: MemoryFileSystem): MemoryFileSystem {
  return Object.assign(Object.create(fileSystem), fileSystem.session()) as MemoryFileSystem;
}

/** What read_committed readers see in the end, by key. */
async function latestOf(log: PartitionLog): Promise<Map<string, string>> {
  const latest = new Map<string, string>();
  assert.equal(log.lastStableOffset, log.logEndOffset);
  for (let offset = log.logStartOffset; offset < log.logEndOffset;) {
    const options = { offset, maxBytes: 1 << 20, minOneBatch: true };
    const { records, abortedTransactions } = await log.read({ ...options, upTo: 'lastStable' });
    for (const batch of batches(records)) {
      const { isControl, isTransactional, lastOffset, recordCount } = batch.header;
      offset = lastOffset + 1n;
      if (isControl) continue;
      const isKnown = abortedTransactions.some(({ firstOffset }) => firstOffset === lastOffset);
      assert.ok(!isTransactional || isKnown || recordCount === 0, `${lastOffset} was aborted`);
      for (const record of isTransactional ? [] : readRecords(batch))
        latest.set(String(record.key), `${record.offset} ${String(record.value)}`);
    }
  }
  return latest;
}

async function crashAfter(turns: number, kind: 'kill' | 'powerCut'): Promise<boolean> {
  const fileSystem = new MemoryFileSystem({ random: seededRandom(turns + 1) });
  const clock = new ManualClock(startMs);
  const expected = await prepare(fileSystem);
  fileSystem.kill();
  const { manager } = await openLogs({ fileSystem: session(fileSystem), clock, config });
  const state = { isDone: false };
  const compacting = manager.compactNow().then(
    () => (state.isDone = true),
    () => undefined,
  );
  for (let turn = 0; turn < turns && !state.isDone; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  const wasDone = state.isDone;
  fileSystem[kind]();
  await compacting;
  await check(fileSystem, clock, expected);
  return wasDone;
}

async function check(
  fileSystem: MemoryFileSystem,
  clock: ManualClock,
  expected: ReadonlyMap<string, string>,
): Promise<void> {
  const { log, manager } = await openLogs({ fileSystem: session(fileSystem), clock, config });
  assert.deepEqual(await sorted(log), [...expected].sort());
  assert.deepEqual(
    fileSystem.paths().filter((path) => /\.(cleaned|swap)$/.test(path)),
    [],
  );
  const endOffset = log.logEndOffset;
  const [compacted] = await manager.compactNow();
  assert.ok(compacted, 'it can be compacted again');
  assert.deepEqual(await sorted(log), [...expected].sort());
  const info = await append(log, 'k0', 'more', {});
  assert.equal(info, endOffset);
}

async function sorted(log: PartitionLog): Promise<[string, string][]> {
  return [...(await latestOf(log))].sort();
}

describe('[A5] a compaction that is interrupted', () => {
  for (const kind of ['kill', 'powerCut'] as const)
    it(`leaves a whole log wherever a ${kind} comes`, async function () {
      this.timeout(120_000);
      let points = 0;
      for (let turns = 0; !(await crashAfter(turns, kind)); turns++) points++;
      assert.ok(points > 50, `${points} points were tried`);
    });
});
