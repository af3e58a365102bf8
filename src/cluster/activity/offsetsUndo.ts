import { describeGroup } from '../../client/admin/groups.ts';
import { inOrder, PartitionMap, type TopicPartition } from '../../client/partitionMap.ts';
import type { ClusterSession } from '../clusterSession.ts';
import { committedOn, readCommits } from '../offsets/groupPositions.ts';
import { assertInactive, type EarlierOffset, type ResetRow } from '../offsets/offsetReset.ts';
import type { OffsetChange } from './change.ts';

/** A commit that is not what the change left: somebody has committed, or deleted, since. */
export interface ChangedSince extends TopicPartition {
  readonly left: bigint | null;
  readonly now: bigint | null;
}

/** What taking a change of offsets back would do now. */
export interface OffsetsUndo {
  /** With the commits as they are now: a reset that finds others is refused. */
  readonly rows: readonly ResetRow[];
  readonly changedSince: readonly ChangedSince[];
  /** Partitions of which it is not kept how the change left them. */
  readonly unknownCount: number;
}

/**
 * Compares the group with what the change left, and plans the way back. Rejects, in words, where the group has
 * members: Kafka would refuse.
 */
export function planOffsetsUndo(
  session: ClusterSession,
  group: string,
  {
    earlier,
    left,
  }: { readonly earlier: readonly EarlierOffset[]; readonly left: readonly OffsetChange[] },
): Promise<OffsetsUndo> {
  return session.use(async (client) => {
    assertInactive(await describeGroup(client, group));
    const commits = await readCommits(client, group);
    const known = new PartitionMap<bigint | null>();
    for (const { topic, partition, after } of left) {
      known.set(topic, partition, after === null ? null : BigInt(after));
    }
    const rows = earlier
      .toSorted(inOrder)
      .map(({ topic, partition, offset, ...kept }): ResetRow => {
        const committed = committedOn(commits, { topic, partition })?.offset ?? null;
        return { topic, partition, committed, target: offset, kept };
      });
    const leftOf = (row: ResetRow): bigint | null | undefined =>
      known.get(row.topic, row.partition);
    return {
      rows,
      changedSince: rows.flatMap((row): ChangedSince[] => {
        const { topic, partition, committed: now, target } = row;
        const was = leftOf(row);
        if (was === undefined || now === was || now === target) return [];
        return [{ topic, partition, left: was, now }];
      }),
      unknownCount: rows.filter((row) => leftOf(row) === undefined).length,
    };
  });
}
