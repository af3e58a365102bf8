import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { noProgress, type TailProgress } from '../../../src/shared/contracts/tailProgress.ts';
import { statusWords } from '../../../webview/tail/statusWords.ts';

const progress: TailProgress = {
  ...noProgress,
  held: 20_000,
  perSecond: 1203.6,
  state: 'live',
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

  it('says how far an open transaction holds read_committed back', () =>
    assert.match(
      statusWords({ ...progress, heldBack: '21' }).figures.join(),
      /21 offsets behind an open transaction/,
    ));

  it('says what the rows take of the memory that they may take', () =>
    assert.match(
      statusWords({ ...progress, bytes: 38_000_000, bytesMax: 268_435_456 }).memory,
      /^38 MB of at most 268 MB in memory/,
    ));

  it('says that a large backlog is not in the order of time, and what to do about it', () => {
    const { figures, order } = statusWords({ ...progress, unordered: true });
    assert.deepEqual(figures.slice(0, 2), [
      '20,000 records',
      'too many to put in the order of time',
    ]);
    assert.match(order ?? '', /partition after partition.*column Time sorts/);
    assert.equal(statusWords(progress).order, undefined);
  });

  it('says that the oldest were dropped', () =>
    assert.match(
      statusWords({ ...progress, dropped: 436_000 }).figures.join(),
      /oldest 436,000 dropped/,
    ));
});
