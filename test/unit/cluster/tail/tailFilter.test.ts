import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, it } from 'mocha';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { type FetchedBatch, readFetchedBatches } from '../../../../src/client/fetchedPartition.ts';
import { tailDecoders } from '../../../../src/cluster/tail/tailDecoders.ts';
import { TailStore } from '../../../../src/cluster/tail/tailStore.ts';
import { filterProblem, TailView } from '../../../../src/cluster/tail/tailView.ts';
import {
  buildRecordBatch,
  type RecordInput,
} from '../../../../src/protocol/records/recordBatchBuilder.ts';
import { defaultDecoders, type TopicDecoders } from '../../../../src/shared/contracts/decoders.ts';
import { eventually } from '../../../scenarios/clusters.ts';

const files = {
  workerPath: path.join(import.meta.dirname, '../../../../src/worker.ts'),
  quickjsWasmPath: fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
};

function batchOf(baseOffset: bigint, records: readonly RecordInput[]): FetchedBatch {
  const bytes = buildRecordBatch({ baseOffset, records, compression: 'gzip' });
  const [batch] = readFetchedBatches(bytes, 0n, null);
  assert.ok(batch);
  return batch;
}

const text = (value: string): Buffer => Buffer.from(value);

const sum = (counts: readonly number[] = []): number => counts.reduce((all, one) => all + one, 0);

const asText = { kind: 'text' } as const;

/** Offsets 0 to 7. */
const records: RecordInput[] = [
  { timestamp: 1000n, key: text('O-1'), value: text('{"total":42.5,"city":"Zürich"}') },
  { timestamp: 2000n, key: text('O-2'), value: text('{"total":142.5,"city":"ZÜRICH"}') },
  { timestamp: 3000n, key: text('O-3'), value: null },
  { timestamp: 4000n, key: null, value: text('plain text') },
  { timestamp: 5000n, value: text(''), headers: [{ key: 'retry', value: text('o-1') }] },
  { timestamp: 6000n, value: text('v'), headers: [{ key: 'null', value: null }] },
  { timestamp: 7000n, key: Buffer.from([0, 255, 79, 45, 49]), value: text('[1,2,3]') },
  { timestamp: 8000n, value: text('{"total":') },
];

/** Beside other programs a worker may be late: only what it keeps to by itself ends an expression. */
const patientClock: Clock = {
  nowMs: () => systemClock.nowMs(),
  monotonicMs: () => systemClock.monotonicMs(),
  setTimer: (delayMs, callback) => systemClock.setTimer(delayMs * 30, callback),
};

/** As long as a loaded machine may take. */
const longestMs = 60_000;

describe('a filter of a tail', function () {
  this.timeout(longestMs * 1.5);
  let view: TailView | undefined;
  afterEach(() => {
    view?.dispose();
    view = undefined;
  });

  async function filtered(filter: string, store = storeOf()): Promise<TailView> {
    view = new TailView({ store, files, clock: patientClock, onProgress: () => undefined });
    await view.setFilter(filter, 'matched');
    await done(view);
    return view;
  }
  const done = (of: TailView): Promise<void> =>
    eventually(() => of.progress === undefined || of.progress.pending === 0, longestMs);
  const storeOf = (): TailStore => {
    const store = new TailStore();
    store.add({ partition: 3, batch: batchOf(0n, records), from: 0n, to: null });
    return store;
  };
  const offsets = (of: TailView): number[] =>
    of.rows({ first: of.first, count: 1000 }).map(({ offset }) => Number(offset));

  const finds: [string, number[]][] = [
    ['o-1', [0, 4, 6]],
    ['zürich', [0, 1]],
    ['plain', [3]],
    ['nothing like it', []],
    ['/O-[12]/', [0, 1, 6]],
    ['/o-[12]/i', [0, 1, 4, 6]],
    ['/^plain.text$/', [3]],
    ['/not closed', []],
    ['js: value.total > 100', [1]],
    ['js: key === null', [3, 4, 5, 7]],
    ['js: value === null', [2]],
    ['js: value === ""', [4]],
    ['js: headers.some((h) => h.key === "null" && h.value === null)', [5]],
    ['js: offset >= 6 && partition === 3', [6, 7]],
    ['js: timestamp < 2500', [0, 1]],
    ['js: Array.isArray(value) && value.length === 3', [6]],
  ];
  const folds: [string, string, boolean][] = [
    ['kelvin', '\u212aELVIN', true],
    ['istanbul', 'Istanbul, \u0130stanbul', true],
    ['straße', 'STRASSE', false],
    ['/kelvin/i', '\u212aELVIN', true],
    ['/kelvin/', 'KELVIN', false],
    ['/mis+ing/i', 'mi\u017fing', true],
  ];
  for (const [filter, value, matches] of folds) {
    it(`“${filter}” ${matches ? 'finds' : 'does not find'} “${value}”, in bytes as in text [D4]`, async () => {
      const store = new TailStore();
      const batch = batchOf(0n, [{ timestamp: 0n, value: text(value) }]);
      store.add({ partition: 0, batch, from: 0n, to: null });
      const plain = await filtered(filter, store);
      const byBytes = plain.held;
      await plain.setDecoders(await tailDecoders('any', { ...defaultDecoders, value: asText }));
      await done(plain);
      assert.deepEqual([byBytes, plain.held], matches ? [1, 1] : [0, 0]);
    });
  }

  it('looks at what a decoder makes of a key, a value or a header, and not at the bytes [D4]', async () => {
    const number = Buffer.alloc(8);
    number.writeBigInt64BE(9_007_199_254_740_993n);
    const store = new TailStore();
    const headers = [{ key: 'id', value: number }];
    const batch = batchOf(0n, [
      { timestamp: 0n, key: number, value: text('a') },
      { timestamp: 0n, key: text('x'), value: number },
      { timestamp: 0n, key: text('x'), value: text('b'), headers },
      { timestamp: 0n, key: text('9007199254740993'), value: Buffer.from([0xff]) },
    ]);
    store.add({ partition: 0, batch, from: 0n, to: null });
    const found = async (filter: string, choices: Partial<TopicDecoders>): Promise<number[]> => {
      const of = await filtered(filter, store);
      await of.setDecoders(await tailDecoders('any', { ...defaultDecoders, ...choices }));
      await done(of);
      const shown = offsets(of);
      of.dispose();
      return shown;
    };
    const int64 = { kind: 'int64' } as const;
    for (const filter of ['4740993', '/[0-9]40993$/']) {
      assert.deepEqual(await found(filter, {}), [3], filter);
      // What int64 cannot read is looked at as text.
      assert.deepEqual(await found(filter, { key: int64 }), [0, 3], filter);
      assert.deepEqual(await found(filter, { value: int64 }), [1, 3], filter);
      assert.deepEqual(await found(filter, { headers: int64 }), [2, 3], filter);
    }
    assert.deepEqual(await found('\\xff', {}), []);
    assert.deepEqual(await found('\\xff', { value: asText }), [3]);
    assert.deepEqual(await found('00 20 00', { value: { kind: 'hex' } }), [1]);
    const script = 'js: key === "9007199254740993"';
    assert.deepEqual(await found(script, { key: int64 }), [0, 3]);
  });

  it('judges what is held again when it is read otherwise, and only where there is a filter [D4]', async () => {
    const of = await filtered('');
    const asHex = await tailDecoders('any', { ...defaultDecoders, key: { kind: 'hex' } });
    assert.equal(await of.setDecoders(asHex), false);
    await of.setFilter('4f 2d 32', 'matched');
    await done(of);
    assert.deepEqual(offsets(of), [1]);
    assert.equal(await of.setDecoders(await tailDecoders('any', defaultDecoders)), true);
    await done(of);
    assert.deepEqual([offsets(of), of.progress?.rejected], [[], 8]);
  });

  it('judges rows of many small batches together, each once and in order [D4]', async () => {
    const store = new TailStore();
    const count = 2500;
    for (let offset = 0; offset < count; offset++) {
      const batch = batchOf(BigInt(offset), [{ timestamp: 0n, value: text(String(offset % 3)) }]);
      store.add({ partition: 0, batch, from: 0n, to: null });
      if (offset === 1000) store.addNote({ partition: 0, offset: 1001n, text: 'a note' });
    }
    for (const filter of ['js: value === "1"', '/^1$/']) {
      const of = await filtered(filter, store);
      const shown = of.rows({ first: 0, count: 2000 });
      const expected = Array.from({ length: count }, (_, offset) => offset).filter(
        (offset) => offset % 3 === 1,
      );
      assert.deepEqual(
        shown.filter(({ note }) => note === undefined).map(({ offset }) => Number(offset)),
        expected,
      );
      const place = shown.findIndex(({ note }) => note === 'a note');
      assert.deepEqual([shown[place - 1]?.offset, shown[place + 1]?.offset], ['1000', '1003']);
      of.dispose();
    }
  });

  for (const [filter, expected] of finds) {
    it(`“${filter}” finds ${expected.length === 0 ? 'none' : expected.join(', ')} [D4]`, async () => {
      assert.deepEqual(offsets(await filtered(filter)), expected);
    });
  }

  it('counts what matched, was rejected and failed, and shows the failed with the reason [D4]', async () => {
    const of = await filtered('js: value.total > 100');
    const { matched, rejected, failed } = of.progress ?? assert.fail();
    assert.deepEqual([matched, rejected, failed], [1, 6, 1]);
    assert.match(of.progress?.failure ?? '', /^TypeError: /);
    await of.setFilter('js: value.total > 100', 'failed');
    const [row] = of.rows({ first: 0, count: 10 });
    assert.equal(row?.offset, '2');
    assert.match(row.failure ?? '', /TypeError: cannot read property 'total' of null/);
  });

  it('judges new records as they come, and forgets those that are dropped [D4]', async () => {
    const store = new TailStore({ rows: 8, bytes: 1e9 });
    store.add({ partition: 0, batch: batchOf(0n, records), from: 0n, to: null });
    const of = await filtered('o-', store);
    assert.deepEqual(offsets(of), [0, 1, 2, 4, 6]);
    store.add({ partition: 0, batch: batchOf(8n, records.slice(0, 2)), from: 0n, to: null });
    of.wake();
    await done(of);
    assert.deepEqual(offsets(of), [8, 9]);
    assert.deepEqual([of.first, of.held, of.progress?.matched], [5, 2, 7]);
  });

  it('looks at one span of time alone, with a filter and without [D10]', async () => {
    const of = await filtered('o-');
    const within = { fromMs: 2000, toMs: 7000 };
    await of.setFilter('o-', 'matched', within);
    await done(of);
    assert.deepEqual(offsets(of), [1, 2, 4]);
    const { matched, rejected, elsewhen } = of.progress ?? assert.fail();
    assert.deepEqual([matched, rejected, elsewhen], [3, 2, 3]);
    const shown = of.histogram();
    assert.deepEqual([shown?.fromMs, shown?.binMs], [2000, 50]);
    assert.deepEqual(
      [sum(shown?.all), sum(shown?.shown), shown?.all[0], shown?.shown?.[20]],
      [5, 3, 1, 1],
    );
    await of.setFilter('nothing like it', 'matched', within);
    await done(of);
    assert.deepEqual([of.progress?.rejected, of.progress?.elsewhen], [5, 3]);
    await of.setFilter('', 'matched', within);
    await done(of);
    assert.deepEqual(offsets(of), [1, 2, 3, 4, 5]);
    await of.setFilter('', 'matched');
    assert.deepEqual([of.held, of.progress, sum(of.histogram()?.all)], [8, undefined, 8]);
  });

  it('is the one that was asked for last, whichever takes longer to begin [D4] [D10]', async () => {
    const of = await filtered('');
    const within = { fromMs: 2000, toMs: 7000 };
    const first = of.setFilter('js: true', 'failed', within);
    await of.setFilter('', 'matched');
    await of.setOrder({ by: 'offset', descending: true });
    await first;
    assert.deepEqual([of.progress, of.sorted?.order.by], [undefined, 'offset']);
    assert.deepEqual(offsets(of), [7, 6, 5, 4, 3, 2, 1, 0]);
    // What cannot be read is no newer filter.
    const slow = of.setFilter('js: offset === 2', 'matched');
    await assert.rejects(of.setFilter('/(/', 'matched'));
    await slow;
    await done(of);
    assert.deepEqual(offsets(of), [2]);
  });

  it('keeps the filter in force where the next cannot be read [D4]', async () => {
    const of = await filtered('O-1');
    await assert.rejects(of.setFilter('js: value.', 'matched'), /SyntaxError/);
    await assert.rejects(of.setFilter('/(/', 'matched'), /cannot be read: .*missing/);
    assert.deepEqual(offsets(of), [0, 4, 6]);
    await of.setFilter('', 'matched');
    assert.deepEqual([of.held, of.progress], [8, undefined]);
  });

  it('says what is wrong with an expression while it is typed [D4]', async () => {
    const problem = (filter: string): Promise<string | undefined> =>
      filterProblem(filter, { files, clock: systemClock });
    assert.equal(await problem('js: value.total > 100'), undefined);
    assert.equal(await problem('js: value.total >'), 'The expression is not complete.');
    assert.match((await problem('js: [1, 2')) ?? '', /^SyntaxError: .*'\]'/);
    const more = 'This is more than one expression, or closes a bracket that is not open.';
    assert.equal(await problem('js: key; value'), more);
    assert.equal(await problem('js: value.total > 1)'), more);
    assert.match((await problem('js: value..total')) ?? '', /^SyntaxError: (?!.*'\)')/);
    assert.match((await problem('/a(?=b)/')) ?? '', /look-around|invalid/);
  });

  it('stops a filter that runs without end, and everything else goes on [D4]', async () => {
    const of = await filtered('js: offset !== 5 || (() => { for (;;); })()');
    assert.deepEqual(offsets(of), [0, 1, 2, 3, 4, 6, 7]);
    await of.setFilter('js: offset !== 5 || (() => { for (;;); })()', 'failed');
    assert.match(of.rows({ first: 0, count: 1 })[0]?.failure ?? '', /did not end within 1 s/);
  });

  it('ends a filter that does not let itself be stopped, and gives it up if it goes on so [D4]', async () => {
    const store = storeOf();
    for (const base of [8n, 16n]) {
      store.add({ partition: 0, batch: batchOf(base, records), from: 0n, to: null });
    }
    const of = new TailView({ store, files, clock: systemClock, onProgress: () => undefined });
    view = of;
    // QuickJS does not look at the clock within a single operation.
    await of.setFilter('js: offset % 8 !== 0 || [].indexOf.call({ length: 9e15 }, 1)', 'failed');
    await eventually(() => of.progress?.problem !== undefined, longestMs);
    assert.match(of.progress?.problem?.message ?? '', /3 times the expression did not end in time/);
    assert.match(of.rows({ first: 0, count: 1 })[0]?.failure ?? '', /had to be ended/);
  });

  it('reaches nothing outside of the sandbox, and no more memory than it is given [D4]', async () => {
    const outside =
      'js: typeof process + typeof require + typeof fetch + typeof globalThis.constructor.constructor("return this")().process === "undefinedundefinedundefinedundefined"';
    assert.equal((await filtered(outside)).progress?.matched, 8);
    view?.dispose();
    const hungry = await filtered('js: new Array(1e8).fill(value).length > 0');
    assert.equal(hungry.progress?.failed, 8);
  });

  it('counts records as failed where an expression breaks what it runs in [D4]', async () => {
    // A list cannot take a first verdict any more.
    const first = '{ set() { throw new Error("no") }, configurable: true }';
    const of = await filtered(`js: (Object.defineProperty(Array.prototype, 0, ${first}), true)`);
    assert.deepEqual([of.progress?.matched, of.progress?.failed], [0, 8]);
  });
});
