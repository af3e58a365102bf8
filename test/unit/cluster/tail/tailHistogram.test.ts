import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFetchedBatches } from '../../../../src/client/fetchedPartition.ts';
import { countByTime } from '../../../../src/cluster/tail/tailHistogram.ts';
import { TailStore } from '../../../../src/cluster/tail/tailStore.ts';
import { timesOf } from '../../../../src/cluster/tail/tailTimes.ts';
import {
  buildRecordBatch,
  type RecordInput,
} from '../../../../src/protocol/records/recordBatchBuilder.ts';

const dayMs = 86_400_000;
const binned = (times: readonly number[]) =>
  countByTime({ all: Float64Array.from(times) }) ?? assert.fail('no row has a time');

function partOf(records: readonly RecordInput[], from = 0n, to: bigint | null = null) {
  const bytes = buildRecordBatch({ baseOffset: 0n, records, compression: 'gzip' });
  const [batch] = readFetchedBatches(bytes, 0n, null);
  return { partition: 0, batch: batch ?? assert.fail(), from, to };
}

describe('the histogram of a tail', () => {
  it('has bins as narrow as their greatest number allows, at whole multiples of their width [D10]', () => {
    const second = binned([10_003, 10_003, 10_999]);
    assert.deepEqual([second.fromMs, second.binMs, second.all.length], [10_000, 10, 100]);
    assert.deepEqual([second.all[0], second.all[99]], [2, 1]);
    const hour = binned([0, 3_600_000]);
    assert.deepEqual([hour.binMs, hour.all.length], [60_000, 61]);
    const centuries = binned([-8.64e15, 0, 8.64e15]);
    assert.ok(centuries.all.length <= 120);
    assert.equal(
      centuries.all.reduce((sum, count) => sum + count, 0),
      3,
    );
    assert.ok(centuries.binMs > 1000 * dayMs);
  });

  it('shows nearly all rows in their own span where a few are of another year, and tells of these [D10]', () => {
    const times = Array.from({ length: 100 }, (_, i) => 1_700_000_000_000 + i * 100);
    const [first, last] = [Date.UTC(2019, 0), Date.UTC(2031, 0)];
    const far = binned([...times.slice(0, 50), first, NaN, last, ...times.slice(50)]);
    assert.ok(far.binMs <= 500, String(far.binMs));
    assert.equal(
      far.all.reduce((sum, count) => sum + count, 0),
      100,
    );
    assert.deepEqual(far.earlier, { count: 1, fromMs: first, toMs: first + 1 });
    assert.deepEqual(far.later, { count: 1, fromMs: last, toMs: last + 1 });
    // Its ends are those of records, not of bins.
    assert.deepEqual([far.firstMs, far.lastMs], [times[0], times.at(-1)]);
    // Two on one side are far as well, and of a few rows.
    const [before, long] = [times[0] ?? 0, [first, first + 7 * dayMs]];
    const two = binned([...times.slice(0, 20), ...long]);
    assert.deepEqual(two.earlier, { count: 2, fromMs: first, toMs: first + 7 * dayMs + 1 });
    assert.deepEqual([two.firstMs, two.lastMs, two.binMs], [before, before + 1900, 20]);
    // As many again as before, spread over a longer time, are no outliers; nor is one of a few.
    const both = binned([...times, ...times.map((time) => time - 365 * dayMs)]);
    assert.deepEqual([both.earlier, both.later], [undefined, undefined]);
    assert.equal(binned([...times.slice(0, 5), first]).earlier, undefined);
    const within = { fromMs: first, toMs: first + 1000 };
    const looked = countByTime({ all: Float64Array.from([...times, first]), within });
    assert.deepEqual([looked?.earlier, looked?.later, looked?.all[0]], [undefined, undefined, 1]);
  });

  it('counts rows without a time apart, and is none where no row has one [D10]', () => {
    assert.deepEqual(binned([5, NaN, NaN]), {
      ...{ fromMs: 5, binMs: 1, firstMs: 5, lastMs: 5 },
      ...{ all: [1], untimed: 2 },
    });
    assert.equal(countByTime({ all: Float64Array.from([NaN]) }), undefined);
  });

  it('shows a span that is looked at in finer bins, and nothing beside it [D10]', () => {
    const all = Float64Array.from([0, 1000, 1001, 1009, 1010, dayMs]);
    const within = { fromMs: 1000, toMs: 1010 };
    const shown = [1000, 1009];
    const histogram = countByTime({ all, shown, within });
    assert.deepEqual(
      [histogram?.fromMs, histogram?.binMs, histogram?.all, histogram?.shown],
      [1000, 1, [1, 1, 0, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    );
  });
});

describe('the times of a tail’s rows', () => {
  const records: RecordInput[] = [
    { timestamp: 1_700_000_000_000n, key: Buffer.from('k'), value: Buffer.from('v') },
    { timestamp: -1n, value: null },
    { timestamp: -5000n, headers: [{ key: 'h', value: null }] },
    { timestamp: 2n ** 63n - 1n },
    { timestamp: 1_700_000_000_001n },
  ];
  const expected = [1_700_000_000_000, NaN, -5000, 2 ** 63, 1_700_000_000_001];

  it('are read without the payloads, of those in the range [D10]', () => {
    assert.deepEqual(timesOf(partOf(records), 5), expected);
    assert.deepEqual(timesOf(partOf(records, 1n, 3n), 2), [NaN, -5000]);
    const far = partOf([...records].reverse().slice(1));
    assert.deepEqual(timesOf(far, 4), [2 ** 63, -5000, NaN, 1_700_000_000_000]);
    assert.deepEqual(
      Array.from(far.batch.records(), ({ timestamp }) => timestamp),
      [2n ** 63n - 1n, -5000n, -1n, 1_700_000_000_000n],
    );
  });

  it('are none of a batch that cannot be read [D10]', () => {
    const { batch, ...part } = partOf(records);
    const damaged = Buffer.from(batch.bytes);
    damaged.fill(255, 61);
    const [read] = readFetchedBatches(damaged, 0n, null);
    assert.deepEqual(timesOf({ ...part, batch: read ?? assert.fail() }, 3), [NaN, NaN, NaN]);
  });

  it('are dropped with their rows, and what is no date is none [D10]', () => {
    const store = new TailStore({ rows: 300, bytes: 1e9 });
    for (let batch = 0; batch < 100; batch++) {
      store.add(partOf(records));
      if (batch === 98) store.addNote({ partition: 0, offset: 1n, text: 'a note' });
    }
    assert.equal(store.nextRow, 501);
    const times = [...store.times.between(store.firstRow, store.nextRow)];
    assert.equal(times.length, store.held);
    const dates = expected.map((time) => (time > 8.64e15 ? NaN : time));
    assert.deepEqual(times.slice(-11), [...dates, NaN, ...dates]);
    assert.equal(store.times.at(0), NaN);
    assert.equal(store.times.at(store.nextRow - 1), 1_700_000_000_001);
  });
});
