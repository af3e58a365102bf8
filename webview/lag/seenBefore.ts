/**
 * What the panel showed before the window was reloaded. The extension's own history ends with its process, so the page
 * keeps a thinned copy of what it shows, and puts it before what has been seen since.
 */
import type { Isolation, LagPoint, LagSeries, SeenSeries } from '../../src/shared/contracts/lag.ts';

/** Points that are kept are so far apart: an hour of them is 360. */
const stepMs = 10_000;

export interface SeenNow {
  readonly isolation: Isolation;
  readonly sinceMs: number;
  readonly total: readonly LagPoint[];
  readonly partitions: readonly LagSeries[];
}

/** What was seen at the same isolation, and then what is seen now. */
export function withSeenBefore(before: SeenSeries | undefined, now: SeenNow): SeenNow {
  if (before?.isolation !== now.isolation) return now;
  const join = (
    earlier: readonly LagPoint[] | undefined,
    points: readonly LagPoint[],
  ): LagPoint[] => {
    const startMs = points[0]?.[0] ?? Infinity;
    const kept = (earlier ?? []).filter(([atMs]) => atMs >= now.sinceMs && atMs < startMs);
    return [...kept, ...points];
  };
  return {
    ...now,
    total: join(before.total, now.total),
    partitions: now.partitions.map((series) => {
      const { topic, partition, points } = series;
      const earlier = before.partitions.find(
        (each) => each.topic === topic && each.partition === partition,
      );
      return { ...series, points: join(earlier?.points, points) };
    }),
  };
}

/** What is kept of it. */
export function toKeep({ isolation, total, partitions }: SeenNow): SeenSeries {
  return {
    isolation,
    total: thinned(total),
    partitions: partitions.map((series) => ({ ...series, points: thinned(series.points) })),
  };
}

function thinned(points: readonly LagPoint[]): LagPoint[] {
  let lastMs = -Infinity;
  return points.filter(([atMs]) => {
    if (atMs - lastMs < stepMs) return false;
    lastMs = atMs;
    return true;
  });
}
