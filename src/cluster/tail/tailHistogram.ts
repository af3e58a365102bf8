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
  const span = within ?? spanOf(all);
  if (!span) return undefined;
  const { fromMs, binMs, count } = binsOf(span);
  const toMs = within?.toMs ?? Infinity;
  const tally = (times: Iterable<number>): { bins: number[]; untimed: number } => {
    const bins = new Array<number>(count).fill(0);
    let untimed = 0;
    for (const time of times) {
      if (Number.isNaN(time)) untimed++;
      else if (time >= span.fromMs && time < toMs) {
        const bin = Math.floor((time - fromMs) / binMs);
        bins[bin] = (bins[bin] ?? 0) + 1;
      }
    }
    return { bins, untimed };
  };
  const { bins, untimed } = tally(all);
  return { fromMs, binMs, all: bins, untimed, ...(shown && { shown: tally(shown).bins }) };
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
