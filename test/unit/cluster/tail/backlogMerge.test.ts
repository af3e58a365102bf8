import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFetchedBatches } from '../../../../src/client/fetchedPartition.ts';
import { BacklogMerge } from '../../../../src/cluster/tail/backlogMerge.ts';
import type { BatchPart } from '../../../../src/cluster/tail/keptBatch.ts';
import { tailRow } from '../../../../src/cluster/tail/tailRows.ts';
import { TailStore } from '../../../../src/cluster/tail/tailStore.ts';
import { buildRecordBatch } from '../../../../src/protocol/records/recordBatchBuilder.ts';

const noTime = -1;

function partOf(partition: number, baseOffset: number, times: readonly number[]): BatchPart {
  const records = times.map((time) => ({
    timestamp: BigInt(time),
    value: Buffer.alloc(20, String(time)),
  }));
  const bytes = buildRecordBatch({ baseOffset: BigInt(baseOffset), records, compression: 'gzip' });
  const [batch] = readFetchedBatches(bytes, 0n, null);
  return { partition, batch: batch ?? assert.fail(), from: 0n, to: null };
}

const rowsOf = (store: TailStore, first = 0, count = 10_000): string[] =>
  store.rows(first, count).map((row) => {
    const { partition, offset, timestamp, note } = tailRow(row);
    return note ?? `${partition}/${offset}@${timestamp}`;
  });

function merging(partitions: readonly number[], limits = { rows: 10_000, bytes: 1e9 }) {
  const store = new TailStore(limits);
  const merge = new BacklogMerge(partitions, store);
  const all = (): void => {
    while (merge.giveOn());
  };
  return { store, merge, all };
}

describe('the merge of what partitions held when a tail began', () => {
  it('is in the order of time, and of one partition in that of its offsets [D2] [D3]', () => {
    const { store, merge, all } = merging([0, 1, 2]);
    merge.add(partOf(0, 0, [10, 40, 30, noTime, 60]));
    merge.add(partOf(2, 0, [20, 40, 50]));
    all();
    assert.deepEqual(rowsOf(store), [], 'partition 1 may hold something older');
    merge.add(partOf(1, 7, [5, 40]));
    for (const partition of [0, 1, 2]) merge.finish(partition);
    all();
    assert.ok(merge.isOver);
    assert.deepEqual(rowsOf(store), [
      ...['1/7@5', '0/0@10', '2/0@20', '0/1@40', '0/2@30', '0/3@-1', '1/8@40', '2/1@40'],
      ...['2/2@50', '0/4@60'],
    ]);
  });

  it('gives on what it can while more is read, and says what is to wait [D3]', () => {
    const { store, merge, all } = merging([0, 1]);
    merge.addNote({ partition: 1, offset: 3n, text: 'records 0 to 2 are gone' });
    merge.add(partOf(0, 0, [1, 2, 9]));
    merge.add(partOf(1, 3, [2, 3]));
    all();
    assert.deepEqual(rowsOf(store), [
      ...['records 0 to 2 are gone', '0/0@1', '0/1@2', '1/3@2', '1/4@3'],
    ]);
    merge.finish(1);
    all();
    assert.equal(rowsOf(store).at(-1), '0/2@9');
    assert.equal(merge.isOver, false);
    merge.finish(0);
    assert.equal(merge.isOver, true);
    const { merge: waiting } = merging([0, 1]);
    const large = partOf(0, 0, [1]);
    const bytes = Buffer.concat([large.batch.bytes, Buffer.alloc(20_000_000)]);
    waiting.add({ ...large, batch: { ...large.batch, bytes } });
    assert.deepEqual([waiting.isFull(0), waiting.isFull(1)], [true, false]);
  });

  it('agrees with a merge of lists, and keeps each batch once however it is cut [D3]', () => {
    const partitions = [0, 1, 2, 3, 4];
    const { store, merge, all } = merging(partitions);
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const lists = partitions.map(() => [] as number[]);
    let bytes = 0;
    for (let batch = 0; batch < 100; batch++) {
      const partition = random(5);
      const list = lists[partition] ?? [];
      const times = Array.from({ length: 1 + random(40) }, () => 1000 + batch * 20 + random(100));
      const part = partOf(partition, list.length, times);
      bytes += part.batch.bytes.length;
      list.push(...times);
      merge.add(part);
      all();
    }
    for (const partition of partitions) merge.finish(partition);
    all();
    const expected: string[] = [];
    const next = lists.map(() => 0);
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    while (expected.length < count) {
      const heads = lists.map((list, partition) => list[next[partition] ?? 0] ?? Infinity);
      const first = heads.indexOf(Math.min(...heads));
      expected.push(`${first}/${next[first]}@${heads[first]}`);
      next[first] = (next[first] ?? 0) + 1;
    }
    assert.deepEqual(rowsOf(store), expected);
    assert.deepEqual(rowsOf(store, 500, 20), expected.slice(500, 520));
    assert.equal(
      store.rowOf(3, 5n),
      expected.findIndex((row) => row.startsWith('3/5@')),
    );
    assert.ok(store.bytes < bytes + 64 * 1024 + count * 200, `${store.bytes} of ${bytes}`);
  });

  it('reads each batch once, however many large ones take turns [D3]', () => {
    const partitions = [...Array(20).keys()];
    const { store, merge, all } = merging(partitions);
    for (const partition of partitions) {
      const times = Array.from({ length: 250 }, (_, index) => index * 20 + partition);
      const records = times.map((time) => ({ timestamp: BigInt(time), value: Buffer.alloc(1000) }));
      const [batch] = readFetchedBatches(buildRecordBatch({ records }), 0n, null);
      merge.add({ partition, batch: batch ?? assert.fail(), from: 0n, to: null });
      merge.finish(partition);
    }
    all();
    const [first] = store.rows(0, 1);
    assert.equal(store.rows(1, 100).length, 100);
    // Made anew, it would be another object.
    assert.ok(first === store.rows(0, 1)[0]);
  });

  it('shows a damaged batch in its places, piece by piece [D3] [D5]', () => {
    const { store, merge, all } = merging([0, 1]);
    const records = [1, 3, 5].map((time) => ({ timestamp: BigInt(time), value: Buffer.from('v') }));
    const bytes = buildRecordBatch({ records });
    bytes[bytes.length - 2] = 0xff; // in the last value
    const [batch] = readFetchedBatches(bytes, 0n, null);
    merge.add({ partition: 0, batch: batch ?? assert.fail(), from: 0n, to: null });
    merge.add(partOf(1, 0, [2, 4]));
    merge.finish(0);
    merge.finish(1);
    all();
    const shown = store.rows(0, 10).map((row) => tailRow(row));
    assert.deepEqual(
      shown.map(({ partition, problem }) => [partition, problem?.includes('checksum') ?? false]),
      [0, 1, 0, 1, 0].map((partition) => [partition, partition === 0]),
    );
  });

  it('stays within the bounds of the tail, piece by piece [D3]', () => {
    const { store, merge, all } = merging([0, 1], { rows: 60, bytes: 1e9 });
    const times = Array.from({ length: 50 }, (_, index) => index);
    merge.add(partOf(0, 0, times));
    merge.add(partOf(1, 0, times));
    merge.finish(0);
    merge.finish(1);
    all();
    assert.deepEqual([store.held, store.firstRow], [60, 40]);
    assert.deepEqual(rowsOf(store, 40, 2), ['0/20@20', '1/20@20']);
    const before = store.bytes;
    for (let batch = 0; batch < 100; batch++) store.add(partOf(0, 50 + batch, [batch]));
    assert.ok(store.bytes > 0 && store.bytes <= before + 64 * 1024, `${before} ${store.bytes}`);
  });
});
