import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { MarkerChannel } from '../../../../src/coordinator/transaction/markerChannel.ts';
import { eachPartition } from '../../../../src/coordinator/transaction/partitionSet.ts';
import {
  newTransaction,
  type Transaction,
} from '../../../../src/coordinator/transaction/transactionState.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settle } from '../support/scenario.ts';
import { FakeBrokers } from './support/transactionScenario.ts';

/** A transaction that is being committed, with so many partitions. */
function committing(count: number) {
  const partitions = new Map([['orders', new Set(Array(count).keys())]]);
  return { ...newTransaction('id', 7n), state: 'PrepareCommit' as const, partitions };
}

/** A channel between coordinators, each load of which has a signal of its own, and brokers. */
function channel() {
  const brokers = new FakeBrokers();
  let asked = 0;
  const port = {
    leaderOf: (topic: string, partition: number) => {
      asked++;
      return brokers.leaderOf(topic, partition);
    },
    send: brokers.send.bind(brokers),
  };
  const said: string[] = [];
  const note = (message: string): void => void said.push(message);
  const logger = { ...silentLogger, warn: note, error: note };
  const markers = new MarkerChannel({ port, clock: new ManualClock(), logger });
  const { signal } = new AbortController();
  const send = (count: number) => markers.send(committing(count), { coordinatorEpoch: 1, signal });
  return { send, brokers, asked: () => asked, said, markers };
}

/** Which partitions of a transaction have no marker yet. */
function remaining(markers: MarkerChannel, of: Transaction, signal: AbortSignal): number[] {
  return [...eachPartition(markers.remainingOf(of, signal))].map(({ partition }) => partition);
}

describe('The markers of a transaction', () => {
  it('[A6] of few partitions are looked up at once, and go together to each broker', async () => {
    const { send, brokers, asked } = channel();
    const sent = send(3);
    assert.equal(asked(), 3);
    assert.equal(await sent, true);
    assert.equal(brokers.requests.length, 2);
  });

  it('[A6] of many are made in steps, between which others are served, and all arrive', async () => {
    const { send, brokers, asked } = channel();
    // Each reading of the clock takes a while, however fast the machine is.
    let nowMs = performance.now();
    Object.defineProperty(performance, 'now', { configurable: true, value: () => (nowMs += 0.5) });
    try {
      const sent = send(5000);
      assert.ok(asked() < 100, `${asked()} were looked up at once`);
      assert.equal(await sent, true);
    } finally {
      Reflect.deleteProperty(performance, 'now');
    }
    assert.equal(brokers.markers.size, 5000);
  });

  it('[A6] that many partitions give up for the same reason are told in one line', async () => {
    const { send, brokers, said } = channel();
    for (let partition = 0; partition < 20; partition += 2)
      brokers.errors.set(`orders-${partition}`, 'INVALID_PRODUCER_EPOCH');
    assert.equal(await send(20), false);
    assert.deepEqual(said, [
      'markers of id for orders-0, orders-2, orders-4 and 7 more are given up: INVALID_PRODUCER_EPOCH',
    ]);
  });
});

describe('Which markers of a transaction are missing', () => {
  const load = () => new AbortController();

  it('[A6] is told of the load of its coordinator that asks, not of an earlier one', async () => {
    const { markers, brokers } = channel();
    const [first, second] = [load(), load()];
    const transaction = committing(2);
    brokers.down.add(1);
    void markers.send(transaction, { coordinatorEpoch: 1, signal: first.signal });
    await settle();
    assert.deepEqual(remaining(markers, transaction, first.signal), [1]);
    first.abort();
    assert.deepEqual(remaining(markers, transaction, second.signal), [0, 1]);
  });

  it('[A6] is told though an earlier load of its coordinator ends after this one has begun', async () => {
    const { markers, brokers } = channel();
    const [first, second] = [load(), load()];
    const transaction = committing(2);
    const send = brokers.send.bind(brokers);
    const held: (() => void)[] = [];
    brokers.send = async (...request) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return send(...request);
    };
    const earlier = markers.send(transaction, { coordinatorEpoch: 1, signal: first.signal });
    await settle();
    first.abort();
    brokers.errors.set('orders-1', 'TRANSACTION_COORDINATOR_FENCED');
    void markers.send(transaction, { coordinatorEpoch: 2, signal: second.signal });
    for (const go of held.splice(0)) go();
    await earlier;
    await settle();
    for (const go of held.splice(0)) go();
    await settle();
    markers.forget(transaction, first.signal);
    assert.deepEqual(remaining(markers, transaction, second.signal), [1]);
  });

  it('[A6] is told of this one, not of one before whose markers were given up', async () => {
    const { markers, brokers } = channel();
    const { signal } = load();
    brokers.errors.set('orders-0', 'INVALID_PRODUCER_EPOCH');
    const before = committing(2);
    assert.equal(await markers.send(before, { coordinatorEpoch: 1, signal }), false);
    assert.deepEqual(remaining(markers, before, signal), [0]);
    const many = committing(5000);
    const sent = markers.send(many, { coordinatorEpoch: 1, signal });
    assert.equal(remaining(markers, many, signal).length, 5000);
    assert.equal(await sent, false);
    markers.forget(before, signal);
    // What the other broker has may be gone through later than what this one has given up.
    while (remaining(markers, many, signal).length > 1) await settle();
    assert.deepEqual(remaining(markers, many, signal), [0]);
    markers.forget(many, signal);
    assert.equal(remaining(markers, many, signal).length, 5000);
  });
});
