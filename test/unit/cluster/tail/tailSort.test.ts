import assert from 'node:assert/strict';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { type FetchedBatch, readFetchedBatches } from '../../../../src/client/fetchedPartition.ts';
import { tailDecoders } from '../../../../src/cluster/tail/tailDecoders.ts';
import { TailStore, type TailStoreLimits } from '../../../../src/cluster/tail/tailStore.ts';
import { TailView } from '../../../../src/cluster/tail/tailView.ts';
import {
  buildRecordBatch,
  type RecordInput,
} from '../../../../src/protocol/records/recordBatchBuilder.ts';
import { defaultDecoders } from '../../../../src/shared/contracts/decoders.ts';
import type { SortBy } from '../../../../src/shared/contracts/tailQuery.ts';

const files = { workerPath: path.join('src', 'worker.ts'), quickjsWasmPath: 'none' };
const text = (value: string): Buffer => Buffer.from(value);

function batchOf(baseOffset: bigint, records: readonly RecordInput[]): FetchedBatch {
  const [batch] = readFetchedBatches(buildRecordBatch({ baseOffset, records }), 0n, null);
  assert.ok(batch);
  return batch;
}

const valued = (...values: (string | Buffer | null)[]): RecordInput[] =>
  values.map((value, index) => ({
    timestamp: BigInt(1000 + index),
    value: typeof value === 'string' ? text(value) : value,
  }));

describe('a tail in another order', () => {
  let view: TailView | undefined;
  afterEach(() => {
    view?.dispose();
    view = undefined;
  });

  function viewOf(
    batches: readonly (readonly [partition: number, baseOffset: bigint, records: RecordInput[]])[],
    limits?: TailStoreLimits,
  ): { view: TailView; store: TailStore } {
    const store = new TailStore(limits);
    for (const [partition, baseOffset, records] of batches)
      add(store, partition, baseOffset, records);
    const made = new TailView({ store, files, clock: systemClock, onProgress: () => undefined });
    view = made;
    return { view: made, store };
  }
  function add(store: TailStore, partition: number, base: bigint, records: RecordInput[]): void {
    store.add({ partition, batch: batchOf(base, records), from: base, to: null });
  }
  const places = (of: TailView): string[] =>
    of
      .rows({ first: of.first, count: 10_000 })
      .map(({ partition, offset }) => `${partition}/${offset}`);
  async function sorted(of: TailView, by: SortBy, descending = false): Promise<string[]> {
    assert.equal(await of.setOrder({ by, descending }), true);
    return places(of);
  }

  it('goes by time, partition, offset and size, and keeps what is the same as it came [D3]', async () => {
    const sizes = (...of: readonly [timestamp: number, size: number][]): RecordInput[] =>
      of.map(([timestamp, size]) => ({ timestamp: BigInt(timestamp), value: Buffer.alloc(size) }));
    const { view: of } = viewOf([
      [1, 10n, sizes([5000, 1], [3000, 7], [-1, 7])],
      [0, 11n, sizes([4000, 7], [3000, 0])],
    ]);
    assert.deepEqual(await sorted(of, 'time'), ['1/11', '0/12', '0/11', '1/10', '1/12']);
    assert.deepEqual(await sorted(of, 'time', true), ['1/10', '0/11', '1/11', '0/12', '1/12']);
    assert.deepEqual(await sorted(of, 'partition'), ['0/11', '0/12', '1/10', '1/11', '1/12']);
    assert.deepEqual(await sorted(of, 'offset'), ['1/10', '0/11', '1/11', '0/12', '1/12']);
    assert.deepEqual(await sorted(of, 'size', true), ['1/11', '1/12', '0/11', '1/10', '0/12']);
    assert.equal(await of.setOrder(undefined), true);
    assert.deepEqual(places(of), ['1/10', '1/11', '1/12', '0/11', '0/12']);
  });

  it('tells null, empty, numbers and text apart, and int64s exactly [D3]', async () => {
    const max = '9223372036854775807';
    const { view: of } = viewOf([
      [0, 0n, valued('b', '10', null, 'B', '', '9', max, '9223372036854775806', '-2', 'é', 'z')],
    ]);
    const order = [2, 4, 8, 5, 1, 7, 6, 3, 0, 10, 9].map((offset) => `0/${offset}`);
    assert.deepEqual(await sorted(of, 'value'), order);
    assert.deepEqual(await sorted(of, 'value', true), order.toReversed());
  });

  it('looks as far into texts that begin alike as it must [D3]', async () => {
    const alike = (end: string): string => `{"id":"${'x'.repeat(300)}","end":"${end}"}`;
    const { view: of } = viewOf([
      [0, 0n, valued(alike('c'), alike('a'), alike('b'), alike('a'), '{"id":"w"}')],
    ]);
    assert.deepEqual(await sorted(of, 'value'), ['0/4', '0/1', '0/3', '0/2', '0/0']);
  });

  it('goes by what a decoder makes of the bytes, and starts over with another [D3] [D5]', async () => {
    const long = (value: bigint): Buffer => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64BE(value);
      return bytes;
    };
    const { view: of } = viewOf([[0, 0n, valued(long(5n), long(-1n), long(300n))]]);
    assert.deepEqual(await sorted(of, 'value'), ['0/0', '0/2', '0/1']);
    const decoders = await tailDecoders('t', { ...defaultDecoders, value: { kind: 'int64' } });
    assert.equal(await of.setDecoders(decoders), true);
    assert.equal(of.sorted, undefined);
    assert.deepEqual(await sorted(of, 'value'), ['0/1', '0/0', '0/2']);
  });

  it('agrees with a plain sort over many batches and partitions [D3]', async () => {
    const batches = Array.from({ length: 60 }, (_, index) => {
      const values = Array.from({ length: 97 }, (_, i) => `k${(index * 31 + i * 17) % 211}`);
      return [index % 3, BigInt(Math.trunc(index / 3) * 97), valued(...values)] as const;
    });
    const { view: of } = viewOf(batches);
    const flat = batches.flatMap(([partition, base, records]) =>
      records.map(({ value }, i) => ({ place: `${partition}/${base + BigInt(i)}`, value })),
    );
    const plain = flat.toSorted((a, b) => Buffer.compare(a.value as Buffer, b.value as Buffer));
    assert.deepEqual(
      await sorted(of, 'value'),
      plain.map(({ place }) => place),
    );
    assert.equal(
      of.findRow(0, 0n),
      plain.findIndex(({ place }) => place === '0/0'),
    );
  });

  it('counts what comes, and shows it only in the order of arrival again [D3]', async () => {
    const { view: of, store } = viewOf([[0, 0n, valued('b', 'a')]]);
    await sorted(of, 'value');
    add(store, 0, 2n, valued('0', '1', '2'));
    assert.deepEqual(places(of), ['0/1', '0/0']);
    const order = { by: 'value', descending: false };
    assert.deepEqual(of.sorted, { order, newer: 3, waits: false });
    await of.setOrder(undefined);
    assert.equal(of.held, 5);
  });

  it('sorts what a filter lets through, once it has looked at all; another filter ends it [D3] [D4]', async () => {
    const { view: of } = viewOf([[0, 0n, valued('b2', 'a2', 'b1', 'a1')]]);
    await of.setFilter('a', 'matched');
    assert.deepEqual(await sorted(of, 'value'), ['0/3', '0/1']);
    await of.setFilter('b', 'matched');
    assert.equal(of.sorted, undefined);
    assert.deepEqual(await sorted(of, 'value', true), ['0/0', '0/2']);
  });

  it('has reading wait rather than drop what is sorted, and says where something was dropped all the same [D3]', async () => {
    const limits = { rows: 10, bytes: 1024 * 1024 * 1024 };
    const many = (first: number): RecordInput[] =>
      valued(...Array.from({ length: 5 }, (_, index) => String(first + index)));
    const { view: of, store } = viewOf(
      [
        [0, 0n, many(0)],
        [0, 5n, many(5)],
      ],
      limits,
    );
    await sorted(of, 'value', true);
    let mayRead = false;
    const reading = of.keepUp().then(() => (mayRead = true));
    await nextTurn();
    assert.equal(of.sorted?.waits, true);
    // What was under way already.
    add(store, 0, 10n, many(10));
    const rows = of.rows({ first: 0, count: 10 });
    assert.deepEqual(
      rows.slice(0, 5).map(({ offset }) => offset),
      ['9', '8', '7', '6', '5'],
    );
    assert.match(rows[5]?.note ?? '', /^dropped since it was sorted/);
    assert.equal(mayRead, false);
    await of.setOrder(undefined);
    await reading;
    assert.deepEqual(places(of)[0], '0/5');
  });

  it('is given up for a newer request [D3]', async () => {
    const { view: of } = viewOf([[0, 0n, valued('b', 'a')]]);
    const [first, second] = await Promise.all([
      of.setOrder({ by: 'value', descending: false }),
      of.setOrder({ by: 'offset', descending: true }),
    ]);
    assert.deepEqual([first, second], [false, true]);
    assert.deepEqual(places(of), ['0/1', '0/0']);
  });
});
