import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { relativeTime } from '../../../../src/ui/activity/activityTime.ts';
import { DrawnRows } from '../../../../src/ui/activity/drawnRows.ts';

const now = new Date(2026, 10, 30, 14, 3, 7).getTime();

describe('rows that were drawn', () => {
  it('are drawn again where they say something else by now, and are left alone where they do not [K1]', () => {
    const drawn = new DrawnRows<{ atMs: number }>();
    const young = { atMs: now - 45_000 };
    const old = { atMs: now - 65_000 };
    const unseen = { atMs: now - 45_000 };
    const wordsAt =
      (nowMs: number) =>
      ({ atMs }: { atMs: number }): string =>
        relativeTime(atMs, nowMs);
    for (const row of [young, old]) drawn.drawn(row, wordsAt(now)(row));
    const rows = [young, old, unseen];
    assert.deepEqual(drawn.outdated(rows, wordsAt(now)), []);
    assert.deepEqual(drawn.outdated(rows, wordsAt(now + 30_000)), [young]);
    drawn.drawn(young, wordsAt(now + 30_000)(young));
    assert.deepEqual(drawn.outdated(rows, wordsAt(now + 30_000)), []);
  });
});
