import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AppendInfo, PartitionLog } from '../../../src/storage/partitionLog.ts';
import type { VerificationGuard } from '../../../src/storage/transactionVerification.ts';
import {
  appendAsClient,
  clientBatch,
  openLogs,
  startMs,
  storageError,
  type TestLogs,
  transactionMarker,
} from './support.ts';

const producerId = 7n;

interface Batch {
  readonly producerEpoch?: number;
  readonly baseSequence?: number;
}

function ask(
  log: PartitionLog,
  { supportsEpochBump = true, nowMs = startMs, ...batch }: Batch & Partial<Asked> = {},
): Promise<VerificationGuard | undefined> {
  const request = { producerId, producerEpoch: 0, baseSequence: 0, ...batch };
  return log.startVerification({ ...request, supportsEpochBump, nowMs });
}

interface Asked {
  readonly supportsEpochBump: boolean;
  readonly nowMs: number;
}

function append(
  log: PartitionLog,
  guard: VerificationGuard | undefined,
  batch: Batch = {},
): Promise<AppendInfo> {
  const options = { producerId, producerEpoch: 0, baseSequence: 0, isTransactional: true };
  return log.append(clientBatch(1, { ...options, ...batch }), {
    origin: 'client',
    leaderEpoch: 0,
    verification: { guard },
  });
}

function end(
  log: PartitionLog,
  producerEpoch: number,
  transactionVersion = 2,
): Promise<AppendInfo> {
  return log.append(transactionMarker({ producerId, producerEpoch, isAbort: true }), {
    origin: 'coordinator',
    leaderEpoch: 0,
    transactionVersion,
  });
}

/** Asks while a marker is being written: decided, and not yet known to be there. */
async function askMeanwhile(
  { log, fileSystem }: TestLogs,
  marker: () => Promise<AppendInfo>,
  batch: Parameters<typeof ask>[1],
): Promise<VerificationGuard | undefined> {
  const writesBefore = fileSystem.counts.write;
  const written = marker();
  while (fileSystem.counts.write === writesBefore) await Promise.resolve();
  const end = log.logEndOffset;
  const guard = await ask(log, batch);
  assert.equal(log.logEndOffset, end);
  await written;
  return guard;
}

const isStray = storageError('INVALID_TXN_STATE');
const isOutOfOrder = storageError('OUT_OF_ORDER_SEQUENCE_NUMBER');

describe('a transaction that has to be verified', () => {
  it('[A6] is let in with its guard, and without one once it has data here', async () => {
    const { log } = await openLogs();
    await assert.rejects(append(log, undefined), isStray);
    await assert.rejects(append(log, { producerId }), isStray);
    await append(log, await ask(log));
    assert.equal(await ask(log), undefined);
    await append(log, undefined, { baseSequence: 1 });
    assert.equal(log.logEndOffset, 2n);
  });

  it('[A6] is not let in with a guard from before a marker, though the two are written together', async () => {
    const { log } = await openLogs();
    const guard = await ask(log, { supportsEpochBump: false });
    // While this is being written, the other two pile up.
    const busy = appendAsClient(log, clientBatch(1));
    const marker = end(log, 0, 1);
    const late = assert.rejects(append(log, guard), isStray);
    await Promise.all([busy, marker, late]);
    await assert.rejects(append(log, guard), isStray);
    assert.equal(log.logEndOffset, 2n);
    await append(log, await ask(log));
  });

  it('[A6] keeps its guard over the marker of the one before, whose epoch it has (v2)', async () => {
    const { log } = await openLogs();
    await append(log, await ask(log));
    const guard = await ask(log, { producerEpoch: 1 });
    await end(log, 1);
    await append(log, guard, { producerEpoch: 1 });
  });

  for (const isLate of [false, true]) {
    const before = isLate ? ', which asked in vain' : '';

    it(`[A6] keeps the guard that it gets while the marker of the one before${before} is written (v2)`, async () => {
      const logs = await openLogs();
      const { log } = logs;
      await appendAsClient(log, clientBatch(1));
      const first = await ask(log);
      if (!isLate) await append(log, first);
      const guard = await askMeanwhile(logs, () => end(log, 1), { producerEpoch: 1 });
      await append(log, guard, { producerEpoch: 1 });
    });
  }

  it('[A6] keeps the guard that it gets while the marker of one without data here is written (v1)', async () => {
    const logs = await openLogs();
    const { log } = logs;
    await appendAsClient(log, clientBatch(1));
    const guard = await askMeanwhile(logs, () => end(log, 0, 1), { supportsEpochBump: false });
    await append(log, guard);
  });

  it('[A6] gets one guard for all that it sends at first', async () => {
    const { log } = await openLogs();
    const first = await ask(log);
    const second = await ask(log, { baseSequence: 1 });
    assert.equal(first, second);
    await Promise.all([append(log, first), append(log, second, { baseSequence: 1 })]);
    assert.equal(log.logEndOffset, 2n);
  });

  it('[A6] is not begun by a later batch while the first is still to be verified', async () => {
    const { log } = await openLogs();
    const guard = await ask(log);
    await ask(log, { baseSequence: 1 });
    await assert.rejects(append(log, guard, { baseSequence: 1 }), isOutOfOrder);
    await append(log, guard);
    await append(log, guard, { baseSequence: 1 });
  });

  it('[A6] begins at sequence 0 where nothing is known of its producer (v2)', async () => {
    const { log } = await openLogs();
    const guard = await ask(log, { baseSequence: 5 });
    await assert.rejects(append(log, guard, { baseSequence: 5 }), isOutOfOrder);
    const v1 = await openLogs();
    const guardV1 = await ask(v1.log, { baseSequence: 5, supportsEpochBump: false });
    await append(v1.log, guardV1, { baseSequence: 5 });
  });

  it('[A6] is not asked about for a producer that was fenced', async () => {
    const { log } = await openLogs();
    await append(log, await ask(log, { producerEpoch: 3 }), { producerEpoch: 3 });
    await assert.rejects(ask(log, { producerEpoch: 2 }), storageError('INVALID_PRODUCER_EPOCH'));
    await assert.rejects(
      append(log, undefined, { producerEpoch: 2 }),
      storageError('INVALID_PRODUCER_EPOCH'),
    );
  });

  it('[A6] that never came is forgotten with the silent producers', async () => {
    const { log, clock } = await openLogs({ options: { producerIdExpirationMs: 1000 } });
    const guard = await ask(log);
    clock.advance(2000);
    await log.removeExpiredProducers();
    await assert.rejects(append(log, guard), isStray);
  });

  it('[A6] may write again what a failed write did not bring in', async () => {
    const { log, fileSystem } = await openLogs();
    const guard = await ask(log);
    fileSystem.fail('write', 'ENOSPC', { path: /\.log$/ });
    await assert.rejects(append(log, guard), storageError('KAFKA_STORAGE_ERROR'));
    await append(log, guard);
  });
});
