import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatDuration, parseDurationMs } from '../../../src/cli/duration.ts';

describe('Durations on the command line', () => {
  const good: [string, number][] = [
    ['0s', 0],
    ['250ms', 250],
    ['90m', 5_400_000],
    ['1d12h', 129_600_000],
    ['2w', 1_209_600_000],
  ];
  for (const [text, ms] of good) {
    it(`reads ${text}`, () => assert.equal(parseDurationMs(text), ms));
  }

  for (const text of ['', '7', 'd', '7 d', '-1d', '1.5d', '7days', '9999999999d']) {
    it(`does not read "${text}"`, () => assert.equal(parseDurationMs(text), undefined));
  }

  it('says a duration in the largest units', () => {
    assert.deepEqual([0, 1, 61_000, 129_600_000, 604_800_000].map(formatDuration), [
      '0s',
      '1ms',
      '1m1s',
      '1d12h',
      '7d',
    ]);
  });
});
