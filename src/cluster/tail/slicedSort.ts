import type { Slices } from '../../base/slices.ts';

export type Compare = (a: number, b: number) => number;

/** Sorted at once, and compared before the clock is looked at. */
const atOnce = 1024;

/** Sorts numbers from `start` up to `end`, not included, in slices. What compares as equal keeps its order. */
export async function sortInSlices(
  numbers: Uint32Array<ArrayBuffer>,
  { start, end }: { readonly start: number; readonly end: number },
  compare: Compare,
  slices: Slices,
): Promise<void> {
  for (let from = start; from < end; from += atOnce) {
    numbers.subarray(from, Math.min(from + atOnce, end)).sort(compare);
    if (slices.isOver) await slices.pause();
  }
  if (end - start <= atOnce) return;
  const part = numbers.subarray(start, end);
  let [from, to] = [part, new Uint32Array(part.length)];
  for (let width = atOnce; width < part.length; width *= 2) {
    for (let first = 0; first < part.length; first += 2 * width) {
      const middle = Math.min(first + width, part.length);
      await merge(
        { from, to, first, middle, end: Math.min(middle + width, part.length) },
        compare,
        slices,
      );
    }
    [from, to] = [to, from];
  }
  if (from !== part) part.set(from);
}

interface Merge {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly first: number;
  readonly middle: number;
  readonly end: number;
}

/** Two sorted neighbours become one. */
async function merge(
  { from, to, first, middle, end }: Merge,
  compare: Compare,
  slices: Slices,
): Promise<void> {
  let left = first;
  let right = middle;
  for (let place = first; place < end; place++) {
    const a = from[left] ?? 0;
    const b = from[right] ?? 0;
    const takesLeft = left < middle && (right >= end || compare(a, b) <= 0);
    to[place] = takesLeft ? a : b;
    if (takesLeft) left++;
    else right++;
    if (place % atOnce === 0 && slices.isOver) await slices.pause();
  }
}
