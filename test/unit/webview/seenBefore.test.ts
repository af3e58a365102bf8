import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LagPoint } from '../../../src/shared/contracts/lag.ts';
import { type SeenNow, toKeep, withSeenBefore } from '../../../webview/lag/seenBefore.ts';

const point = (atMs: number): LagPoint => [atMs, '5', null, null];
const times = (points: readonly LagPoint[]): number[] => points.map(([atMs]) => atMs);

function seen(change: Partial<SeenNow>): SeenNow {
  const isolation = 'read_uncommitted';
  return { isolation, sinceMs: 0, total: [], partitions: [], ...change };
}

describe('what a lag panel showed before a reload', () => {
  const partition = { topic: 'orders', partition: 0 };
  const kept = toKeep(
    seen({
      total: [0, 500, 9999, 10_000, 15_000, 20_000].map(point),
      partitions: [{ ...partition, points: [0, 1, 30_000].map(point) }],
    }),
  );

  it('is kept thinned to a point every ten seconds [G3]', () => {
    assert.deepEqual(times(kept.total), [0, 10_000, 20_000]);
    assert.deepEqual(times(kept.partitions[0]?.points ?? []), [0, 30_000]);
  });

  it('comes before what has been seen since, as far as the window reaches back [G3]', () => {
    const now = seen({
      sinceMs: 5000,
      total: [20_000, 40_000].map(point),
      partitions: [
        { ...partition, points: [40_000].map(point) },
        { topic: 'orders', partition: 1, points: [40_000].map(point) },
      ],
    });
    const joined = withSeenBefore(kept, now);
    assert.deepEqual(times(joined.total), [10_000, 20_000, 40_000]);
    assert.deepEqual(
      joined.partitions.map(({ points }) => times(points)),
      [[30_000, 40_000], [40_000]],
    );
  });

  it('is left out where the end is another one now [G3]', () => {
    const now = seen({ isolation: 'read_committed', total: [40_000].map(point) });
    assert.deepEqual(withSeenBefore(kept, now), now);
    assert.deepEqual(withSeenBefore(undefined, now), now);
  });
});
