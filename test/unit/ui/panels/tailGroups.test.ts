import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { GroupNames } from '../../../../src/ui/panels/tailGroups.ts';

describe('the groups that a tail may start from', () => {
  it('are the first that hold what is typed, listed once for a while [D2]', async () => {
    let nowMs = 0;
    let lists = 0;
    const names = [...Array.from({ length: 60 }, (_, index) => `orders-${index}`), 'Billing', ' '];
    const groups = new GroupNames({
      clock: { ...systemClock, monotonicMs: () => nowMs },
      list: () => {
        lists++;
        return Promise.resolve(names.map((groupId) => ({ groupId })));
      },
    });
    assert.deepEqual(await groups.like('bill'), ['Billing']);
    assert.equal((await groups.like('')).length, 50);
    assert.equal(lists, 1);
    nowMs = 60_000;
    await groups.like('');
    assert.equal(lists, 2);
  });

  it('are none where the cluster does not say, which is asked again [D2]', async () => {
    let isUp = false;
    const groups = new GroupNames({
      clock: systemClock,
      list: () =>
        isUp ? Promise.resolve([{ groupId: 'billing' }]) : Promise.reject(new Error('down')),
    });
    assert.deepEqual(await groups.like(''), []);
    isUp = true;
    assert.deepEqual(await groups.like(''), ['billing']);
  });
});
