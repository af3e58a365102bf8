import { PartitionMap } from '../../client/partitionMap.ts';
import type { ServedPosition } from '../embedded/embeddedControl.ts';
import type { LagPosition } from './lagFigures.ts';

/**
 * Up to where the members of a group have been sent their partitions. A fetch says neither its group nor its
 * member: the member that has the partition is known by client id and host. Where several connections of one
 * client read it, for two groups perhaps, nothing is said.
 */
export function servedOf(
  positions: readonly LagPosition[],
  served: readonly ServedPosition[],
): PartitionMap<bigint> {
  const byClient = Map.groupBy(served, keyOf);
  const result = new PartitionMap<bigint>();
  for (const { topic, partition, owner } of positions) {
    if (!owner) continue;
    const { clientId, host: clientHost } = owner;
    const theirs = byClient.get(keyOf({ clientId, clientHost, topic, partition })) ?? [];
    const offsets = new Set(theirs.map(({ offset }) => offset));
    const [offset] = offsets;
    if (offset !== undefined && offsets.size === 1) result.set(topic, partition, offset);
  }
  return result;
}

function keyOf({ clientId, clientHost, topic, partition }: Omit<ServedPosition, 'offset'>): string {
  return JSON.stringify([clientId, clientHost, topic, partition]);
}
