import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AppendInfo, PartitionLog } from '../../../src/storage/partitionLog.ts';
import {
  clientBatch,
  appendAsClient,
  openLogs,
  startMs,
  storageError,
  transactionMarker,
} from './support.ts';

const lastInt = 2 ** 31 - 1;

function send(
  log: PartitionLog,
  baseSequence: number,
  count = 1,
  { epoch: producerEpoch = 0, id: producerId = 7n }: { epoch?: number; id?: bigint } = {},
): Promise<AppendInfo> {
  return appendAsClient(log, clientBatch(count, { producerId, producerEpoch, baseSequence }));
}

describe('an idempotent producer', () => {
  it('that repeats one of its last five batches gets the offsets of the first time', async () => {
    const { log } = await openLogs();
    for (let n = 0; n < 6; n++) await send(log, n * 2, 2);
    for (let n = 1; n < 6; n++) {
      const info = await send(log, n * 2, 2);
      assert.deepEqual(
        [info.baseOffset, info.lastOffset, info.isDuplicate],
        [BigInt(n * 2), BigInt(n * 2 + 1), true],
      );
    }
    assert.equal(log.logEndOffset, 12n);
    await assert.rejects(send(log, 0, 2), storageError('OUT_OF_ORDER_SEQUENCE_NUMBER'));
  });

  it('that repeats a batch while the first is still being written gets its offsets too', async () => {
    const { log } = await openLogs();
    const infos = await Promise.all([
      send(log, 0),
      send(log, 1),
      send(log, 1),
      send(log, 0),
      send(log, 2),
    ]);
    assert.deepEqual(
      infos.map(({ baseOffset, isDuplicate }) => [baseOffset, isDuplicate]),
      [
        [0n, false],
        [1n, false],
        [1n, true],
        [0n, true],
        [2n, false],
      ],
    );
    assert.equal(log.logEndOffset, 3n);
  });

  it('repeats only where first and last sequence both match', async () => {
    const { log } = await openLogs();
    await send(log, 0, 3);
    await assert.rejects(send(log, 0, 2), storageError('OUT_OF_ORDER_SEQUENCE_NUMBER'));
  });

  it('that skips a sequence is refused, and goes on where it was', async () => {
    const { log } = await openLogs();
    await send(log, 0);
    await assert.rejects(
      send(log, 2),
      storageError('OUT_OF_ORDER_SEQUENCE_NUMBER', /sequence 2 where 1/),
    );
    await send(log, 1);
    assert.equal(log.logEndOffset, 2n);
  });

  it('whose batch is refused in the middle of others does not confuse them', async () => {
    const { log } = await openLogs();
    const outcomes = await Promise.allSettled([
      send(log, 0),
      send(log, 5),
      send(log, 1),
      send(log, 0, 1, { id: 8n }),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    assert.equal(log.logEndOffset, 3n);
  });

  it('goes from the largest sequence on to 0', async () => {
    const { log } = await openLogs();
    await send(log, lastInt - 1, 2);
    await send(log, 0);
    const wrapped = await send(log, 1, 3);
    assert.equal(wrapped.baseOffset, 3n);
    assert.equal((await send(log, lastInt - 1, 2)).isDuplicate, true);
  });

  it('may have a batch that goes over the largest sequence', async () => {
    const { log } = await openLogs();
    await send(log, lastInt, 3);
    assert.equal((await send(log, lastInt, 3)).isDuplicate, true);
    assert.equal((await send(log, 2)).baseOffset, 3n);
  });

  it('may begin at any sequence where nothing is known of it', async () => {
    const { log } = await openLogs();
    assert.equal((await send(log, 41)).baseOffset, 0n);
    assert.equal((await send(log, 42)).baseOffset, 1n);
  });

  it('begins at 0 in a new epoch, and is fenced in an old one', async () => {
    const { log } = await openLogs();
    await send(log, 0, 1, { epoch: 3 });
    await assert.rejects(
      send(log, 1, 1, { epoch: 4 }),
      storageError('OUT_OF_ORDER_SEQUENCE_NUMBER', /new epoch 4/),
    );
    await send(log, 0, 1, { epoch: 4 });
    await assert.rejects(send(log, 1, 1, { epoch: 3 }), storageError('INVALID_PRODUCER_EPOCH'));
  });

  it('is forgotten after producer.id.expiration.ms of silence', async () => {
    const { log, clock } = await openLogs({ options: { producerIdExpirationMs: 1000 } });
    await send(log, 0);
    await assert.rejects(send(log, 5), storageError('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    clock.advance(1000);
    // Retention has a clock of its own.
    await log.applyRetention();
    assert.equal((await log.activeProducers()).length, 1);
    await log.removeExpiredProducers();
    assert.deepEqual(await log.activeProducers(), []);
    assert.equal((await send(log, 5)).baseOffset, 1n);
  });
});

describe('a producer after a restart', () => {
  it('is forgotten when the broker was killed and its time was over', async () => {
    const options = { producerIdExpirationMs: 1000 };
    const { log, fileSystem, clock } = await openLogs({ options });
    await send(log, 0);
    clock.advance(1000);
    fileSystem.kill();
    const { log: reopened } = await openLogs({ fileSystem, clock, options });
    assert.deepEqual(await reopened.activeProducers(), []);
  });

  it('is known as before when the broker was killed', async () => {
    const { log, fileSystem } = await openLogs();
    for (let n = 0; n < 5; n++) await send(log, n);
    fileSystem.kill();
    const { log: reopened } = await openLogs({ fileSystem });
    for (let n = 0; n < 5; n++)
      assert.equal((await send(reopened, n)).isDuplicate, true, `batch ${n}`);
    assert.equal((await send(reopened, 5)).baseOffset, 5n);
  });

  it('is known by its last batch when the broker was stopped, as in Kafka’s snapshots', async () => {
    const { log, fileSystem, manager } = await openLogs();
    for (let n = 0; n < 5; n++) await send(log, n);
    await manager.close();
    const { log: reopened } = await openLogs({ fileSystem });
    assert.equal((await send(reopened, 4)).isDuplicate, true);
    await assert.rejects(send(reopened, 3), storageError('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    assert.equal((await send(reopened, 5)).baseOffset, 5n);
  });

  it('is known although its batches lie in segments below the recovery point', async () => {
    const test = { config: { segmentBytes: 300 } };
    const { log, fileSystem, manager } = await openLogs(test);
    for (let n = 0; n < 12; n++) await send(log, n);
    await log.flush();
    await manager.writeCheckpoints();
    for (let n = 0; n < 3; n++) await send(log, n, 1, { id: 9n });
    fileSystem.kill();
    const { log: reopened } = await openLogs({ ...test, fileSystem });
    assert.equal((await send(reopened, 11)).isDuplicate, true);
    assert.equal((await send(reopened, 2, 1, { id: 9n })).isDuplicate, true);
    assert.equal((await send(reopened, 12)).baseOffset, 15n);
  });

  it('is known although its snapshot is damaged', async () => {
    const { log, fileSystem, manager } = await openLogs();
    await send(log, 0);
    await manager.close();
    for (const path of fileSystem.paths())
      if (path.endsWith('.snapshot')) fileSystem.contents(path)?.writeInt8(99, 12);
    const { log: reopened } = await openLogs({ fileSystem });
    assert.equal((await send(reopened, 0)).isDuplicate, true);
  });
});

describe('transactions', () => {
  const transactional = { producerId: 7n, producerEpoch: 0, isTransactional: true };
  const end = (
    log: PartitionLog,
    isAbort: boolean,
    producerId = 7n,
    epoch = 0,
  ): Promise<AppendInfo> =>
    log.append(transactionMarker({ producerId, producerEpoch: epoch, isAbort }), {
      origin: 'coordinator',
      leaderEpoch: 0,
    });

  it('that are open hold back the last stable offset, up to their marker', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(2));
    await appendAsClient(log, clientBatch(3, { ...transactional, baseSequence: 0 }));
    await appendAsClient(log, clientBatch(1));
    log.advanceHighWatermark(6n);
    assert.equal(log.lastStableOffset, 2n);
    await end(log, false);
    assert.equal(log.lastStableOffset, 2n, 'the marker is not replicated yet');
    log.advanceHighWatermark(7n);
    assert.equal(log.lastStableOffset, 7n);
  });

  it('that were aborted are told to who reads their records', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(2, { ...transactional, baseSequence: 0 }));
    await appendAsClient(
      log,
      clientBatch(2, { ...transactional, producerId: 8n, baseSequence: 0 }),
    );
    await end(log, true);
    await end(log, false, 8n);
    await appendAsClient(log, clientBatch(2));
    log.advanceHighWatermark(log.logEndOffset);
    const read = await log.read({
      offset: 0n,
      maxBytes: 1 << 20,
      upTo: 'lastStable',
      minOneBatch: true,
    });
    assert.deepEqual(read.abortedTransactions, [{ producerId: 7n, firstOffset: 0n }]);
    const later = await log.read({
      offset: 5n,
      maxBytes: 1 << 20,
      upTo: 'lastStable',
      minOneBatch: true,
    });
    assert.deepEqual(later.abortedTransactions, []);
    const uncommitted = await log.read({
      offset: 0n,
      maxBytes: 1 << 20,
      upTo: 'highWatermark',
      minOneBatch: true,
    });
    assert.deepEqual(uncommitted.abortedTransactions, []);
  });

  it('are open and aborted as before after a kill, and after a stop', async () => {
    const { log, fileSystem } = await openLogs({ config: { segmentBytes: 400 } });
    await appendAsClient(log, clientBatch(2, { ...transactional, baseSequence: 0 }));
    await appendAsClient(
      log,
      clientBatch(1, { ...transactional, producerId: 8n, baseSequence: 0 }),
    );
    for (let n = 0; n < 5; n++) await appendAsClient(log, clientBatch(2));
    await end(log, true);
    fileSystem.kill();
    const check = async (reopened: PartitionLog): Promise<void> => {
      await reopened.open();
      reopened.advanceHighWatermark(reopened.logEndOffset);
      assert.equal(reopened.lastStableOffset, 2n, 'held back by producer 8');
      const read = await reopened.read({
        offset: 0n,
        maxBytes: 1 << 20,
        upTo: 'lastStable',
        minOneBatch: true,
      });
      assert.deepEqual(read.abortedTransactions, [{ producerId: 7n, firstOffset: 0n }]);
    };
    const killed = await openLogs({ fileSystem });
    await check(killed.log);
    await killed.manager.close();
    await check((await openLogs({ fileSystem })).log);
  });

  it('refuse a batch outside them from a producer that has one open', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(1, { ...transactional, baseSequence: 0 }));
    await assert.rejects(send(log, 1), storageError('INVALID_TXN_STATE'));
  });

  it('take markers of the coordinator’s latest epoch only', async () => {
    const { log } = await openLogs();
    const marker = (coordinatorEpoch: number): Promise<AppendInfo> =>
      log.append(
        transactionMarker({ producerId: 7n, producerEpoch: 0, isAbort: false, coordinatorEpoch }),
        { origin: 'coordinator', leaderEpoch: 0 },
      );
    await marker(3);
    await assert.rejects(marker(2), storageError('TRANSACTION_COORDINATOR_FENCED'));
  });

  it('of version 2 refuse a marker with the epoch of the transaction itself', async () => {
    const { log } = await openLogs();
    await appendAsClient(log, clientBatch(1, { ...transactional, baseSequence: 0 }));
    const marker = (producerEpoch: number): Promise<AppendInfo> =>
      log.append(transactionMarker({ producerId: 7n, producerEpoch, isAbort: true }), {
        origin: 'coordinator',
        leaderEpoch: 0,
        transactionVersion: 2,
      });
    await assert.rejects(marker(0), storageError('INVALID_PRODUCER_EPOCH'));
    await marker(1);
    assert.equal((await marker(1)).baseOffset, 2n, 'a retry once it is over');
  });

  it('keep a silent producer from being forgotten', async () => {
    const { log, clock } = await openLogs({ options: { producerIdExpirationMs: 1000 } });
    await appendAsClient(log, clientBatch(1, { ...transactional, baseSequence: 0 }));
    clock.advance(5000);
    await log.applyRetention();
    const [producer] = await log.activeProducers();
    assert.equal(producer?.transactionFirstOffset, 0n);
    assert.equal(producer.lastTimestamp, BigInt(startMs));
  });
});
