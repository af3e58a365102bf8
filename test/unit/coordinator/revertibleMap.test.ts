import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { RevertibleMap } from '../../../src/coordinator/runtime/revertibleMap.ts';
import { Timeline } from '../../../src/coordinator/runtime/timeline.ts';

describe('RevertibleMap', () => {
  it('is vacant only when nothing is left to settle either', () => {
    const timeline = new Timeline();
    const map = new RevertibleMap<string, number>(timeline);
    map.set('a', 1);
    timeline.commit(timeline.mark());
    assert.deepEqual(map.clear(), [1]);
    assert.equal(map.isVacant, false);
    timeline.commit(timeline.mark());
    assert.equal(map.isVacant, true);
  });

  it('goes back to where it was at any mark, over random schedules', () => {
    for (let seed = 1; seed <= 200; seed++) runSchedule(seed);
  });
});

function runSchedule(seed: number): void {
  const random = seededRandom(seed);
  const timeline = new Timeline();
  const map = new RevertibleMap<number, number>(timeline);
  const shown = () => new Map(map.keys().map((key) => [key, map.get(key)]));
  let marks = [{ mark: timeline.mark(), content: shown() }];
  for (let step = 0; step < 60; step++) {
    const choice = random.below(10);
    if (choice < 5) map.set(random.below(4), random.below(3) === 0 ? undefined : step);
    else if (choice === 5) map.clear();
    else if (choice < 8) marks.push({ mark: timeline.mark(), content: shown() });
    else {
      const at = random.below(marks.length);
      const { mark, content } = marks[at] ?? assert.fail();
      if (choice === 8) {
        timeline.rollback(mark);
        assert.deepEqual(shown(), content, `seed ${seed}, step ${step}`);
        marks = marks.slice(0, at + 1);
      } else {
        timeline.commit(mark);
        marks = marks.slice(at);
      }
    }
  }
  timeline.rollback();
  assert.deepEqual(shown(), marks[0]?.content, `seed ${seed}`);
  map.clear();
  timeline.commit(timeline.mark());
  assert.equal(map.isVacant, true);
}
