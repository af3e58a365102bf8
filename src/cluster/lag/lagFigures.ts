/** What a group's lag comes to. Nothing here asks anyone. */
import type { IsolationLevel } from '../../client/admin/listOffsets.ts';
import type { TopicPartition } from '../../client/partitionMap.ts';
import type { GroupMember, PartitionOffsets, Problem, Readable } from '../model.ts';

/** Where a group is on a partition, where the partition ends, and who reads it. */
export interface LagPosition extends TopicPartition {
  /** Null: no commit, or one that could not be read. */
  readonly committed: bigint | null;
  /** Why the commit could not be read. */
  readonly commitProblem?: Problem;
  readonly offsets: Readable<PartitionOffsets>;
  /** The member that the partition is assigned to. */
  readonly owner?: GroupMember;
}

/** Where consumers of an isolation level stop: the high watermark, or the last stable offset. */
export function endOf({ offsets }: LagPosition, isolation: IsolationLevel): bigint | undefined {
  if ('problem' in offsets) return undefined;
  const { lastStable, highWatermark } = offsets.value;
  return isolation === 'read_committed' ? lastStable : highWatermark;
}

/**
 * `end - committed`, not floored, as kafka-consumer-groups has it; null where one of them is not known.
 * [ConsumerGroupCommand.getLag]
 */
export function lagOf(position: LagPosition, isolation: IsolationLevel): bigint | null {
  const end = endOf(position, isolation);
  return position.committed === null || end === undefined ? null : end - position.committed;
}

/**
 * Over the lags that are known; null if none is. A commit past the end is no lag of less than nothing: it would hide
 * what other partitions are behind.
 */
export function sumOfLags(lags: Iterable<bigint | null>): bigint | null {
  let total: bigint | null = null;
  for (const lag of lags) if (lag !== null) total = (total ?? 0n) + (lag > 0n ? lag : 0n);
  return total;
}

export interface LagTotals {
  /** The sum of lags. */
  readonly total: bigint | null;
  readonly max: (TopicPartition & { readonly lag: bigint }) | null;
}

export function totalsOf(positions: readonly LagPosition[], isolation: IsolationLevel): LagTotals {
  let max: LagTotals['max'] = null;
  for (const position of positions) {
    const lag = lagOf(position, isolation);
    if (lag === null) continue;
    const { topic, partition } = position;
    if (max === null || lag > max.lag) max = { topic, partition, lag };
  }
  return { total: sumOfLags(positions.map((of) => lagOf(of, isolation))), max };
}
