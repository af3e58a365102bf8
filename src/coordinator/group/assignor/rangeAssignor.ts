import type { Uuid } from '../../../base/uuid.ts';
import type { Assignment } from '../consumer/assignment.ts';
import type { GroupSpec, MemberSpec } from './groupSpec.ts';

/** How a topic's partitions are dealt out. */
interface Dealing {
  readonly partitionCount: number;
  memberCount: number;
  /** Members so far that got their share. */
  served: number;
  /** The first partition that nobody has. */
  next: number;
}

/**
 * Each topic's partitions go in ranges to the members that subscribe to it, in the order of their ids, static ones
 * first: topics of as many partitions end up together. What members had before does not count. [RangeAssignor]
 */
export function rangeAssignor(group: GroupSpec): Map<string, Assignment> {
  const readers = readersOf(group);
  const dealings = new Map<Uuid, Dealing>();
  for (const { topicIds } of readers) {
    for (const topicId of topicIds) dealingOf(group, dealings, topicId).memberCount++;
  }
  return new Map(
    readers.map(({ memberId, topicIds }) => [
      memberId,
      new Map(
        [...topicIds]
          .map((topicId) => [topicId, nextRange(dealingOf(group, dealings, topicId))] as const)
          .filter(([, partitions]) => partitions.size > 0),
      ),
    ]),
  );
}

/** Where all are said to subscribe to the same, only the first is asked what that is. */
function readersOf({ members, isHomogeneous }: GroupSpec) {
  const sorted = [...members].sort(byInstanceThenMember);
  const shared = isHomogeneous ? sorted[0]?.[1].topicIds : undefined;
  return sorted.map(([memberId, { topicIds }]) => ({ memberId, topicIds: shared ?? topicIds }));
}

function dealingOf(group: GroupSpec, dealings: Map<Uuid, Dealing>, topicId: Uuid): Dealing {
  let dealing = dealings.get(topicId);
  if (dealing === undefined) {
    const partitionCount = group.partitionCount(topicId);
    dealings.set(topicId, (dealing = { partitionCount, memberCount: 0, served: 0, next: 0 }));
  }
  return dealing;
}

/** The first members get one more where the partitions do not divide evenly. */
function nextRange(dealing: Dealing): Set<number> {
  const { partitionCount, memberCount, next } = dealing;
  const hasExtra = dealing.served++ < partitionCount % memberCount;
  const size = Math.floor(partitionCount / memberCount) + Number(hasExtra);
  dealing.next += size;
  return new Set(Array.from({ length: size }, (_, index) => next + index));
}

type Entry = readonly [memberId: string, spec: MemberSpec];

function byInstanceThenMember([oneId, one]: Entry, [otherId, other]: Entry): number {
  if (one.instanceId !== null && other.instanceId !== null) {
    return compare(one.instanceId, other.instanceId);
  }
  if (one.instanceId !== null) return -1;
  return other.instanceId === null ? compare(oneId, otherId) : 1;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
