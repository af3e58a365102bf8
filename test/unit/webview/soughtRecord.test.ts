import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { noProgress, type TailProgress } from '../../../src/shared/contracts/tailProgress.ts';
import { SoughtRecord } from '../../../webview/tail/soughtRecord.ts';

const place = { partition: 0, offset: '81' };

/** A host that answers when it is told to. */
function setup() {
  const found: number[] = [];
  const sessions: number[] = [];
  const answers: ((row: number | undefined) => void)[] = [];
  let lost = 0;
  const sought = new SoughtRecord({
    find: (session) => {
      sessions.push(session);
      return new Promise((resolve) => answers.push(resolve));
    },
    onFound: (row) => found.push(row),
    onLost: () => lost++,
  });
  void sought.seek(place);
  return {
    ...{ sought, found, sessions },
    lost: () => lost,
    tell: (change: Partial<TailProgress>) =>
      void sought.onProgress({ ...noProgress, session: 1, state: 'reading', ...change }),
    answer: async (row: number | undefined) => {
      answers.shift()?.(row);
      await new Promise(setImmediate);
    },
  };
}

const filtering = (pending: number): TailProgress['filter'] => ({
  ...{ show: 'matched', matched: 3, rejected: 0, failed: 0, elsewhen: 0, pending },
});

describe('A record that is sought', () => {
  it('is found among the rows that the page was told of', async () => {
    const { tell, answer, found } = setup();
    tell({ held: 50 });
    await answer(40);
    assert.deepEqual(found, [40]);
  });

  it('is looked for again where the host has its row before the page was told of it', async () => {
    const { tell, answer, found } = setup();
    tell({ held: 10 });
    await answer(40);
    assert.deepEqual(found, []);
    tell({ held: 100, state: 'live' });
    await answer(40);
    assert.deepEqual(found, [40]);
  });

  it('is looked for again where rows came, or another session began, while the host was asked', async () => {
    const { tell, answer, found, lost, sessions } = setup();
    tell({ held: 10 });
    tell({ held: 30 });
    await answer(undefined);
    tell({ held: 60, session: 2, state: 'live' });
    await answer(40);
    await answer(20);
    assert.deepEqual([found, sessions, lost()], [[20], [1, 1, 2], 0]);
  });

  it('is given up once everything was read and filtered, and not before', async () => {
    const { tell, answer, found, lost, sessions, sought } = setup();
    tell({ held: 3, state: 'live', filter: filtering(80) });
    await answer(undefined);
    assert.equal(lost(), 0);
    tell({ held: 3, state: 'live', filter: filtering(80) });
    tell({ held: 3, state: 'live', filter: filtering(0) });
    await answer(undefined);
    assert.deepEqual([lost(), found, sessions.length, sought.place], [1, [], 2, undefined]);
  });
});
