import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type FetchedBatch, readFetchedBatches } from '../../../../src/client/fetchedPartition.ts';
import { tailRow } from '../../../../src/cluster/tail/tailRows.ts';
import { TailStore } from '../../../../src/cluster/tail/tailStore.ts';
import { buildRecordBatch } from '../../../../src/protocol/records/recordBatchBuilder.ts';

function batchOf(baseOffset: bigint, count: number, fetchOffset = 0n): FetchedBatch {
  const records = Array.from({ length: count }, (_, index) => ({
    timestamp: 1n,
    value: Buffer.from(`v${baseOffset + BigInt(index)}`),
  }));
  const bytes = buildRecordBatch({ baseOffset, records, compression: 'gzip' });
  const [batch] = readFetchedBatches(bytes, fetchOffset, null);
  assert.ok(batch);
  return batch;
}

const whole = { partition: 0, from: 0n, to: null };
const roomy = { rows: 1000, bytes: 1e9 };

function offsets(store: TailStore, first: number, count: number): string[] {
  return store.rows(first, count).map((row) => tailRow(row).offset);
}

describe('the store of a tail', () => {
  it('numbers rows as they arrive, over all partitions [D3]', () => {
    const store = new TailStore(roomy);
    store.add({ ...whole, batch: batchOf(0n, 3) });
    store.add({ ...whole, partition: 1, batch: batchOf(100n, 2) });
    store.add({ ...whole, batch: batchOf(3n, 1) });
    assert.deepEqual(offsets(store, 0, 10), ['0', '1', '2', '100', '101', '3']);
    assert.deepEqual(offsets(store, 2, 2), ['2', '100']);
    assert.deepEqual(offsets(store, 6, 5), []);
  });

  it('keeps only what the seek expression wants of a batch', () => {
    const store = new TailStore(roomy);
    assert.equal(store.add({ partition: 0, from: 4n, to: 7n, batch: batchOf(0n, 10) }), 3);
    assert.equal(store.add({ partition: 0, from: 40n, to: null, batch: batchOf(10n, 5) }), 0);
    assert.deepEqual(offsets(store, 0, 10), ['4', '5', '6']);
  });

  it('drops whole batches at the old end; the others keep their numbers [D3]', () => {
    const store = new TailStore({ rows: 5, bytes: 1e9 });
    for (let base = 0; base < 9; base += 3)
      store.add({ ...whole, batch: batchOf(BigInt(base), 3) });
    assert.deepEqual([store.firstRow, store.held], [6, 3]);
    assert.deepEqual(offsets(store, 0, 8), ['6', '7']);
  });

  it('stays within its bytes, but for one batch that is larger than all of them [D3]', () => {
    const bytes = 300_000;
    const store = new TailStore({ rows: 1e6, bytes });
    for (let base = 0; base < 5000; base++) {
      store.add({ ...whole, batch: batchOf(BigInt(base), 1) });
      assert.ok(store.bytes <= bytes, `${store.bytes} held`);
    }
    // Each of about 90 bytes, and what it costs to keep track of it.
    assert.ok(store.held > 500 && store.held < 3000, `${store.held} rows`);
    store.add({ ...whole, batch: batchOf(5000n, 100_000) });
    assert.deepEqual([store.held, store.firstRow], [100_000, 5000]);
    assert.deepEqual(offsets(store, 104_999, 5), ['104999']);
    store.add({ ...whole, batch: batchOf(105_000n, 1) });
    assert.equal(store.held, 1);
    assert.ok(store.bytes <= bytes);
  });

  it('makes no rows of what a damaged header claims', () => {
    const bytes = buildRecordBatch({ baseOffset: 0n, records: [{ value: Buffer.from('v') }] });
    bytes.writeInt32BE(2_000_000_000, 57);
    const [batch] = readFetchedBatches(bytes, 0n, null);
    assert.ok(batch);
    const store = new TailStore(roomy);
    assert.equal(store.add({ ...whole, batch }), 1);
    assert.match(store.rows(0, 5).map((row) => tailRow(row))[0]?.problem ?? '', /checksum/);
  });

  it('has a row for what is to be said between records', () => {
    const store = new TailStore(roomy);
    store.add({ ...whole, batch: batchOf(0n, 1) });
    store.addNote({ partition: 0, offset: 9n, text: 'records 1 to 8 were deleted' });
    store.add({ ...whole, batch: batchOf(9n, 1) });
    assert.deepEqual(
      store.rows(0, 5).map((row) => [tailRow(row).offset, tailRow(row).note]),
      [
        ['0', undefined],
        ['9', 'records 1 to 8 were deleted'],
        ['9', undefined],
      ],
    );
  });

  it('agrees with a list, over many batches dropped and kept', () => {
    const store = new TailStore({ rows: 50, bytes: 1e9 });
    const all: string[] = [];
    let next = 0n;
    for (let index = 0; index < 3000; index++) {
      const count = 1 + ((index * 7) % 5);
      store.add({ ...whole, batch: batchOf(next, count) });
      for (let record = 0; record < count; record++) all.push(String(next++));
      if (index % 97 === 0) {
        const { firstRow, held } = store;
        assert.ok(held <= 50);
        assert.deepEqual(offsets(store, firstRow, held), all.slice(firstRow));
      }
    }
  });

  it('finds a record by partition and offset, and says when it holds none', () => {
    const store = new TailStore(roomy);
    store.add({ ...whole, batch: batchOf(0n, 3) });
    store.add({ ...whole, partition: 1, batch: batchOf(1n, 3) });
    const found = store.find(1, 1n);
    assert.ok(found?.kind === 'record');
    assert.equal(found.partition, 1);
    assert.equal(store.find(0, 3n), undefined);
  });

  it('shows a damaged batch as rows that say so, and the others as they are [D5]', () => {
    const bytes = buildRecordBatch({ baseOffset: 3n, records: [{ value: Buffer.from('v') }] });
    bytes[bytes.length - 2] = (bytes[bytes.length - 2] ?? 0) ^ 1;
    const [damaged] = readFetchedBatches(bytes, 0n, null);
    assert.ok(damaged);
    const store = new TailStore(roomy);
    store.add({ ...whole, batch: batchOf(0n, 1) });
    store.add({ ...whole, batch: damaged });
    const [good, bad] = store.rows(0, 2).map((row) => tailRow(row));
    assert.equal(good?.problem, undefined);
    assert.match(bad?.problem ?? '', /checksum/);
    assert.equal(bad?.offset, '3');
  });
});
