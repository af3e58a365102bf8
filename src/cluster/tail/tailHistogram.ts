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
  const whole = spanOf(all);
  const span = within ?? (whole && usualSpan(all, whole));
  if (!span) return undefined;
  const { fromMs, binMs, count } = binsOf(span);
  const limits = within ?? { fromMs, toMs: fromMs + binMs * count };
  const tally = (times: Iterable<number>): Tally => {
    const tallied = { bins: new Array<number>(count).fill(0), untimed: 0, earlier: 0, later: 0 };
    const { bins } = tallied;
    for (const time of times) {
      if (Number.isNaN(time)) tallied.untimed++;
      else if (time < limits.fromMs) tallied.earlier++;
      else if (time >= limits.toMs) tallied.later++;
      else {
        const bin = Math.floor((time - fromMs) / binMs);
        bins[bin] = (bins[bin] ?? 0) + 1;
      }
    }
    return tallied;
  };
  const { bins, untimed, earlier, later } = tally(all);
  const beyond = !within && whole;
  return {
    ...{ fromMs, binMs, all: bins, untimed },
    ...(shown && { shown: tally(shown).bins }),
    ...(beyond && earlier > 0 && { earlier: { count: earlier, fromMs: whole.fromMs } }),
    ...(beyond && later > 0 && { later: { count: later, toMs: whole.toMs } }),
  };
}

interface Tally {
  readonly bins: number[];
  readonly untimed: number;
  readonly earlier: number;
  readonly later: number;
}

/** Of more rows than this a sample tells which times are usual. */
const sampleMax = 2000;
/** In fewer, none is out of the usual. */
const sampleMin = 10;
/** Where all take so many times as long as all but the hundredth at either end, that is left out. */
const farTimes = 10;

/** Where nearly all rows are of, with some room: a single one of another year would make one bar of all others. */
function usualSpan(times: Float64Array, whole: TimeSpan): TimeSpan {
  const step = Math.ceil(times.length / sampleMax);
  const sample = times.filter((time, index) => index % step === 0 && !Number.isNaN(time)).sort();
  if (sample.length < sampleMin) return whole;
  const aside = Math.max(1, Math.floor(sample.length / 100));
  const from = sample[aside] ?? whole.fromMs;
  const to = sample[sample.length - 1 - aside] ?? whole.toMs;
  const usualMs = Math.max(to - from, secondMs);
  if (whole.toMs - whole.fromMs <= usualMs * farTimes) return whole;
  return {
    fromMs: Math.max(whole.fromMs, from - usualMs / 2),
    toMs: Math.min(whole.toMs, to + usualMs / 2),
  };
}

/** From the first to the last; undefined: none has a time. */
function spanOf(times: Float64Array): TimeSpan | undefined {
  let fromMs = Infinity;
  let lastMs = -Infinity;
  for (const time of times) {
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
