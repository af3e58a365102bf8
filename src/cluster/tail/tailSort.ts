/** Rows of a tail in another order than that in which they came. */
import type { Clock } from '../../base/clock.ts';
import { Slices } from '../../base/slices.ts';
import type { TailOrder } from '../../shared/contracts/tailQuery.ts';
import { sortInSlices } from './slicedSort.ts';
import type { TailDecoders } from './tailDecoders.ts';
import { type SortKeys, sortKeysFor } from './tailSortKeys.ts';
import type { StoredRow } from './keptBatch.ts';
import type { TailStore } from './tailStore.ts';

export interface SortOptions {
  readonly store: TailStore;
  readonly decoders: TailDecoders;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Row numbers, given ascending, in the order of something in their rows. Rows of which it is the same stay in the order
 * of their arrival, which is that of the offsets of each partition; rows that are no record come last either way.
 * Rejects where it is given up.
 */
export async function sortRows(
  rows: Float64Array,
  order: TailOrder,
  options: SortOptions,
): Promise<Float64Array> {
  const slices = new Slices(options.clock, options.signal);
  const keys = sortKeysFor(order, rows.length, options);
  const positions = new Uint32Array(rows.length);
  for (let position = 0; position < rows.length; position++) positions[position] = position;
  await eachRow(rows, (position, row) => keys.read(position, row, rows[position] ?? -1), {
    ...options,
    slices,
  });
  await sortInSlices(positions, { start: 0, end: rows.length }, keys.compare, slices);
  await sortDeeper({ rows, positions, keys, slices, ...options });
  const sorted = new Float64Array(rows.length);
  for (const [place, position] of positions.entries()) sorted[place] = rows[position] ?? -1;
  return sorted;
}

type Visit = (position: number, row: StoredRow | undefined) => void;

interface Reading extends Pick<SortOptions, 'store'> {
  readonly slices: Slices;
  /** Left out: all. */
  readonly isWanted?: (position: number) => boolean;
}

/** Batch after batch, so that each is read once. What was dropped meanwhile is undefined. */
async function eachRow(
  rows: Float64Array,
  visit: Visit,
  { store, slices, isWanted = () => true }: Reading,
): Promise<void> {
  let position = 0;
  while (position < rows.length) {
    if (!isWanted(position)) {
      position++;
      continue;
    }
    const around = store.rowsAround(rows[position] ?? 0);
    const first = around?.firstRow ?? Infinity;
    const end = around ? around.firstRow + around.rowCount : Infinity;
    const held = around?.rows() ?? [];
    for (; position < rows.length && (rows[position] ?? Infinity) < end; position++) {
      if (isWanted(position)) visit(position, held[(rows[position] ?? 0) - first]);
    }
    if (slices.isOver) await slices.pause();
  }
}

interface Deeper extends SortOptions {
  readonly rows: Float64Array;
  readonly positions: Uint32Array<ArrayBuffer>;
  readonly keys: SortKeys;
  readonly slices: Slices;
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** Looks further into texts that begin alike, until they differ, end or have been looked at far enough. */
async function sortDeeper({ rows, positions, keys, slices, store }: Deeper): Promise<void> {
  let runs: Run[] = [{ start: 0, end: positions.length }];
  while (keys.goDeeper) {
    runs = runs.flatMap((run) => alikeIn(positions, run, keys));
    if (runs.length === 0 || !keys.goDeeper()) return;
    const wanted = new Uint8Array(rows.length);
    for (const { start, end } of runs) {
      for (const position of positions.subarray(start, end)) wanted[position] = 1;
    }
    const isWanted = (position: number): boolean => wanted[position] === 1;
    const visit: Visit = (position, row) => keys.read(position, row, rows[position] ?? -1);
    await eachRow(rows, visit, { store, slices, isWanted });
    for (const run of runs) {
      await sortInSlices(positions, run, keys.compare, slices);
      if (slices.isOver) await slices.pause();
    }
  }
}

/** The stretches of a sorted run in which all that was looked at is the same, and there is more. */
function alikeIn(positions: Uint32Array, { start, end }: Run, keys: SortKeys): Run[] {
  const found: Run[] = [];
  let first = start;
  for (let place = start + 1; place <= end; place++) {
    const isAlike = place < end && keys.areAlike(positions[first] ?? 0, positions[place] ?? 0);
    if (isAlike) continue;
    if (place - first > 1) found.push({ start: first, end: place });
    first = place;
  }
  return found;
}
