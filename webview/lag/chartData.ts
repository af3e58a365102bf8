/** Series of a lag as charts and tables take them. Nothing here touches the page. */
import { t } from '../../src/base/l10n.ts';
import type { LagPoint } from '../../src/shared/contracts/lag.ts';

/** Between points further apart than this nothing is drawn: nobody looked. */
const longestStepMs = 60_000;

export interface NamedPoints {
  readonly name: string;
  readonly points: readonly LagPoint[];
}

type Value = number | null | undefined;

/** Times in seconds, then the values of each series: null where there is none, undefined between two points. */
export type Columns = [number[], ...Value[][]];

/** Puts series side by side at the times that any of them has. */
export function columnsOf(
  series: readonly NamedPoints[],
  valueOf: (point: LagPoint) => number | null,
): Columns {
  const times = withPauses(timesOf(series));
  const columns = series.map(({ points }) => {
    const values = new Map(points.map((point) => [point[0], valueOf(point)]));
    return times.map(({ atMs, isPause }) => (isPause ? null : values.get(atMs)));
  });
  return [times.map(({ atMs }) => atMs / 1000), ...columns];
}

export function timesOf(series: readonly NamedPoints[]): number[] {
  const times = new Set(series.flatMap(({ points }) => points.map(([atMs]) => atMs)));
  return [...times].sort((a, b) => a - b);
}

interface Time {
  readonly atMs: number;
  readonly isPause: boolean;
}

function withPauses(times: readonly number[]): Time[] {
  return times.flatMap((atMs, index) => {
    const before = times[index - 1];
    const isAfterPause = before !== undefined && atMs - before > longestStepMs;
    return [
      ...(isAfterPause ? [{ atMs: (atMs + before) / 2, isPause: true }] : []),
      { atMs, isPause: false },
    ];
  });
}

/** Which values have none beside them that a line could lead to. */
export function aloneIn(values: readonly Value[]): number[] {
  const known = values.flatMap((value, index) => (value === undefined ? [] : [{ value, index }]));
  const isLine = (at: number): boolean => typeof known[at]?.value === 'number';
  return known.flatMap(({ index }, at) =>
    isLine(at) && !isLine(at - 1) && !isLine(at + 1) ? [index] : [],
  );
}

export function lagValue([, lag]: LagPoint): number | null {
  return lag === null ? null : Number(lag);
}

export interface HistoryTable {
  readonly titles: readonly string[];
  /** The newest first. Figures are exact; empty where there is none. */
  readonly rows: readonly (readonly [atMs: number, ...figures: string[]])[];
}

/** What the charts show, as rows: the first series has rates too. */
export function historyTable(series: readonly NamedPoints[]): HistoryTable {
  const byTime = series.map(({ points }) => new Map(points.map((point) => [point[0], point])));
  const rows = timesOf(series)
    .reverse()
    .map((atMs): [number, ...string[]] => {
      const [, , produced = null, consumed = null] = byTime[0]?.get(atMs) ?? [];
      const lags = byTime.map((points) => points.get(atMs)?.[1] ?? '');
      return [atMs, ...lags, rateFigure(produced), rateFigure(consumed)];
    });
  const lags = series.map(({ name }) => t('Lag, {0}', name));
  return { titles: [t('Time'), ...lags, t('Produced/s'), t('Consumed/s')], rows };
}

function rateFigure(rate: number | null): string {
  return rate === null ? '' : rate.toFixed(1);
}

/** For pasting: times as ISO 8601, cells parted by tabs. */
export function tableText({ titles, rows }: HistoryTable): string {
  const lines = rows.map(([atMs, ...figures]) => [new Date(atMs).toISOString(), ...figures]);
  return [titles, ...lines].map((cells) => cells.join('\t')).join('\n');
}
