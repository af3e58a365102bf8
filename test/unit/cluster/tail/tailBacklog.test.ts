import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFetchedBatches } from '../../../../src/client/fetchedPartition.ts';
import type { BatchPart } from '../../../../src/cluster/tail/keptBatch.ts';
import { TailBacklog } from '../../../../src/cluster/tail/tailBacklog.ts';
import { tailRow } from '../../../../src/cluster/tail/tailRows.ts';
import type { TailRange } from '../../../../src/cluster/tail/tailStart.ts';
import { TailStore } from '../../../../src/cluster/tail/tailStore.ts';
import { buildRecordBatch } from '../../../../src/protocol/records/recordBatchBuilder.ts';

const rangeOf = (partition: number, end: bigint): TailRange => ({
  ...{ partition, position: 0n, from: 0n, to: null, end, noneAsLate: false },
});

/** Records at these times, which unpack to a large value each. */
function partOf(
  partition: number,
  baseOffset: number,
  times: readonly number[],
  bytes = 10,
): BatchPart {
  const records = times.map((time) => ({ timestamp: BigInt(time), value: Buffer.alloc(bytes) }));
  const built = buildRecordBatch({ baseOffset: BigInt(baseOffset), records, compression: 'gzip' });
  const [batch] = readFetchedBatches(built, 0n, null);
  return { partition, batch: batch ?? assert.fail(), from: 0n, to: null };
}

const rowsOf = (store: TailStore): string[] =>
  store.rows(0, 100).map((row) => {
    const { partition, offset, note } = tailRow(row);
    return note ?? `${partition}/${offset}`;
  });

describe('what was there when a tail began', () => {
  it('is put in the order of time where there is little enough of it [D3]', async () => {
    const store = new TailStore();
    const backlog = new TailBacklog([rangeOf(0, 2n), rangeOf(1, 1n)], store);
    backlog.add(partOf(0, 0, [1, 3]));
    backlog.add(partOf(1, 0, [2]));
    for (const partition of [0, 1]) backlog.finish(partition);
    await backlog.giveOn();
    assert.deepEqual(rowsOf(store), ['0/0', '1/0', '0/1']);
    assert.deepEqual([backlog.isOver, backlog.isUnordered], [true, false]);
  });

  it('comes as it is read where it is more than 100,000 offsets, and says so [D3]', () => {
    const store = new TailStore();
    const backlog = new TailBacklog([rangeOf(0, 60_000n), rangeOf(1, 60_000n)], store);
    assert.deepEqual([backlog.isOver, backlog.isUnordered], [true, true]);
    backlog.add(partOf(0, 0, [1, 3]));
    backlog.add(partOf(1, 0, [2]));
    assert.deepEqual(rowsOf(store), ['0/0', '0/1', '1/0']);
    // Of one partition there is nothing to merge.
    assert.equal(new TailBacklog([rangeOf(0, 200_000n), rangeOf(1, 0n)], store).isUnordered, false);
  });

  it('is not merged any further once it unpacks to more than is kept at hand, and says so [D3]', async () => {
    const store = new TailStore();
    const backlog = new TailBacklog([rangeOf(0, 100n), rangeOf(1, 100n)], store, 1_000_000);
    backlog.add(partOf(0, 0, [1, 4]));
    backlog.add(partOf(1, 0, [2, 3]));
    await backlog.giveOn();
    assert.deepEqual(rowsOf(store), ['0/0', '1/0', '1/1']);
    backlog.addNote({ partition: 1, offset: 2n, text: 'a note' });
    const large = 400_000;
    backlog.add(partOf(1, 2, [9, 10], large));
    assert.deepEqual([backlog.isOver, backlog.isUnordered], [false, false]);
    backlog.add(partOf(0, 2, [5], large));
    assert.deepEqual([backlog.isOver, backlog.isUnordered], [true, true]);
    // All that waited, each once, in the order of offsets of its partition.
    assert.deepEqual(rowsOf(store).slice(3), ['0/1', '0/2', 'a note', '1/2', '1/3']);
    assert.deepEqual([backlog.holdsUp(0), backlog.takeDrained()], [false, []]);
    backlog.add(partOf(0, 3, [0]));
    assert.equal(rowsOf(store).at(-1), '0/3');
  });
});
