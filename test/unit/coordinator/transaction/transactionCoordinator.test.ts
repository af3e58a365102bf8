import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { transactionRecord } from '../../../../src/coordinator/transaction/transactionRecords.ts';
import { newTransaction } from '../../../../src/coordinator/transaction/transactionState.ts';
import { errorCodes } from '../../../../src/protocol/errors.ts';
import { nameOf, settle } from '../support/scenario.ts';
import { TransactionScenario } from './support/transactionScenario.ts';

const id = 'txn';

/** A coordinator that has read of the id at the last epoch that a producer may have. */
function atLastEpoch(): Promise<TransactionScenario> {
  const transaction = { ...newTransaction(id, 7n), producerEpoch: 32_766, timeoutMs: 60_000 };
  const entries = new Map([[0, [transactionRecord(transaction, 2)]]]);
  return TransactionScenario.start({ entries });
}

describe('a transaction', () => {
  it('[A6] is answered once it is decided for good, and complete once every partition has its marker', async () => {
    const scenario = await TransactionScenario.start();
    const producer = await scenario.init(id);
    assert.equal(await scenario.add(id, producer, 0, 1, 2), 'NONE');
    scenario.brokers.errors.set('t-1', 'NOT_LEADER_OR_FOLLOWER');
    const answer = await scenario.end(id, producer, true);
    assert.deepEqual([nameOf(answer.errorCode), answer.producerEpoch], ['NONE', 1]);
    await settle();
    assert.equal(scenario.stateOf(id), 'PrepareCommit');
    assert.equal(await scenario.add(id, answer, 0), 'CONCURRENT_TRANSACTIONS');
    const another = await scenario.init(id);
    assert.equal(nameOf(another.errorCode), 'CONCURRENT_TRANSACTIONS');
    scenario.brokers.errors.clear();
    await scenario.pass(100);
    assert.equal(scenario.stateOf(id), 'CompleteCommit');
    const { producerId } = producer;
    for (const partition of ['t-0', 't-1', 't-2']) {
      assert.deepEqual(scenario.brokers.markers.get(partition), [`${producerId}/1 commit`]);
    }
  });

  it('[A6] sends each broker its markers in one request, and what piles up in the next', async () => {
    const scenario = await TransactionScenario.start();
    const ids = ['a', 'b', 'c', 'd'];
    const producers = await Promise.all(ids.map((each) => scenario.init(each)));
    await Promise.all(ids.map((each, n) => scenario.add(each, producers[n] ?? none, 0, 2, 4, 1)));
    await Promise.all(ids.map((each, n) => scenario.end(each, producers[n] ?? none, true)));
    await settle();
    for (const each of ids) assert.equal(scenario.stateOf(each), 'CompleteCommit');
    const toFirst = scenario.brokers.requests.filter(({ brokerId }) => brokerId === 0);
    assert.deepEqual(
      toFirst.map(({ markerCount }) => markerCount),
      [1, 3],
    );
  });

  it('[A6] waits for a broker that is down, and not for a partition that is gone', async () => {
    const scenario = await TransactionScenario.start();
    const producer = await scenario.init(id);
    await scenario.add(id, producer, 0, 1);
    scenario.brokers.gone.add('t-0');
    scenario.brokers.down.add(1);
    await scenario.end(id, producer, false);
    await scenario.pass(1000);
    assert.equal(scenario.stateOf(id), 'PrepareAbort');
    scenario.brokers.down.clear();
    await scenario.pass(100);
    assert.equal(scenario.stateOf(id), 'CompleteAbort');
    assert.equal(scenario.brokers.markers.has('t-0'), false);
  });

  it('[A6] is left to the next coordinator: the one that was sends no markers any more', async () => {
    const scenario = await TransactionScenario.start();
    const producer = await scenario.init(id);
    await scenario.add(id, producer, 1);
    scenario.brokers.down.add(1);
    await scenario.end(id, producer, true);
    await scenario.pass(1000);
    scenario.coordinator.unload(0);
    const sentCount = scenario.brokers.requests.length;
    await scenario.pass(1000);
    assert.equal(scenario.brokers.requests.length, sentCount);
  });

  it('[A6] that was fenced in a partition is left as it is', async () => {
    const scenario = await TransactionScenario.start();
    const producer = await scenario.init(id);
    await scenario.add(id, producer, 0);
    scenario.brokers.errors.set('t-0', 'TRANSACTION_COORDINATOR_FENCED');
    await scenario.end(id, producer, true);
    await scenario.pass(10_000);
    assert.equal(scenario.stateOf(id), 'PrepareCommit');
    assert.equal(scenario.brokers.requests.length, 1);
  });

  it('[A6] that could not be decided is as before, and may be ended again', async () => {
    const scenario = await TransactionScenario.start();
    const producer = await scenario.init(id);
    await scenario.add(id, producer, 0);
    scenario.writer.failNext(errorCodes.NOT_ENOUGH_REPLICAS);
    const failed = await scenario.end(id, producer, true);
    assert.equal(nameOf(failed.errorCode), 'COORDINATOR_NOT_AVAILABLE');
    assert.equal(scenario.stateOf(id), 'Ongoing');
    assert.equal(scenario.brokers.requests.length, 0);
    assert.equal(nameOf((await scenario.end(id, producer, true)).errorCode), 'NONE');
    await settle();
    assert.equal(scenario.stateOf(id), 'CompleteCommit');
  });

  it('[A6] is seen to its end though the log takes its last record late', async () => {
    const scenario = await TransactionScenario.start();
    const producer = await scenario.init(id);
    await scenario.add(id, producer, 0);
    scenario.brokers.errors.set('t-0', 'REQUEST_TIMED_OUT');
    await scenario.end(id, producer, true);
    await settle();
    scenario.writer.failNext(errorCodes.KAFKA_STORAGE_ERROR);
    scenario.brokers.errors.clear();
    await scenario.pass(100);
    assert.equal(scenario.stateOf(id), 'PrepareCommit');
    await scenario.pass(100);
    assert.equal(scenario.stateOf(id), 'CompleteCommit');
  });

  it('[A4] [A6] that was decided before a restart is completed by the next coordinator, with its epoch', async () => {
    const scenario = await TransactionScenario.start();
    const producer = await scenario.init(id);
    await scenario.add(id, producer, 0, 1);
    scenario.brokers.down.add(0).add(1);
    const { producerEpoch } = await scenario.end(id, producer, true);
    await settle();
    scenario.brokers.down.clear();
    const next = await scenario.restart();
    await settle();
    assert.equal(next.stateOf(id), 'CompleteCommit');
    assert.deepEqual(next.brokers.markers.get('t-1'), [`${producer.producerId}/1 commit`]);
    const retry = await next.end(id, producer, true);
    assert.deepEqual([nameOf(retry.errorCode), retry.producerEpoch], ['NONE', producerEpoch]);
  });

  it('[A6] that is open for longer than its timeout is aborted, and its producer fenced', async () => {
    const scenario = await TransactionScenario.start();
    const producer = await scenario.init(id);
    await scenario.add(id, producer, 0);
    await scenario.pass(60_000);
    assert.equal(await scenario.coordinator.abortTimedOut(), 0);
    await scenario.pass(1);
    assert.equal(await scenario.coordinator.abortTimedOut(), 1);
    await settle();
    assert.equal(scenario.stateOf(id), 'CompleteAbort');
    assert.equal(await scenario.add(id, producer, 0), 'PRODUCER_FENCED');
    assert.deepEqual(scenario.brokers.markers.get('t-0'), [`${producer.producerId}/1 abort`]);
  });

  for (const [transactionVersion, outcome] of [
    [1, 'PRODUCER_FENCED'],
    [2, 'NONE'],
  ] as const)
    it(`[A6] that was given up for its producer is ${outcome} to who goes on from it (v${transactionVersion})`, async () => {
      const scenario = await TransactionScenario.start({ transactionVersion });
      const producer = await scenario.init(id);
      await scenario.add(id, producer, 0);
      await scenario.pass(60_001);
      await scenario.coordinator.abortTimedOut();
      await settle();
      assert.deepEqual(scenario.brokers.markers.get('t-0'), [`${producer.producerId}/1 abort`]);
      assert.equal(nameOf((await scenario.init(id, producer)).errorCode), outcome);
    });
});

const none = { producerId: -1n, producerEpoch: -1 };

describe('a transaction that waits for its markers', () => {
  const concurrent = 'CONCURRENT_TRANSACTIONS';

  for (const isCommit of [true, false]) {
    const ended = isCommit ? 'committed' : 'aborted';

    it(`[A6] and was ${ended} lets nobody go on, nor end, whatever the epoch (v2)`, async () => {
      const scenario = await TransactionScenario.start();
      const producer = await scenario.init(id);
      await scenario.add(id, producer, 0);
      scenario.brokers.down.add(0);
      const next = await scenario.end(id, producer, isCommit);
      assert.equal(nameOf(next.errorCode), 'NONE');
      await settle();
      const zombie = { ...next, producerEpoch: 7 };
      for (const each of [producer, next, zombie]) {
        assert.equal(await scenario.add(id, each, 1), concurrent);
        for (const again of [true, false]) {
          assert.equal(nameOf((await scenario.end(id, each, again)).errorCode), concurrent);
        }
      }
      const stranger = { ...next, producerId: 987n };
      assert.equal(nameOf((await scenario.init(id, stranger)).errorCode), concurrent);
      scenario.brokers.down.clear();
      await scenario.pass(100);
      // An offset commit was refused meanwhile: its producer gives the transaction up before it has begun.
      assert.equal(nameOf((await scenario.end(id, next, false)).errorCode), 'NONE');
      await settle();
      assert.equal(scenario.stateOf(id), 'CompleteAbort');
      assert.equal(await scenario.add(id, zombie, 1), 'PRODUCER_FENCED');
    });

    it(`[A6] and was ${ended} lets its producer end in no way, and fences others (v1)`, async () => {
      const scenario = await TransactionScenario.start();
      const producer = await scenario.init(id);
      await scenario.add(id, producer, 0);
      scenario.brokers.down.add(0);
      await scenario.end(id, producer, isCommit, 0);
      const endAs = async (each: Omit<typeof producer, 'errorCode'>, again: boolean) =>
        nameOf((await scenario.end(id, each, again, 0)).errorCode);
      for (const again of [true, false]) {
        assert.equal(await endAs(producer, again), concurrent);
        assert.equal(await endAs({ ...producer, producerEpoch: 7 }, again), 'PRODUCER_FENCED');
        assert.equal(await endAs(none, again), 'INVALID_PRODUCER_ID_MAPPING');
      }
    });
  }

  it('[A6] tells a producer that already has its next id to wait as well (v2)', async () => {
    const scenario = await atLastEpoch();
    const producer = { producerId: 7n, producerEpoch: 32_766 };
    await scenario.add(id, producer, 0);
    scenario.brokers.down.add(0);
    const next = await scenario.end(id, producer, true);
    assert.deepEqual([next.errorCode, next.producerEpoch], [0, 0]);
    await settle();
    assert.equal(await scenario.add(id, next, 1), concurrent);
    assert.equal(nameOf((await scenario.end(id, next, false)).errorCode), concurrent);
    assert.equal(nameOf((await scenario.init(id, next)).errorCode), concurrent);
    scenario.brokers.down.clear();
    await scenario.pass(100);
    assert.equal(await scenario.add(id, next, 1), 'NONE');
  });
});

describe('a transactional id', () => {
  it('[A6] is forgotten when nobody has used it for a week, and not while a transaction is open', async () => {
    const scenario = await TransactionScenario.start();
    const week = 7 * 24 * 3_600_000;
    await scenario.init('idle');
    const producer = await scenario.init('busy');
    await scenario.add('busy', producer, 0);
    await scenario.pass(week - 1);
    assert.equal(await scenario.coordinator.removeExpired(), 0);
    await scenario.pass(1);
    assert.equal(await scenario.coordinator.removeExpired(), 1);
    assert.equal(scenario.stateOf('idle'), 'TRANSACTIONAL_ID_NOT_FOUND');
    assert.equal(scenario.stateOf('busy'), 'Ongoing');
    const next = await scenario.restart();
    assert.equal(next.stateOf('idle'), 'TRANSACTIONAL_ID_NOT_FOUND');
  });

  it('[A6] whose epochs are used up gets another producer id (v1)', async () => {
    const scenario = await atLastEpoch();
    const answer = await scenario.init(id);
    assert.deepEqual([answer.errorCode, answer.producerEpoch], [0, 0]);
    assert.notEqual(answer.producerId, 7n);
  });

  it('[A6] whose epochs are used up while it goes on knows the retry with the old id (KIP-360)', async () => {
    const scenario = await atLastEpoch();
    const expected = { errorCode: 0, producerId: 7n, producerEpoch: 32_766 };
    const answer = await scenario.init(id, expected);
    assert.deepEqual([answer.errorCode, answer.producerEpoch], [0, 0]);
    assert.deepEqual(await scenario.init(id, expected), answer);
  });

  it('[A6] whose epochs are used up with a transaction goes on under another id, told with the commit (v2)', async () => {
    const scenario = await atLastEpoch();
    const producer = { producerId: 7n, producerEpoch: 32_766 };
    assert.equal(await scenario.add(id, producer, 0), 'NONE');
    const answer = await scenario.end(id, producer, true);
    assert.deepEqual([answer.errorCode, answer.producerEpoch], [0, 0]);
    assert.notEqual(answer.producerId, 7n);
    await settle();
    assert.deepEqual(scenario.brokers.markers.get('t-0'), ['7/32767 commit']);
    assert.deepEqual(await scenario.end(id, producer, true), answer);
    const marked = { ...producer, producerEpoch: 32_767 };
    const { errorCode } = await scenario.end(id, marked, true);
    assert.equal(nameOf(errorCode), 'INVALID_PRODUCER_ID_MAPPING');
    assert.equal(await scenario.add(id, answer, 0), 'NONE');
    const restarted = await scenario.restart();
    assert.equal(await restarted.add(id, answer, 1), 'NONE');
  });

  it('[A6] whose last epoch is fenced keeps one back for that, and then has another id', async () => {
    const scenario = await atLastEpoch();
    const producer = { producerId: 7n, producerEpoch: 32_766 };
    await scenario.add(id, producer, 0);
    assert.equal(nameOf((await scenario.init(id)).errorCode), 'CONCURRENT_TRANSACTIONS');
    assert.deepEqual(scenario.brokers.markers.get('t-0'), ['7/32767 abort']);
    const next = await scenario.init(id);
    assert.equal(nameOf(next.errorCode), 'NONE');
    assert.notEqual(next.producerId, 7n);
  });

  it('[A6] is served by the coordinator that has it, once it is loaded', async () => {
    const scenario = await TransactionScenario.start();
    scenario.coordinator.unload(0);
    assert.equal(nameOf((await scenario.init(id)).errorCode), 'NOT_COORDINATOR');
    assert.equal(scenario.stateOf(id), 'NOT_COORDINATOR');
  });
});
