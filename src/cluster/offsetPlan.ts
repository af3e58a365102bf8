/**
 * Resetting a group's offsets: what would change, in words, before anything does. The targets are those
 * of `kafka-consumer-groups --reset-offsets`. [ConsumerGroupCommand, OffsetsUtils]
 */
import { groupThousands } from '../shared/numbers.ts';

export type ResetScenario =
  | { readonly kind: 'earliest' }
  | { readonly kind: 'latest' }
  | { readonly kind: 'offset'; readonly offset: bigint }
  /** Milliseconds since the epoch. */
  | { readonly kind: 'time'; readonly timestamp: bigint };

/** What is known of a partition before planning. */
export interface PartitionPosition {
  readonly topic: string;
  readonly partition: number;
  /** Null: the group has no commit here. */
  readonly committed: bigint | null;
  readonly logStart: bigint;
  readonly lastStable: bigint;
  readonly highWatermark: bigint;
  /** The first offset at or after the scenario's time; null: no record is that late. Only for `time`. */
  readonly offsetForTime?: bigint | null;
}

export interface PlannedOffset {
  readonly topic: string;
  readonly partition: number;
  readonly committed: bigint | null;
  readonly end: bigint;
  readonly target: bigint;
  /** `target - committed`; null without a commit. */
  readonly delta: bigint | null;
  /** What it means, in a sentence: "skips up to 550 records". */
  readonly effect: string;
  /** A clamp or another thing to know before agreeing. */
  readonly warning?: string;
}

interface Target {
  readonly offset: bigint;
  readonly warning?: string;
}

/** The plan of a scenario, in the order of `positions`. */
export function planOffsets(
  scenario: ResetScenario,
  positions: readonly PartitionPosition[],
): PlannedOffset[] {
  return positions.map((position) => {
    const { topic, partition, committed, highWatermark: end } = position;
    const { offset: target, warning } = targetOf(scenario, position);
    const warnings = [warning, openTransactionWarning(target, position)].filter(
      (text) => text !== undefined,
    );
    return {
      topic,
      partition,
      committed,
      end,
      target,
      delta: committed === null ? null : target - committed,
      effect: effectOf(target, position),
      ...(warnings.length > 0 && { warning: warnings.join('; ') }),
    };
  });
}

function targetOf(scenario: ResetScenario, position: PartitionPosition): Target {
  const { logStart, highWatermark, offsetForTime } = position;
  switch (scenario.kind) {
    case 'earliest':
      return { offset: logStart };
    case 'latest':
      return { offset: highWatermark };
    case 'offset':
      return clamped(scenario.offset, position);
    case 'time':
      if (offsetForTime !== null && offsetForTime !== undefined) return { offset: offsetForTime };
      return { offset: highWatermark, warning: 'no record is that late: this is the end' };
  }
}

/** An offset outside of the log becomes its nearer end; the end itself is inside. */
function clamped(offset: bigint, { logStart, highWatermark }: PartitionPosition): Target {
  if (offset < logStart) {
    const warning = `${groupThousands(offset)} is before the log's start: clamped to the start`;
    return { offset: logStart, warning };
  }
  if (offset > highWatermark) {
    const warning = `${groupThousands(offset)} is past the end: clamped to the end`;
    return { offset: highWatermark, warning };
  }
  return { offset };
}

/** Offsets are not records (compaction, markers and aborted data make gaps), so numbers are upper bounds. */
function effectOf(target: bigint, position: PartitionPosition): string {
  const { committed, logStart, highWatermark: end } = position;
  if (committed === null) {
    return target === end
      ? 'starts at the end'
      : `starts ${groupThousands(end - target)} before the end`;
  }
  if (target === committed) return 'stays where it is';
  if (target > committed) {
    const skipped = target - larger(committed, logStart);
    return skipped > 0n
      ? `skips up to ${records(skipped)}`
      : 'skips nothing: what lies between is deleted';
  }
  const repeated = smaller(committed, end) - target;
  return repeated > 0n ? `re-reads up to ${records(repeated)}` : 'comes back into the log';
}

/**
 * Past the last stable offset lie transactions that are still open. `--to-latest` goes there, and what
 * they commit afterwards is skipped.
 */
function openTransactionWarning(
  target: bigint,
  { lastStable, highWatermark }: PartitionPosition,
): string | undefined {
  if (target <= lastStable || lastStable >= highWatermark) return undefined;
  const skipped = groupThousands(target - lastStable);
  return `jumps over open transactions: up to ${skipped} past the last stable offset ${groupThousands(lastStable)}`;
}

function records(count: bigint): string {
  return count === 1n ? '1 record' : `${groupThousands(count)} records`;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
