import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import {
  longestTurnMs,
  makingWay,
  mapInSteps,
  type Steps,
  Turns,
  workOnEach,
} from '../../../src/base/turns.ts';

/** Turns by a clock that only the work moves, and work that says when it was done. */
function workshop() {
  let nowMs = 0;
  const done: string[] = [];
  const turns = new Turns(() => nowMs);
  function* work(name: string, steps: number, msAStep: number): Steps<string> {
    for (let step = 0; step < steps; step++) {
      nowMs += msAStep;
      done.push(name);
      yield;
    }
    return name;
  }
  return { turns, done, work, now: () => nowMs };
}

describe('work in turns', () => {
  it('that is short is done at once', async () => {
    const { turns, done, work } = workshop();
    const answer = turns.run(work('a', 5, 0.1));
    assert.equal(done.length, 5);
    assert.equal(await answer, 'a');
  });

  it('holds the thread no longer than a turn, however much there is of it', async () => {
    const { turns, work, now } = workshop();
    const all = Promise.all(
      Array.from({ length: 20 }, (_, n) => turns.run(work(`${n}`, 500, 0.1))),
    );
    const isDone = { value: false };
    void all.then(() => (isDone.value = true));
    for (let beganMs = 0; !isDone.value; beganMs = now()) {
      await nextTurn();
      // Eight steps may pass between two looks at the clock.
      assert.ok(now() - beganMs <= longestTurnMs + 1, `a turn took ${now() - beganMs} ms`);
    }
    assert.equal(Math.round(now()), 20 * 500 * 0.1);
  });

  it('lets the short pass the long', async () => {
    const { turns, done, work } = workshop();
    const long = Array.from({ length: 4 }, (_, n) => turns.run(work(`long ${n}`, 2000, 0.1)));
    await turns.run(work('short', 3, 0.1));
    assert.ok(done.length < 4 * 200, `${done.length} steps were done before`);
    await Promise.all(long);
  });

  it('does not begin all that is long at once, and first ends what it has begun', async () => {
    const { turns, done, work } = workshop();
    const names = Array.from({ length: 12 }, (_, n) => `${n}`);
    const all = names.map(async (name) => {
      await turns.run(work(name, 400, 0.1));
      await turns.run(work(`${name} goes on`, 400, 0.1), { goesOn: true });
    });
    await Promise.all(all);
    const ends = names.map((name) => done.lastIndexOf(`${name} goes on`)).sort((a, b) => a - b);
    assert.ok((ends[2] ?? 0) < done.length / 2, 'the first are done before the last are half done');
  });

  it('gives what is long its time in each turn, whatever comes in and goes on meanwhile', async () => {
    const { turns, work } = workshop();
    let isDone = false;
    const long = turns.run(work('long', 400, 0.1)).then(() => (isDone = true));
    const goOn = async (): Promise<void> => {
      while (!isDone) {
        turns.spend(0.5);
        await turns.run(work('none', 0, 0), { goesOn: true });
      }
    };
    const others = [goOn(), goOn()];
    for (let turn = 0; !isDone; turn++) {
      assert.ok(turn < 1000, 'it waits for as long as others come');
      for (let n = 0; n < 15; n++) void turns.run(work('short', 8, 0.125));
      await nextTurn();
    }
    await Promise.all([long, ...others]);
  });

  it('tells the time that it took, and rejects with what it throws', async () => {
    const { turns, work } = workshop();
    let spentMs = 0;
    function* failing(): Steps<void> {
      yield* work('a', 100, 0.5);
      throw new RangeError('too much');
    }
    await assert.rejects(turns.run(failing(), { onSpent: (ms) => (spentMs += ms) }), RangeError);
    assert.equal(spentMs, 50);
  });

  it('makes lists in order', async () => {
    const { turns } = workshop();
    assert.deepEqual(await turns.run(mapInSteps([1, 2, 3], (n) => n * 2)), [2, 4, 6]);
  });

  it('waits for a later turn where other work has used this one up', async () => {
    const { turns, done, work } = workshop();
    turns.spend(longestTurnMs);
    const answer = turns.run(work('a', 1, 0.1));
    assert.equal(done.length, 0);
    assert.equal(await answer, 'a');
  });
});

describe('work on each of many things', () => {
  it('comes out in order, and little of it goes on at the same time', async () => {
    let going = 0;
    let most = 0;
    const doubled = await workOnEach(Array(1000).keys(), async (n) => {
      most = Math.max(most, ++going);
      await nextTurn();
      going--;
      return n * 2;
    });
    assert.deepEqual(doubled, [...Array(1000).keys()].map((n) => n * 2)); // prettier-ignore
    assert.ok(most > 1 && most < 100, `${most} at the same time`);
  });

  it('may fail before anybody waits for it', async () => {
    const work = workOnEach([1, 2], async (n) => {
      await Promise.resolve();
      if (n === 1) throw new RangeError('one');
      return n;
    });
    await assert.rejects(work, RangeError);
  });

  it('has its turn at once after it waited, however long, and did little', async () => {
    const makeWay = makingWay();
    // Longer than any turn, and nothing is done meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 3 * longestTurnMs));
    let hasOther = false;
    setImmediate(() => (hasOther = true));
    await makeWay();
    assert.ok(!hasOther);
  });

  it('makes way for others though all of it is there at once', async () => {
    const makeWay = makingWay();
    let isOthersTurn = false;
    setImmediate(() => (isOthersTurn = true));
    while (!isOthersTurn) await makeWay();
  });
});
