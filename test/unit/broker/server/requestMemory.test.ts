import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { memoryBounds } from '../../../../src/broker/memoryBounds.ts';
import {
  RequestMemory,
  type RequestMemoryShare,
} from '../../../../src/broker/server/requestMemory.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const bound = 1 << 20;
const maxRequestBytes = 512 << 10;
const free = memoryBounds.freeBytesPerConnection;

describe('The memory for requests', () => {
  let clock: ManualClock;
  let memory: RequestMemory;
  let states: Map<string, 'reading' | 'paused' | 'destroyed'>;

  beforeEach(() => {
    clock = new ManualClock();
    memory = new RequestMemory({
      queuedMaxBytes: bound,
      maxRequestBytes,
      clock,
      logger: silentLogger,
    });
    states = new Map();
  });

  function open(name: string): RequestMemoryShare {
    const set = (state: 'reading' | 'paused' | 'destroyed') => () => void states.set(name, state);
    states.set(name, 'reading');
    return memory.open({
      name,
      pause: set('paused'),
      resume: set('reading'),
      destroy: set('destroyed'),
    });
  }

  /** As long as it is read, it sends more: up to so many bytes. */
  function send(name: string, share: RequestMemoryShare, upTo: number): void {
    while (states.get(name) === 'reading' && share.heldBytes < upTo) {
      share.hold(Math.min(upTo, share.heldBytes + free));
    }
  }

  it('[A3] lets everybody in while there is room', () => {
    const shares = ['a', 'b'].map((name) => [name, open(name)] as const);
    for (const [name, share] of shares) send(name, share, bound / 2);
    assert.deepEqual([...states.values()], ['reading', 'reading']);
  });

  it('[A3] keeps to its bound, and one large request and small ones more, whoever sends what', () => {
    const names = Array.from({ length: 200 }, (_, i) => `c${i}`);
    const shares = names.map((name) => [name, open(name)] as const);
    for (let round = 0; round < 20; round++) {
      for (const [name, share] of shares) send(name, share, maxRequestBytes);
    }
    assert.ok(memory.heldBytes <= bound + maxRequestBytes + names.length * 2 * free);
    const reading = shares.filter(
      ([name, { heldBytes }]) => states.get(name) === 'reading' && heldBytes > free,
    );
    assert.ok(reading.length <= 17, `${reading.length} large ones go on`);
  });

  it('[A3] lets a small request in however short memory is', () => {
    send('large', open('large'), bound + free);
    const small = open('small');
    send('small', small, free);
    assert.equal(small.heldBytes, free);
    assert.equal(states.get('small'), 'reading');
  });

  it('[A3] reads one at a time beyond the bound, the next when its request is whole', () => {
    const full = open('full');
    full.hold(bound);
    full.isWhole = true;
    const [first, second] = [open('first'), open('second')];
    first.hold(2 * free);
    second.hold(2 * free);
    assert.deepEqual([states.get('first'), states.get('second')], ['reading', 'paused']);
    first.isWhole = true;
    first.settle();
    assert.equal(states.get('second'), 'reading');
  });

  it('[A3] reads everybody again when there is room again', () => {
    const full = open('full');
    full.hold(bound);
    full.isWhole = true;
    const shares = ['a', 'b', 'c'].map(open);
    for (const share of shares) share.hold(2 * free);
    full.hold(0);
    assert.deepEqual([...states.values()].slice(1), ['reading', 'reading', 'reading']);
  });

  it('[A3] closes the one that is read and does not get on', () => {
    const full = open('full');
    full.hold(bound);
    full.isWhole = true;
    const [slow, next] = [open('slow'), open('next')];
    slow.hold(2 * free);
    next.hold(2 * free);
    clock.advance(29_999);
    assert.equal(states.get('slow'), 'reading');
    clock.advance(1);
    assert.equal(states.get('slow'), 'destroyed');
    slow.close();
    assert.equal(states.get('next'), 'reading');
    assert.equal(clock.pendingTimers, 1);
  });

  it('[A3] forgets a connection that closes', () => {
    const share = open('a');
    share.hold(bound * 2);
    share.close();
    share.hold(bound);
    assert.equal(memory.heldBytes, 0);
    assert.equal(clock.pendingTimers, 0);
  });
});
