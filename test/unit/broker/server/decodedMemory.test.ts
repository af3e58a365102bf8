import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DecodedMemory, type DecodedShare } from '../../../../src/broker/server/decodedMemory.ts';
import { ClosingError } from '../../../../src/broker/requestError.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const boundBytes = 1000;

function memory(clock = new ManualClock()) {
  return new DecodedMemory(boundBytes, () => clock);
}

/** Who has begun, by the size of his frame, in turn. */
class Begun {
  readonly sizes: number[] = [];
  readonly shares: DecodedShare[] = [];
  readonly #memory: DecodedMemory;

  constructor(decoded: DecodedMemory) {
    this.#memory = decoded;
  }

  enter(frameBytes: number): void {
    void this.#memory.enter({ frameBytes, signal: undefined }).then((share) => {
      this.sizes.push(frameBytes);
      this.shares.push(share);
    });
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The memory of decoded requests', () => {
  it('is given to one after the other while they are decoded', async () => {
    const begun = new Begun(memory());
    begun.enter(1);
    begun.enter(2);
    await settled();
    assert.deepEqual(begun.sizes, [1]);
    begun.shares[0]?.hold(10);
    await settled();
    assert.deepEqual(begun.sizes, [1, 2]);
  });

  it('is given on where a request cannot be decoded', async () => {
    const begun = new Begun(memory());
    begun.enter(1);
    begun.enter(2);
    await settled();
    begun.shares[0]?.dispose();
    begun.shares[0]?.dispose();
    await settled();
    assert.deepEqual(begun.sizes, [1, 2]);
  });

  it('passes its bound by one request, and goes on once one is answered', async () => {
    const decoded = memory();
    const begun = new Begun(decoded);
    for (let each = 0; each < 4; each++) begun.enter(each);
    for (let each = 0; each < 4; each++) {
      await settled();
      begun.shares[each]?.hold(boundBytes - 1);
    }
    assert.equal(begun.sizes.length, 2);
    assert.equal(decoded.heldBytes, 2 * (boundBytes - 1));
    for (const share of begun.shares.splice(0)) share.dispose();
    await settled();
    assert.equal(begun.sizes.length, 3);
    assert.equal(decoded.heldBytes, 0);
  });

  it('goes to the smallest that waits, and every other time to the oldest', async () => {
    const begun = new Begun(memory());
    for (const size of [1, 50, 40, 30, 20]) begun.enter(size);
    for (let each = 0; each < 5; each++) {
      await settled();
      begun.shares[each]?.hold(1);
    }
    assert.deepEqual(begun.sizes, [1, 50, 20, 40, 30]);
  });

  it('is asked back of who holds it, where others wait because it is full', async () => {
    const begun = new Begun(memory());
    begun.enter(1);
    await settled();
    const [share] = begun.shares;
    share?.hold(boundBytes);
    assert.equal(share?.wanted.aborted, false);
    begun.enter(2);
    await settled();
    assert.equal(share.wanted.aborted, true);
  });

  it('is not waited for by who is gone', async () => {
    const decoded = memory();
    const begun = new Begun(decoded);
    begun.enter(1);
    const gone = new AbortController();
    const waits = decoded.enter({ frameBytes: 2, signal: gone.signal });
    begun.enter(3);
    await settled();
    gone.abort();
    await assert.rejects(waits, { name: 'AbortError' });
    begun.shares[0]?.hold(1);
    await settled();
    assert.deepEqual(begun.sizes, [1, 3]);
    await assert.rejects(decoded.enter({ frameBytes: 2, signal: gone.signal }));
  });

  it('is waited for as long as requests begin, and in vain for 30 s at most', async () => {
    const clock = new ManualClock();
    const decoded = memory(clock);
    const begun = new Begun(decoded);
    begun.enter(1);
    begun.enter(2);
    const waits = decoded.enter({ frameBytes: 3, signal: undefined });
    let isRefused = false;
    waits.catch(() => (isRefused = true));
    await settled();
    clock.advance(29_999);
    begun.shares[0]?.hold(boundBytes - 1);
    await settled();
    begun.shares[1]?.hold(1);
    clock.advance(29_999);
    await settled();
    assert.equal(isRefused, false);
    clock.advance(1);
    await assert.rejects(waits, ClosingError);
  });
});
