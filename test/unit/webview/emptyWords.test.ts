import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type MissedStart,
  noProgress,
  type TailProgress,
} from '../../../src/shared/contracts/tailProgress.ts';
import { emptyWords, type AskedFor } from '../../../webview/tail/emptyWords.ts';
import { missedWords } from '../../../webview/tail/missedWords.ts';

const live: TailProgress = { ...noProgress, state: 'live' };
const looked: AskedFor = { topic: 'orders', from: 'latest', filter: '', within: undefined };
const at = (minutes: number): number => new Date(2026, 10, 29, 14, minutes).getTime();
const within = { fromMs: at(2), toMs: at(6) };
const counts = { matched: 0, rejected: 9, failed: 0, elsewhen: 0 };
const matched = { ...counts, show: 'matched', pending: 0 } as const;
const awaited = { partition: 0, offset: '99999', bound: '7883', partitions: 1 };

describe('emptyWords', () => {
  const says: [string, Partial<TailProgress>, Partial<AskedFor>, RegExp][] = [
    ['how to see older ones', {}, {}, /appears here; to see older records, start from/],
    ['that there are none', {}, { from: 'last 100' }, /What is produced to orders appears here\.$/],
    [
      'from which offset on, where that is still to come',
      { missed: { awaited, awaitsAll: true } },
      { from: '99999' },
      /appears here from offset 99,999 on\.$/,
    ],
    [
      'that none is as late as a time',
      { missed: { noneAsLate: true } },
      { from: '@-1h' },
      /^No record is from 1 hour ago or later\. What is produced/,
    ],
    [
      'that none matches',
      { filter: matched },
      { filter: 'O-1' },
      /^No record that is held matches the filter\.$/,
    ],
    [
      'that an expression takes its mark',
      { filter: matched },
      { filter: 'value.delay > 100' },
      /matches the filter\. It is looked for as text; .* type “js: value\.delay > 100”\.$/,
    ],
    [
      'of which time none matches',
      { filter: matched },
      { filter: 'O-1', within },
      /^No record that is held from 14:02:00 to 14:06:00 matches the filter\.$/,
    ],
    [
      'of which time none is',
      { filter: matched },
      { within },
      /^No record that is held is from 14:02:00 to 14:06:00\.$/,
    ],
    [
      'that the filter is not done',
      { filter: { ...matched, pending: 1204 } },
      { filter: 'O-1' },
      /^1,204 records to look at …$/,
    ],
    [
      'that it failed on none',
      { filter: { ...matched, show: 'failed' } },
      { filter: 'O-1' },
      /^The filter failed on no record/,
    ],
  ];
  for (const [what, progress, view, words] of says) {
    it(`says ${what} [D2] [D4] [D10]`, () =>
      assert.match(emptyWords({ ...live, ...progress }, { ...looked, ...view }), words));
  }
});

describe('missedWords', () => {
  const says: [MissedStart, string, string | undefined][] = [
    [{ awaited }, '99999', 'Waits for offset 99,999; partition 0 ends at 7,883.'],
    [
      { awaited: { ...awaited, partitions: 3 }, awaitsAll: true },
      '99999',
      'Waits for offset 99,999; partition 0 ends at 7,883, and 2 more wait as well.',
    ],
    [
      { gone: { partition: 1, offset: '10', bound: '500', partitions: 1 } },
      '10',
      'Offset 10 is gone; partition 1 begins at 500.',
    ],
    [{ noneAsLate: true }, '@-1h', undefined],
    [{ noneAsLate: true }, `@${at(0)}`, undefined],
  ];
  for (const [missed, from, words] of says) {
    it(`says of ${from}: ${words ?? 'nothing'} [D2]`, () =>
      assert.equal(missedWords(missed, from, at(1)), words));
  }

  it('says that a time is still to come [D2]', () =>
    assert.match(
      missedWords({ noneAsLate: true }, `@${at(5)}`, at(1)) ?? '',
      /^2026-11-29T14:05\S* is still to come: this began at the end/,
    ));
});
