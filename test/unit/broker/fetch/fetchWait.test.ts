import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inTurns } from '../../../../src/base/turns.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { waitForData } from '../../../../src/broker/fetch/fetchWait.ts';
import type { Partition } from '../../../../src/broker/partition.ts';
import { ManualClock } from '../../../support/manualClock.ts';

/** As much of a partition as a wait looks at. */
class FakePartition {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  bytesAppended = 0;
  isLeader = true;

  get isWatched(): boolean {
    return this.#changed.hasListeners;
  }

  append(bytes: number): void {
    this.bytesAppended += bytes;
    this.#changed.fire();
  }

  loseLeadership(): void {
    this.isLeader = false;
    this.#changed.fire();
  }
}

function waiting(missingBytes: number, partitions: readonly FakePartition[]) {
  const clock = new ManualClock();
  const abort = new AbortController();
  const closing = new Emitter<void>();
  const seen = partitions.map((partition) => ({
    partition: partition as unknown as Partition,
    bytesAppended: partition.bytesAppended,
  }));
  let isOver = false;
  const start = (): Promise<void> =>
    waitForData({
      seen,
      missingBytes,
      maxWaitMs: 500,
      clock,
      signal: abort.signal,
      onWillClose: closing.event,
      run: inTurns,
    }).then(() => {
      isOver = true;
    });
  const settled = async (): Promise<boolean> => {
    await new Promise((resolve) => setImmediate(resolve));
    return isOver;
  };
  return { clock, abort, closing, start, settled };
}

describe('a fetch that waits', () => {
  it('ends when as many bytes came in as are missing, over all its partitions', async () => {
    const partitions = [new FakePartition(), new FakePartition()];
    const { start, settled } = waiting(100, partitions);
    void start();
    partitions[0]?.append(60);
    assert.equal(await settled(), false);
    partitions[1]?.append(40);
    assert.equal(await settled(), true);
    assert.ok(partitions.every(({ isWatched }) => !isWatched));
  });

  it('counts what came in between the reading and the waiting', async () => {
    const partition = new FakePartition();
    const { start, settled } = waiting(10, [partition]);
    partition.append(10);
    void start();
    assert.equal(await settled(), true);
    assert.equal(partition.isWatched, false);
  });

  it('ends when a partition is led elsewhere', async () => {
    const partition = new FakePartition();
    const { start, settled } = waiting(10, [partition]);
    void start();
    partition.loseLeadership();
    assert.equal(await settled(), true);
  });

  for (const [what, happens] of [
    ['its time is up', ({ clock }: ReturnType<typeof waiting>) => clock.advance(500)],
    ['its connection closes', ({ abort }: ReturnType<typeof waiting>) => abort.abort()],
    ['the broker stops', ({ closing }: ReturnType<typeof waiting>) => closing.fire()],
  ] as const) {
    it(`ends when ${what}, and leaves nothing behind`, async () => {
      const partition = new FakePartition();
      const wait = waiting(10, [partition]);
      void wait.start();
      wait.clock.advance(499);
      assert.equal(await wait.settled(), false);
      happens(wait);
      assert.equal(await wait.settled(), true);
      assert.equal(partition.isWatched, false);
      assert.equal(wait.clock.pendingTimers, 0);
      assert.equal(wait.closing.hasListeners, false);
    });
  }

  it('does not begin where the connection is closed already', async () => {
    const partition = new FakePartition();
    const wait = waiting(10, [partition]);
    wait.abort.abort();
    void wait.start();
    assert.equal(await wait.settled(), true);
    assert.equal(partition.isWatched, false);
  });
});
