import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type {
  LagPartition,
  LagPoint,
  ReadablePartition,
} from '../../../src/shared/contracts/lag.ts';
import { clockTime, timeSteps, valueSteps } from '../../../webview/lag/axes.ts';
import {
  aloneIn,
  columnsOf,
  historyTable,
  lagValue,
  tableText,
} from '../../../webview/lag/chartData.ts';
import { lineSlots } from '../../../webview/lag/lineSlots.ts';
import { chartedOf, secondsToCatchUp, totalsOf } from '../../../webview/lag/model.ts';
import { caughtUpWords, lagWords } from '../../../webview/lag/summaryWords.ts';
import { durationWords, explanation, noteOf, timeWords } from '../../../webview/lag/words.ts';

const partition = (
  index: number,
  committed: string | null,
  end: string,
  more: Partial<LagPartition> = {},
): LagPartition => ({
  ...{ topic: 'orders', partition: index, committed, logStart: '0', stable: end, end },
  time: { kind: 'none' },
  rates: { produced: 0, consumed: 0 },
  ...more,
});

describe('what the lag panel works out', () => {
  it('a commit past the end takes nothing from the sum, and exact figures stay exact [G1]', () => {
    const rows = [
      partition(0, '0', '9007199254740993'),
      partition(1, '500', '10'),
      partition(2, null, '7'),
    ];
    const { lag, most } = totalsOf(rows, 'read_uncommitted');
    assert.equal(lag, 9007199254740993n);
    assert.equal(most?.row.partition, 0);
    assert.equal(totalsOf([partition(2, null, '7')], 'read_uncommitted').lag, undefined);
  });

  it('counts what waits in partitions without a commit beside the lag, and tells of no catching up then [G1] [G3]', () => {
    const rows = [
      partition(0, '0', '100'),
      partition(1, null, '70', { logStart: '20' }),
      partition(2, null, '9', { stable: '5' }),
      partition(3, null, '4', { logStart: '4' }),
    ];
    const { lag, uncommitted } = totalsOf(rows, 'read_committed');
    assert.deepEqual([lag, uncommitted], [100n, { partitions: 2, waiting: 55n }]);
    const group = { memberCount: 1, rates: { produced: 0, consumed: 10 } };
    assert.equal(caughtUpWords({ lag, uncommitted }, group), '–');
    const none = { partitions: 0, waiting: 0n };
    assert.equal(caughtUpWords({ lag, uncommitted: none }, group), 'in about 10 s');
    assert.equal(caughtUpWords({ lag, uncommitted: none }, { ...group, memberCount: 0 }), '–');
    assert.equal(
      caughtUpWords({ lag: 0n, uncommitted: none }, { ...group, memberCount: 0 }),
      'yes',
    );
    assert.equal(lagWords({ lag, uncommitted }), '100 + 2 partitions without a commit');
    assert.equal(lagWords({ lag, uncommitted: none }), '100');
    assert.equal(lagWords({ lag: undefined, uncommitted }), '2 partitions without a commit');
  });

  it('charts the partition that is looked at and the longest, in the order of the table [G3]', () => {
    const rows = Array.from({ length: 9 }, (_, index) => partition(index, '0', String(index)));
    const charted = (selected?: string): number[] =>
      chartedOf(rows, 'read_uncommitted', selected).map((of) => of.partition);
    assert.deepEqual(charted(), [4, 5, 6, 7, 8]);
    assert.deepEqual(charted('1:orders'), [1, 5, 6, 7, 8]);
    assert.deepEqual(chartedOf(rows.slice(0, 1), 'read_uncommitted', undefined), []);
    rows[8] = partition(8, null, '8');
    assert.deepEqual(charted(), [3, 4, 5, 6, 7]);
    assert.deepEqual(charted('8:orders'), [4, 5, 6, 7, 8]);
  });

  it('keeps the look of a line while others come and go [G3]', () => {
    const first = lineSlots(['a', 'b', 'c'], new Map());
    assert.deepEqual([...first], Object.entries({ a: 0, b: 1, c: 2 }));
    const second = lineSlots(['b', 'c', 'd', 'e'], first);
    assert.deepEqual([...second], Object.entries({ b: 1, c: 2, d: 0, e: 3 }));
  });

  it('says when a lag is gone only where it shrinks [G3]', () => {
    assert.equal(secondsToCatchUp(100n, { produced: 10, consumed: 15 }), 20);
    assert.equal(secondsToCatchUp(100n, { produced: 15, consumed: 15 }), undefined);
    assert.equal(secondsToCatchUp(100n, { produced: null, consumed: 15 }), undefined);
    assert.equal(secondsToCatchUp(0n, { produced: 1, consumed: 15 }), undefined);
  });
});

describe('the words of the lag panel', () => {
  it('write durations in the two units that matter [G1]', () => {
    const written = [0, 420, 1400, 9949, 9950, 59_499, 59_500, 192_000, 7_500_000, 273_600_000];
    assert.deepEqual(written.map(durationWords), [
      ...['0 s', '420 ms', '1.4 s', '9.9 s', '10 s', '59 s', '1 min 0 s', '3 min 12 s'],
      ...['2 h 5 min', '3 d 4 h'],
    ]);
    const days = [200, 730, 731, 9410].map((count) => count * 86_400_000);
    assert.deepEqual(days.map(durationWords), ['200 d', '730 d', '2 years', '25 years']);
  });

  it('say how a time is known, and that it is more where the record is gone [G1]', () => {
    const time = { kind: 'known', lagMs: 1400, source: 'createTime', isAtLeast: true } as const;
    const { short, long } = timeWords(time, 0);
    assert.equal(short, '> 1.4 s');
    assert.match(long, /its producer set \(CreateTime\).*the first that is left/);
    assert.equal(timeWords({ kind: 'unknown' }, 0).short, 'unknown');
  });

  it('say the date of a record that has waited for days [G1]', () => {
    const at = new Date(2026, 10, 30).getTime();
    const lagMs = at - new Date(2001, 1, 3, 4, 5, 6).getTime();
    const time = { kind: 'known', lagMs, source: 'createTime', isAtLeast: false } as const;
    const { short, long } = timeWords(time, at);
    assert.equal(short, '25 years');
    assert.match(long, /That was 2001-02-03 04:05:06\.$/);
    assert.doesNotMatch(timeWords({ ...time, lagMs: 3_600_000 }, at).long, /That was/);
  });

  it('say that a transaction holds all back where the group stands at the last stable offset [G1]', () => {
    const note = noteOf(partition(0, '5', '9', { stable: '5' }), 'read_committed');
    assert.match(note?.text ?? '', /holds 4 offsets back: a read_committed consumer gets nothing/);
    assert.equal(noteOf(partition(0, '5', '9'), 'read_committed'), undefined);
  });

  it('explain a lag without records by what is there instead [G2]', () => {
    const none = { lost: '0', records: '0', markers: '0', aborted: '0', gaps: '0' };
    const parts = (lag: number, more: Partial<ReadablePartition>): string =>
      explanation({
        ...{ topic: 'orders', partition: 0, committed: '0', end: String(lag) },
        ...{ ...none, unstable: '0', unread: '0' },
        ...more,
      }).join(' ');
    assert.match(parts(1, { markers: '1' }), /the lag stays 1 until the next record/);
    assert.match(parts(2, { markers: '2' }), /all 2 offsets are transaction markers/);
    assert.match(parts(5, { aborted: '3', markers: '1', gaps: '1' }), /the 5 offsets hold no/);
    assert.match(parts(5, { unstable: '5' }), /nothing to read now/);
    assert.match(parts(5, { unread: '5' }), /at least 0 are records to read; not all/);
    assert.match(parts(5, { records: '5' }), /Every one of the 5 offsets/);
  });
});

describe('the history in the lag panel', () => {
  const point = (atMs: number, lag: string | null): LagPoint => [atMs, lag, 1.25, null];
  const all = { name: 'all', points: [point(0, '10'), point(2000, '12'), point(90_000, '3')] };
  const one = { name: 'orders 0', points: [point(2000, '5'), point(90_000, null)] };

  it('draws nothing between two samples that are far apart [G3]', () => {
    assert.deepEqual(columnsOf([all, one], lagValue), [
      [0, 2, 46, 90],
      [10, 12, null, 3],
      [undefined, 5, null, null],
    ]);
  });

  it('knows the values that no line leads to: one between pauses, and not one beside another [G3]', () => {
    assert.deepEqual(aloneIn([null, 5]), [1]);
    assert.deepEqual(aloneIn([0, null, 5, undefined, 6, null, 7, undefined]), [0, 6]);
    assert.deepEqual(aloneIn([null, undefined, null]), []);
  });

  it('has no figure twice at its axes, however few samples there are [G3]', () => {
    for (const step of timeSteps) {
      const labels = [0, 1, 2, 3, 4].map((at) => clockTime(at * step));
      assert.equal(new Set(labels).size, labels.length, `${step} s`);
    }
    assert.ok(valueSteps.every((step) => Number.isInteger(step) && step > 0));
    assert.ok((valueSteps.at(-1) ?? 0) > 2 ** 60);
  });

  it('is a table, the newest first, with what is not known left empty [G3]', () => {
    const table = historyTable([all, one]);
    assert.deepEqual(table.titles, [
      ...['Time', 'Lag, all', 'Lag, orders 0', 'Produced/s', 'Consumed/s'],
    ]);
    assert.deepEqual(table.rows[0], [90_000, '3', '', '1.3', '']);
    assert.equal(tableText(table).split('\n')[3], '1970-01-01T00:00:00.000Z\t10\t\t1.3\t');
  });
});
