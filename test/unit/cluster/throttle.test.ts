import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RateMeter } from '../../../src/cluster/rateMeter.ts';
import { Throttle } from '../../../src/cluster/throttle.ts';
import { ManualClock } from '../../support/manualClock.ts';

describe('a throttle', () => {
  it('makes one call of many requests, and one more after the last', () => {
    const clock = new ManualClock();
    let calls = 0;
    const throttle = new Throttle(clock, 100, () => calls++);
    for (let step = 0; step < 100; step++) {
      throttle.request();
      clock.advance(10);
    }
    assert.ok(calls >= 9 && calls <= 10, `${calls} calls in a second`);
    clock.advance(1000);
    assert.equal(calls, 10);
  });

  it('may be asked from within the call', () => {
    const clock = new ManualClock();
    let calls = 0;
    const throttle: Throttle = new Throttle(clock, 100, () => {
      if (++calls < 3) throttle.request();
    });
    throttle.request();
    clock.advance(1000);
    assert.equal(calls, 3);
  });

  it('makes no call after it was disposed, and leaves no timer', () => {
    const clock = new ManualClock();
    const throttle = new Throttle(clock, 100, () => assert.fail('called'));
    throttle.request();
    throttle.dispose();
    throttle.request();
    clock.advance(1000);
    assert.equal(clock.pendingTimers, 0);
  });
});

describe('a rate', () => {
  it('counts the last second, and falls to nothing after it', () => {
    const clock = new ManualClock();
    const rate = new RateMeter(clock);
    rate.add(5);
    clock.advance(500);
    rate.add(7);
    assert.equal(rate.perSecond, 12);
    clock.advance(600);
    assert.equal(rate.perSecond, 7);
    clock.advance(5000);
    assert.equal(rate.perSecond, 0);
  });
});
