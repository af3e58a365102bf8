import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { Timeline, TimelineMap } from '../../../src/coordinator/runtime/timeline.ts';

describe('TimelineMap', () => {
  it('shows the latest and the committed side by side', () => {
    const timeline = new Timeline();
    const map = new TimelineMap<string, number>(timeline);
    map.set('a', 1);
    timeline.commit(timeline.mark());
    map.set('a', 2);
    map.set('b', 3);
    map.set('a', undefined);
    assert.deepEqual([map.get('a'), map.getCommitted('a')], [undefined, 1]);
    assert.deepEqual([map.values(), map.committedValues()], [[3], [1]]);
  });

  it('commits up to a mark', () => {
    const timeline = new Timeline();
    const map = new TimelineMap<string, number>(timeline);
    map.set('a', 1);
    const mark = timeline.mark();
    map.set('a', 2);
    timeline.commit(mark);
    assert.deepEqual([map.get('a'), map.getCommitted('a')], [2, 1]);
  });

  it('is vacant only when nothing is left to settle either', () => {
    const timeline = new Timeline();
    const map = new TimelineMap<string, number>(timeline);
    map.set('a', 1);
    timeline.commit(timeline.mark());
    map.set('a', undefined);
    assert.equal(map.isVacant, false);
    timeline.commit(timeline.mark());
    assert.equal(map.isVacant, true);
  });

  it('does what two maps do, one of them late, over random schedules', () => {
    for (let seed = 1; seed <= 200; seed++) runSchedule(seed);
  });
});

/** Compares with plain maps: one for the latest, and one that gets each change when it is committed. */
function runSchedule(seed: number): void {
  const random = seededRandom(seed);
  const timeline = new Timeline();
  const map = new TimelineMap<number, number>(timeline);
  const committed = new Map<number, number>();
  let latest = new Map<number, number>();
  let open: { key: number; value: number | undefined; mark: number }[] = [];
  const put = (target: Map<number, number>, key: number, value: number | undefined): void => {
    if (value === undefined) target.delete(key);
    else target.set(key, value);
  };
  for (let step = 0; step < 60; step++) {
    const choice = random.below(10);
    if (choice < 7) {
      const key = random.below(4);
      const value = random.below(3) === 0 ? undefined : step;
      map.set(key, value);
      put(latest, key, value);
      open.push({ key, value, mark: timeline.mark() });
    } else if (choice < 9) {
      const count = random.below(open.length + 1);
      for (const { key, value } of open.slice(0, count)) put(committed, key, value);
      const last = open.slice(0, count).at(-1);
      if (last) timeline.commit(last.mark);
      open = open.slice(count);
    } else {
      timeline.rollback();
      latest = new Map(committed);
      open = [];
    }
    for (let key = 0; key < 4; key++) {
      assert.equal(map.get(key), latest.get(key), `seed ${seed}, step ${step}, key ${key}`);
      assert.equal(map.getCommitted(key), committed.get(key), `seed ${seed}, step ${step}`);
    }
    assert.deepEqual(map.values().sort(), [...latest.values()].sort(), `seed ${seed}`);
    assert.deepEqual(map.committedValues().sort(), [...committed.values()].sort(), `seed ${seed}`);
  }
}
