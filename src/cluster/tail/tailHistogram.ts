import type { TailHistogram } from '../../shared/contracts/tailHistogram.ts';
import type { TimeSpan } from '../../shared/contracts/tailQuery.ts';

/** As many as can be told apart across a panel. */
const binsMax = 120;
const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Widths that people count in; beyond them ten times as much. */
const widthsMs = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * dayMs),
];

interface Counted {
  /** Of all rows that are held. */
  readonly all: Float64Array;
  /** Of those that a filter lets through; left out where there is none. */
  readonly shown?: Iterable<number>;
  /** Looked at alone. */
  readonly within?: TimeSpan | undefined;
}

/** How many rows are of which time, in bins as narrow as their greatest number allows. */
export function countByTime({ all, shown, within }: Counted): TailHistogram | undefined {
  const span = within ?? usualSpan(all);
  if (!span) return undefined;
  const { fromMs, binMs, count } = binsOf(span);
  const bins = (times: Iterable<number>): number[] => {
    const counts = new Array<number>(count).fill(0);
    for (const time of times) {
      if (!(time >= span.fromMs && time < span.toMs)) continue;
      const bin = Math.floor((time - fromMs) / binMs);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return counts;
  };
  const { untimed, earlier, later } = leftOut(all, span);
  return {
    ...{ fromMs, binMs, firstMs: span.fromMs, lastMs: within ? within.toMs : span.toMs - 1 },
    ...{ all: bins(all), untimed },
    ...(shown && { shown: bins(shown) }),
    ...(!within && earlier.count > 0 && { earlier }),
    ...(!within && later.count > 0 && { later }),
  };
}

interface Beyond extends TimeSpan {
  readonly count: number;
}

/** What is in none of the bins. */
function leftOut(
  times: Float64Array,
  { fromMs, toMs }: TimeSpan,
): { untimed: number; earlier: Beyond; later: Beyond } {
  let untimed = 0;
  const earlier = { count: 0, fromMs: Infinity, toMs: -Infinity };
  const later = { ...earlier };
  for (const time of times) {
    if (Number.isNaN(time)) {
      untimed++;
    } else if (time < fromMs || time >= toMs) {
      const beyond = time < fromMs ? earlier : later;
      beyond.count++;
      if (time < beyond.fromMs) beyond.fromMs = time;
      if (time >= beyond.toMs) beyond.toMs = time + 1;
    }
  }
  return { untimed, earlier, later };
}

/** Of more rows than this a sample tells which times are usual. */
const sampleMax = 2000;
/** In fewer, none is out of the usual. */
const sampleMin = 10;
/** So many at either end may be far from all others: a part of them, and two in any case. */
const farPart = 0.05;
const farLeast = 2;
/** Those are far that are as many times farther away as all the others are from each other. */
const farTimes = 5;

/** Where nearly all rows are of: a few of another year would make one bar of all others. Ends where rows are. */
function usualSpan(times: Float64Array): TimeSpan | undefined {
  const step = Math.ceil(times.length / sampleMax);
  const sample = times.filter((time, index) => index % step === 0 && !Number.isNaN(time)).sort();
  if (sample.length < sampleMin) return spanOf(times);
  const aside = Math.max(farLeast, Math.floor(sample.length * farPart));
  const from = sample[aside] ?? -Infinity;
  const to = sample[sample.length - 1 - aside] ?? Infinity;
  const farMs = Math.max(to - from, secondMs) * farTimes;
  return spanOf(times, { fromMs: from - farMs, toMs: to + farMs });
}

/** From the first to the last of those in a span; undefined: none of them has a time. */
function spanOf(
  times: Float64Array,
  within: TimeSpan = { fromMs: -Infinity, toMs: Infinity },
): TimeSpan | undefined {
  let fromMs = Infinity;
  let lastMs = -Infinity;
  for (const time of times) {
    if (time < within.fromMs || time > within.toMs) continue;
    if (time < fromMs) fromMs = time;
    if (time > lastMs) lastMs = time;
  }
  return fromMs <= lastMs ? { fromMs, toMs: lastMs + 1 } : undefined;
}

/** Bins begin at whole multiples of their width, so that they stand still while the span grows. */
function binsOf({ fromMs, toMs }: TimeSpan): { fromMs: number; binMs: number; count: number } {
  const fits = (binMs: number): boolean => countOf(binMs) <= binsMax;
  const countOf = (binMs: number): number => Math.ceil(toMs / binMs) - Math.floor(fromMs / binMs);
  let binMs = widthsMs.find(fits) ?? 1000 * dayMs;
  while (!fits(binMs)) binMs *= 10;
  return { fromMs: Math.floor(fromMs / binMs) * binMs, binMs, count: countOf(binMs) };
}
