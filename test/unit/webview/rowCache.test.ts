import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TailRow } from '../../../src/shared/contracts/tailRows.ts';
import { RowCache, type RowPage } from '../../../webview/tail/rowCache.ts';

function row(number: number): TailRow {
  return {
    partition: number % 3,
    offset: String(number),
    timestamp: '-1',
    key: { kind: 'null' },
    value: { kind: 'empty' },
    size: 0,
    headerCount: 0,
  };
}

/** A host that holds rows `first` to `end - 1` of session 1 and answers when it is told to. */
function setup() {
  const held = { session: 1, first: 0, end: 0 };
  const requests: { first: number; count: number }[] = [];
  const errors: unknown[] = [];
  let answers: (() => void)[] = [];
  let fails: Error | undefined;
  let arrivals = 0;
  const cache = new RowCache({
    ahead: () => 100,
    fetch: (session, first, count) =>
      new Promise<RowPage>((resolve, reject) => {
        requests.push({ first, count });
        answers.push(() => {
          if (fails) {
            reject(fails);
            return;
          }
          const from = Math.max(first, held.first);
          const to = Math.min(first + count, held.end);
          const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => row(from + i));
          resolve({
            session: held.session === session ? session : held.session,
            first: from,
            rows,
          });
        });
      }),
    onRows: () => arrivals++,
    onError: (error) => errors.push(error),
  });
  cache.reset(1);
  return {
    cache,
    requests,
    errors,
    get arrivals() {
      return arrivals;
    },
    hold: (first: number, end: number) => {
      held.first = first;
      held.end = end;
      cache.setHeld({ first: first, end: end });
    },
    failWith: (error: Error | undefined) => (fails = error),
    answer: async () => {
      const now = answers;
      answers = [];
      for (const each of now) each();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('RowCache', () => {
  it('fetches what is looked at and a little beyond, once', async () => {
    const { cache, requests, hold, answer } = setup();
    hold(0, 10_000);
    cache.setView(1000, 1040);
    assert.deepEqual(requests, [{ first: 900, count: 240 }]);
    await answer();
    assert.equal(cache.get(1000)?.offset, '1000');
    assert.equal(cache.get(1139)?.offset, '1139');
    cache.setView(1020, 1060);
    assert.equal(requests.length, 1);
  });

  it('has one request under way, and then asks for what is looked at by then', async () => {
    const { cache, requests, hold, answer } = setup();
    hold(0, 10_000);
    cache.setView(0, 40);
    cache.setView(3000, 3040);
    cache.setView(7000, 7040);
    assert.equal(requests.length, 1);
    await answer();
    assert.deepEqual(requests[1], { first: 6900, count: 240 });
  });

  it('follows a growing end without asking again for what it has', async () => {
    const { cache, requests, hold, answer } = setup();
    hold(0, 40);
    cache.setView(0, 40);
    await answer();
    hold(0, 45);
    cache.setView(5, 45);
    assert.deepEqual(requests.at(-1), { first: 40, count: 5 });
    await answer();
    assert.equal(cache.get(44)?.offset, '44');
  });

  it('asks for nothing that the host does not hold', async () => {
    const { cache, requests, hold, answer } = setup();
    cache.setView(0, 40);
    assert.deepEqual(requests, []);
    hold(100, 120);
    cache.setView(90, 130);
    assert.deepEqual(requests, [{ first: 100, count: 20 }]);
    await answer();
    assert.equal(requests.length, 1);
  });

  it('stops where rows were dropped before the answer, until something changes', async () => {
    const { cache, requests, hold, answer } = setup();
    hold(0, 100);
    cache.setView(0, 40);
    hold(500, 600);
    await answer();
    assert.equal(requests.length, 1);
    assert.equal(cache.get(0), undefined);
    cache.setView(500, 540);
    await answer();
    assert.equal(cache.get(500)?.offset, '500');
  });

  it('drops the answer to an earlier session and asks for the present one', async () => {
    const { cache, requests, hold, answer } = setup();
    hold(0, 100);
    cache.setView(0, 40);
    cache.reset(1);
    cache.reset(2);
    hold(0, 100);
    cache.setView(0, 40);
    await answer();
    assert.equal(cache.get(0), undefined);
    assert.equal(requests.length, 2);
  });

  it('asks anew for what went out of date while its answer was under way', async () => {
    const { cache, requests, hold, answer } = setup();
    hold(0, 40);
    cache.setView(0, 40);
    cache.forgetWhere(({ partition }) => partition === 1);
    await answer();
    assert.equal(cache.get(0)?.offset, '0');
    assert.equal(cache.get(1), undefined);
    assert.equal(requests.length, 2);
    await answer();
    assert.equal(cache.get(1)?.offset, '1');
    assert.equal(requests.length, 2);
  });

  it('reports a failure once and tries again when something changes', async () => {
    const { cache, requests, errors, hold, answer, failWith } = setup();
    failWith(new Error('gone'));
    hold(0, 100);
    cache.setView(0, 40);
    await answer();
    assert.equal(errors.length, 1);
    assert.equal(requests.length, 1);
    failWith(undefined);
    cache.setView(0, 40);
    await answer();
    assert.equal(cache.get(39)?.offset, '39');
  });

  it('keeps a bounded number of rows however far is scrolled', async () => {
    const { cache, hold, answer } = setup();
    hold(0, 1_000_000);
    let kept = 0;
    for (let first = 0; first < 20_000; first += 200) {
      cache.setView(first, first + 40);
      await answer();
    }
    for (let i = 0; i < 1_000_000; i++) if (cache.get(i)) kept++;
    assert.ok(kept <= 4500, String(kept));
    assert.ok(cache.get(19_800));
  });
});
