import type { Steps } from './turns.ts';

/** Of these a step sorts so many. */
const runLength = 256;

/** Texts in the order that `sort` gives them, by runs that are merged. */
export function* sortedInSteps(texts: Iterable<string>): Steps<string[]> {
  let from = [...texts];
  const ordered: string[] = [];
  for (let start = 0; start < from.length; start += runLength) {
    for (const text of from.slice(start, start + runLength).sort()) ordered.push(text);
    yield;
  }
  from = ordered;
  for (let width = runLength; width < from.length; width *= 2) from = yield* merged(from, width);
  return from;
}

/** Each two runs of this width made into one. */
function* merged(from: readonly string[], width: number): Steps<string[]> {
  const to: string[] = [];
  for (let start = 0; start < from.length; start += 2 * width) {
    const middle = Math.min(start + width, from.length);
    const end = Math.min(start + 2 * width, from.length);
    let [left, right] = [start, middle];
    while (left < middle || right < end) {
      const isLeft = right >= end || (left < middle && textAt(from, left) <= textAt(from, right));
      to.push(textAt(from, isLeft ? left++ : right++));
      yield;
    }
  }
  return to;
}

function textAt(texts: readonly string[], index: number): string {
  return texts[index] ?? '';
}
