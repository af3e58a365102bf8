import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import { mapBounded } from '../../../src/client/outcome.ts';

describe('work on many items, some at a time', () => {
  it('keeps the order of the items, and its bound', async () => {
    let underWay = 0;
    let most = 0;
    const results = await mapBounded([3, 1, 2], 2, async (item) => {
      most = Math.max(most, ++underWay);
      for (let turn = 0; turn < item; turn++) await Promise.resolve();
      underWay--;
      return item * 10;
    });
    assert.deepEqual(results, [30, 10, 20]);
    assert.equal(most, 2);
  });

  it('begins nothing after a failure, and ends when what was under way has ended', async () => {
    const slow = deferred<undefined>();
    const begun: string[] = [];
    let isOver = false;
    const work = mapBounded(['slow', 'broken', 'never'], 2, async (item) => {
      begun.push(item);
      if (item === 'broken') throw new Error('no');
      await slow.promise;
    }).finally(() => (isOver = true));
    const rejected = assert.rejects(work, /^Error: no$/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isOver, false);
    slow.resolve(undefined);
    await rejected;
    assert.deepEqual(begun, ['slow', 'broken']);
  });
});
