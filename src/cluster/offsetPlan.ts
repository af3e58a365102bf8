/** Resetting a group's offsets: what would change, in words, before anything does. As `kafka-consumer-groups`. */

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
  readonly effect: string;
  readonly warning?: string;
}

/** The plan of a scenario, in the order of `positions`. */
export function planOffsets(
  _scenario: ResetScenario,
  _positions: readonly PartitionPosition[],
): PlannedOffset[] {
  throw new Error('not there yet');
}
