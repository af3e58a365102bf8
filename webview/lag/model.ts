/** What the page works out of a sample: lag by isolation, totals, what is charted. Nothing here touches the page. */
import type { Isolation, LagGroup, LagPartition } from '../../src/shared/contracts/lag.ts';
import { chartedPartitions } from '../../src/shared/contracts/lag.ts';

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export function keyOf({ topic, partition }: TopicPartition): string {
  return `${partition}:${topic}`;
}

/** Where consumers of an isolation level stop; undefined: not known. */
export function endOf(row: LagPartition, isolation: Isolation): bigint | undefined {
  if (row.error) return undefined;
  return BigInt(isolation === 'read_committed' ? row.stable : row.end);
}

/** `end - committed`, not floored; undefined: not known. */
export function lagOf(row: LagPartition, isolation: Isolation): bigint | undefined {
  const end = endOf(row, isolation);
  return row.committed === null || end === undefined ? undefined : end - BigInt(row.committed);
}

/** Offsets that were deleted before the group read them. */
export function lostOf({ committed, logStart, error }: LagPartition): bigint {
  if (committed === null || error) return 0n;
  const lost = BigInt(logStart) - BigInt(committed);
  return lost > 0n ? lost : 0n;
}

export interface Totals {
  /** Over the partitions that have one; a commit past the end takes nothing away. Undefined if none has. */
  readonly lag: bigint | undefined;
  /** Partitions in which something waits that no commit says how much of is read. */
  readonly uncommitted: { readonly partitions: number; readonly waiting: bigint };
  readonly most: { readonly row: LagPartition; readonly lag: bigint } | undefined;
  /** The longest that is known; undefined: none is. */
  readonly longestMs: number | undefined;
}

export function totalsOf(rows: readonly LagPartition[], isolation: Isolation): Totals {
  let total: bigint | undefined;
  let most: Totals['most'];
  let longestMs: number | undefined;
  const uncommitted = { partitions: 0, waiting: 0n };
  for (const row of rows) {
    const lag = lagOf(row, isolation);
    if (lag !== undefined) {
      total = (total ?? 0n) + (lag > 0n ? lag : 0n);
      if (!most || lag > most.lag) most = { row, lag };
    }
    const waiting = waitingOf(row, isolation);
    if (waiting > 0n) {
      uncommitted.partitions++;
      uncommitted.waiting += waiting;
    }
    const ms = row.time.kind === 'known' ? row.time.lagMs : row.time.kind === 'none' ? 0 : -1;
    if (ms >= 0) longestMs = Math.max(longestMs ?? 0, ms);
  }
  return { lag: total, uncommitted, most, longestMs };
}

/** Offsets in a partition without a commit. Where the group starts in it, its auto.offset.reset says. */
function waitingOf(row: LagPartition, isolation: Isolation): bigint {
  const end = endOf(row, isolation);
  if (row.committed !== null || row.commitError || end === undefined) return 0n;
  return end - BigInt(row.logStart);
}

/** Seconds until the lag is gone at the present rates; undefined: it does not shrink, or that is not known. */
export function secondsToCatchUp(
  lag: bigint | undefined,
  { produced, consumed }: LagGroup['rates'],
): number | undefined {
  if (lag === undefined || lag <= 0n || produced === null || consumed === null) return undefined;
  const gain = consumed - produced;
  return gain > 0 ? Number(lag) / gain : undefined;
}

/**
 * The partition that a person looks at and those with the longest lag, in the order of the table. One without a
 * commit has no line, and would take a place in the legend from one that has.
 */
export function chartedOf(
  rows: readonly LagPartition[],
  isolation: Isolation,
  selected: string | undefined,
): TopicPartition[] {
  if (rows.length < 2) return [];
  const byLag = [...rows].sort((a, b) => compare(lagOf(b, isolation), lagOf(a, isolation)));
  const chosen = rows.find((row) => keyOf(row) === selected);
  const others = byLag.filter((row) => row !== chosen && lagOf(row, isolation) !== undefined);
  const charted = new Set([...(chosen ? [chosen] : []), ...others].slice(0, chartedPartitions));
  return rows
    .filter((row) => charted.has(row))
    .map(({ topic, partition }) => ({ topic, partition }));
}

function compare(a: bigint | undefined, b: bigint | undefined): number {
  if (a === b) return 0;
  return (a ?? -1n) < (b ?? -1n) ? -1 : 1;
}
