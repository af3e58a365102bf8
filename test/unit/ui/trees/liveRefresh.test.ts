import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Clock } from '../../../../src/base/clock.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { LiveRefresh } from '../../../../src/ui/trees/liveRefresh.ts';

/** A clock that tells which timers are set and fires them by hand. */
class HandClock implements Clock {
  timeMs = 0;
  timers: { delayMs: number; fire: () => void }[] = [];

  nowMs(): number {
    return this.timeMs;
  }

  monotonicMs(): number {
    return this.timeMs;
  }

  setTimer(delayMs: number, fire: () => void): { dispose(): void } {
    const timer = { delayMs, fire };
    this.timers.push(timer);
    return toDisposable(() => (this.timers = this.timers.filter((other) => other !== timer)));
  }

  /** Fires the one timer that is set and lets its work end. */
  async fire(): Promise<void> {
    const [timer] = this.timers.splice(0, 1);
    assert.ok(timer, 'a timer is set');
    timer.fire();
    await new Promise(setImmediate);
  }
}

describe('live refresh', () => {
  let clock: HandClock;
  let intervalMs: number;
  let refreshes: number;
  let outcome: boolean;
  let tookMs: number;
  let live: LiveRefresh;

  beforeEach(() => {
    clock = new HandClock();
    intervalMs = 3000;
    refreshes = 0;
    outcome = true;
    tookMs = 0;
    live = new LiveRefresh({
      clock,
      intervalMs: () => intervalMs,
      refresh: () => {
        refreshes++;
        clock.timeMs += tookMs;
        return Promise.resolve(outcome);
      },
    });
  });

  const delays = (): number[] => clock.timers.map(({ delayMs }) => delayMs);

  it('runs only while the view is visible', async () => {
    assert.deepEqual(delays(), []);
    live.setVisible(true);
    assert.deepEqual(delays(), [0]);
    await clock.fire();
    assert.equal(refreshes, 1);
    assert.deepEqual(delays(), [3000]);
    live.setVisible(false);
    assert.deepEqual(delays(), []);
  });

  it('sets the next turn only when one has ended', async () => {
    live.setVisible(true);
    clock.timers[0]?.fire();
    clock.timers = [];
    live.setVisible(false);
    live.setVisible(true);
    assert.deepEqual(delays(), [], 'one is under way');
    await new Promise(setImmediate);
    assert.deepEqual(delays(), [3000]);
  });

  it('waits nine times as long as a slow refresh took', async () => {
    tookMs = 1000;
    live.setVisible(true);
    await clock.fire();
    assert.deepEqual(delays(), [9000]);
  });

  it('waits twice as long for each failure in a row, a minute at most', async () => {
    outcome = false;
    live.setVisible(true);
    const seen: number[] = [];
    for (let i = 0; i < 7; i++) {
      await clock.fire();
      seen.push(...delays());
    }
    assert.deepEqual(seen, [6000, 12_000, 24_000, 48_000, 60_000, 60_000, 60_000]);
    outcome = true;
    await clock.fire();
    assert.deepEqual(delays(), [3000]);
  });

  it('is off at an interval of 0, and on again when that changes', () => {
    intervalMs = 0;
    live.setVisible(true);
    assert.deepEqual(delays(), []);
    intervalMs = 5000;
    live.reschedule();
    assert.deepEqual(delays(), [5000]);
  });

  it('ends when disposed', () => {
    live.setVisible(true);
    live.dispose();
    assert.deepEqual(delays(), []);
    live.reschedule();
    assert.deepEqual(delays(), []);
  });
});
