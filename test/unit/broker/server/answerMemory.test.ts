import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { memoryBounds } from '../../../../src/broker/memoryBounds.ts';
import { AnswerMemory } from '../../../../src/broker/server/answerMemory.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const { boundBytes, mostAtOnce } = memoryBounds.answers;

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setup() {
  const clock = new ManualClock();
  const memory = new AnswerMemory(() => clock);
  const begun: Disposable[] = [];
  const refused: unknown[] = [];
  const enter = (signal = new AbortController().signal): void =>
    void memory.enter(signal).then(
      (place) => begun.push(place),
      (error: unknown) => refused.push(error),
    );
  return { clock, memory, begun, refused, enter };
}

describe('The memory of answers', () => {
  it('has few of them made at a time, and the next once one is made', async () => {
    const { begun, enter } = setup();
    for (let each = 0; each < mostAtOnce + 2; each++) enter();
    await settled();
    assert.equal(begun.length, mostAtOnce);
    begun[0]?.dispose();
    begun[0]?.dispose();
    await settled();
    assert.equal(begun.length, mostAtOnce + 1);
  });

  it('has none made while clients do not take what was made', async () => {
    const { memory, begun, enter } = setup();
    const sent = memory.hold(boundBytes, () => assert.fail());
    enter();
    enter();
    await settled();
    assert.equal(begun.length, 0);
    sent.dispose();
    sent.dispose();
    await settled();
    assert.deepEqual([begun.length, memory.sentBytes], [2, 0]);
  });

  it('forgets who is gone while he waits', async () => {
    const { memory, begun, refused, enter } = setup();
    const sent = memory.hold(boundBytes, () => assert.fail());
    const gone = new AbortController();
    enter(gone.signal);
    enter();
    gone.abort();
    enter(gone.signal);
    sent.dispose();
    await settled();
    assert.deepEqual([begun.length, refused.length], [1, 2]);
  });

  it('cuts off who does not take his answer, where others wait, and nobody else', async () => {
    const { clock, memory, begun, enter } = setup();
    const cutOff: string[] = [];
    const slow = memory.hold(boundBytes, () => {
      cutOff.push('slow');
      slow.dispose();
    });
    clock.advance(60_000);
    memory.hold(1, () => cutOff.push('quick'));
    assert.deepEqual(cutOff, []);
    enter();
    clock.advance(5_000);
    await settled();
    assert.deepEqual([cutOff, begun.length], [['slow'], 1]);
  });
});
