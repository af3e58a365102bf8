import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TailHistogram } from '../../../src/shared/contracts/tailHistogram.ts';
import { axisWords, beyondWords, summaryWords } from '../../../webview/tail/histogramWords.ts';

const at = (minutes: number, seconds = 0): number =>
  new Date(2026, 10, 29, 14, minutes, seconds).getTime();
const histogram: TailHistogram = {
  ...{ fromMs: at(0), binMs: 60_000, all: [1, 0, 4, 2], untimed: 0 },
  ...{ firstMs: at(0, 20), lastMs: at(3, 50) },
};

describe('the words of a histogram', () => {
  it('say when the first and the last record are from, with the day where it is not today [D10]', () => {
    assert.deepEqual(axisWords(histogram, at(5)), ['14:00:20', '14:03:50']);
    const tomorrowMs = at(5) + 86_400_000;
    assert.deepEqual(axisWords(histogram, tomorrowMs), [
      '2026-11-29 14:00:20',
      '2026-11-29 14:03:50',
    ]);
    const years = { ...histogram, binMs: 7 * 86_400_000, lastMs: at(0) + 900 * 86_400_000 };
    assert.deepEqual(axisWords(years, at(5)), ['2026-11-29', '2029-05-17']);
  });

  it('say where most are, only where that is more than one [D10]', () => {
    assert.equal(
      summaryWords(histogram, at(5)),
      '7 records from 14:00:20 to 14:03:50. Most within 1 minute: 4, from 14:02:00 on.',
    );
    assert.equal(
      summaryWords({ ...histogram, all: [1, 0, 1, 1], untimed: 2 }, at(5)),
      '3 records from 14:00:20 to 14:03:50. 2 records without a time.',
    );
  });

  it('say how many are far, and of which time, as short as that can be told [D10]', () => {
    const far = (fromMs: number, toMs: number, count: number): TailHistogram => ({
      ...histogram,
      earlier: { count, fromMs, toMs },
    });
    const years = new Date(2019, 0, 5).getTime();
    assert.deepEqual(beyondWords(far(years, years + 1, 1), 'earlier'), {
      label: '◂ 1 record earlier, 2019-01-05',
      title: '1 record of a far time, 2019-01-05',
    });
    assert.equal(
      beyondWords(far(at(-300), at(-60) + 1, 3), 'earlier')?.label,
      '◂ 3 records earlier, 13:00:00',
    );
    assert.equal(beyondWords(histogram, 'later'), undefined);
    assert.match(
      summaryWords(far(years, at(-60), 3), at(5)),
      /3 records of far times, 2019-01-05 to/,
    );
  });
});
