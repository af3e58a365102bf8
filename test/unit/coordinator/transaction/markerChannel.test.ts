import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { MarkerChannel } from '../../../../src/coordinator/transaction/markerChannel.ts';
import { newTransaction } from '../../../../src/coordinator/transaction/transactionState.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { FakeBrokers } from './support/transactionScenario.ts';

/** A transaction that is being committed, with so many partitions. */
function committing(count: number) {
  const partitions = new Map([['orders', new Set(Array(count).keys())]]);
  return { ...newTransaction('id', 7n), state: 'PrepareCommit' as const, partitions };
}

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
  const markers = new MarkerChannel({ port, clock: new ManualClock(), logger: silentLogger });
  const { signal } = new AbortController();
  const send = (count: number) => markers.send(committing(count), { coordinatorEpoch: 1, signal });
  return { send, brokers, asked: () => asked };
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
});
