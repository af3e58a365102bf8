import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TailProgress } from '../../../src/shared/contracts/tail.ts';
import { statusWords } from '../../../webview/tail/statusWords.ts';

const progress: TailProgress = {
  session: 1,
  held: 20_000,
  dropped: 0,
  perSecond: 1203.6,
  state: 'live',
  behind: '0',
};

describe('statusWords', () => {
  const states: [Partial<TailProgress>, string][] = [
    [{ state: 'live' }, 'Live'],
    [{ state: 'reading' }, 'Reading'],
    [{ state: 'reading', behind: '1204' }, 'Reading, 1,204 records behind'],
    [{ state: 'paused' }, 'Paused'],
    [{ state: 'paused', behind: '1' }, 'Paused, 1 record behind'],
    [{ state: 'ended' }, 'Reached the end of the range'],
    [{ state: 'failed' }, 'Stopped by an error'],
  ];
  for (const [change, words] of states) {
    it(`says “${words}”`, () => assert.equal(statusWords({ ...progress, ...change }).state, words));
  }

  it('gives the rate only while records can arrive', () => {
    assert.deepEqual(statusWords(progress).figures, ['20,000 records', '1,204 rec/s']);
    assert.deepEqual(statusWords({ ...progress, state: 'ended' }).figures, ['20,000 records']);
  });

  it('says that the oldest were dropped', () =>
    assert.match(
      statusWords({ ...progress, dropped: 436_000 }).figures.join(),
      /oldest 436,000 dropped/,
    ));
});
