/**
 * Resetting a group's offsets: what would change, in words, before anything does. The targets are those
 * of `kafka-consumer-groups --reset-offsets`. [ConsumerGroupCommand, OffsetsUtils]
 */
import { t } from '../../base/l10n.ts';
import type { PartitionMap, TopicPartition } from '../../client/partitionMap.ts';
import { counted } from '../../shared/counted.ts';
import { groupThousands } from '../../shared/numbers.ts';

/** A scenario whose targets follow from the partition and the group's own commit. */
export type PlanScenario =
  | { readonly kind: 'earliest' | 'latest' | 'current' }
  | { readonly kind: 'offset'; readonly offset: bigint }
  | { readonly kind: 'shift'; readonly by: bigint }
  /** Milliseconds since the epoch. */
  | { readonly kind: 'time'; readonly timestamp: bigint }
  /** One for each partition: from a file, typed by hand, or another group's. */
  | { readonly kind: 'offsets'; readonly offsets: PartitionMap<bigint> }
  /** As it was once, whether in range or not; null: without a commit. */
  | { readonly kind: 'restore'; readonly offsets: PartitionMap<bigint | null> }
  /** The commits go. */
  | { readonly kind: 'delete' };

/** What is known of a partition before planning. */
export interface PartitionPosition extends TopicPartition {
  /** Null: the group has no commit here. */
  readonly committed: bigint | null;
  readonly logStart: bigint;
  readonly lastStable: bigint;
  readonly highWatermark: bigint;
  /** The first offset at or after the scenario's time; null: no record is that late. Only for `time`. */
  readonly offsetForTime?: bigint | null;
}

export interface PlannedOffset extends TopicPartition {
  readonly committed: bigint | null;
  readonly end: bigint;
  /** Null: the group is left without a commit. */
  readonly target: bigint | null;
  /** `target - committed`; null without a commit before or after. */
  readonly delta: bigint | null;
  /** What it means, in a sentence: "skips up to 550 records". */
  readonly effect: string;
  /** A clamp or another thing to know before agreeing. */
  readonly warning?: string;
}

/** Why a partition has no place in a plan. */
export interface RefusedOffset extends TopicPartition {
  readonly reason: string;
}

type Target =
  { readonly offset: bigint | null; readonly warning?: string } | { readonly refusal: string };

/** What a scenario makes of a partition, or why it makes nothing of it. */
export function planOffset(
  scenario: PlanScenario,
  position: PartitionPosition,
): PlannedOffset | RefusedOffset {
  const target = targetOf(scenario, position);
  const { topic, partition } = position;
  if ('refusal' in target) return { topic, partition, reason: target.refusal };
  return plannedOffset(position, target.offset, target.warning);
}

function plannedOffset(
  position: PartitionPosition,
  target: bigint | null,
  warning: string | undefined,
): PlannedOffset {
  const { topic, partition, committed, highWatermark: end } = position;
  const warnings = [
    warning,
    outOfRangeWarning(target, position),
    openTransactionWarning(target, position),
  ].filter((text) => text !== undefined);
  return {
    topic,
    partition,
    committed,
    end,
    target,
    delta: committed === null || target === null ? null : target - committed,
    effect: effectOf(target, position),
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  };
}

function targetOf(scenario: PlanScenario, position: PartitionPosition): Target {
  const { topic, partition, committed, logStart, highWatermark } = position;
  switch (scenario.kind) {
    case 'earliest':
      return { offset: logStart };
    case 'latest':
      return { offset: highWatermark };
    case 'current':
      // Kafka does not clamp this one.
      return { offset: committed ?? highWatermark };
    case 'offset':
      return clamped(scenario.offset, position);
    case 'shift':
      if (committed === null) return { refusal: t('there is no commit to shift') };
      return clamped(committed + scenario.by, position);
    case 'time':
      return timeTarget(position);
    case 'offsets': {
      const wanted = scenario.offsets.get(topic, partition);
      return wanted === undefined
        ? { refusal: t('no offset is given') }
        : clamped(wanted, position);
    }
    case 'restore': {
      const earlier = scenario.offsets.get(topic, partition);
      return earlier === undefined ? { refusal: t('nothing is kept of it') } : { offset: earlier };
    }
    case 'delete':
      return { offset: null };
  }
}

function timeTarget({ offsetForTime, highWatermark }: PartitionPosition): Target {
  if (offsetForTime !== null && offsetForTime !== undefined) return { offset: offsetForTime };
  return { offset: highWatermark, warning: t('no record is that late: this is the end') };
}

/** An offset outside of the log becomes its nearer end; the end itself is inside. */
function clamped(offset: bigint, { logStart, highWatermark }: PartitionPosition): Target {
  if (offset < logStart) {
    const warning = t("{0} is before the log's start: clamped to the start", written(offset));
    return { offset: logStart, warning };
  }
  if (offset > highWatermark) {
    const warning = t('{0} is past the end: clamped to the end', written(offset));
    return { offset: highWatermark, warning };
  }
  return { offset };
}

/** Offsets are not records (compaction, markers and aborted data make gaps), so numbers are upper bounds. */
function effectOf(target: bigint | null, position: PartitionPosition): string {
  const { committed, logStart, highWatermark: end } = position;
  if (target === null) {
    return committed === null
      ? t('stays without a commit')
      : t('deletes the commit: the group starts where its auto.offset.reset says');
  }
  if (committed === null) {
    if (target === end) return t('starts at the end');
    return target > end
      ? t('starts past the end')
      : t('starts {0} before the end', written(end - target));
  }
  if (target === committed) return t('stays where it is');
  if (target > committed) {
    const skipped = smaller(target, end) - larger(committed, logStart);
    return skipped > 0n
      ? t('skips up to {0}', counted(skipped, 'record'))
      : t('skips nothing: there is no record between');
  }
  const repeated = smaller(committed, end) - larger(target, logStart);
  return repeated > 0n
    ? t('re-reads up to {0}', counted(repeated, 'record'))
    : t('comes back into the log');
}

/** Only what is not clamped gets there: the commit that stands, or an earlier one. */
function outOfRangeWarning(
  target: bigint | null,
  { logStart, highWatermark }: PartitionPosition,
): string | undefined {
  if (target === null || (target >= logStart && target <= highWatermark)) return undefined;
  return target < logStart
    ? t(
        "{0} is before the log's start: the group starts where its auto.offset.reset says",
        written(target),
      )
    : t('{0} is past the end: the group starts where its auto.offset.reset says', written(target));
}

/**
 * Past the last stable offset lie transactions that are still open. `--to-latest` goes there, and what
 * they commit afterwards is skipped.
 */
function openTransactionWarning(
  target: bigint | null,
  { lastStable, highWatermark }: PartitionPosition,
): string | undefined {
  if (target === null || target <= lastStable || lastStable >= highWatermark) return undefined;
  const skipped = written(target - lastStable);
  return t(
    'jumps over open transactions: up to {0} past the last stable offset {1}',
    skipped,
    written(lastStable),
  );
}

function written(offset: bigint): string {
  return groupThousands(offset).replace('-', '−');
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
