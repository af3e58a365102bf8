import type { Uuid } from '../../../base/uuid.ts';
import type { Assignment } from '../consumer/assignment.ts';

/** What an assignor is told of a member. */
export interface MemberSpec {
  /** Set for static members. */
  readonly instanceId: string | null;
  /** The topics that it subscribes to and that are there. */
  readonly topicIds: ReadonlySet<Uuid>;
  /** What it was to have so far. */
  readonly assignment: Assignment;
}

/** What an assignor is told of a group. [GroupSpec, SubscribedTopicDescriber] */
export interface GroupSpec {
  readonly members: ReadonlyMap<string, MemberSpec>;
  /** All members subscribe to the same topics, as far as the group has noted. */
  readonly isHomogeneous: boolean;
  /** How many partitions a topic that a member subscribes to has. */
  readonly partitionCount: (topicId: Uuid) => number;
}

/** Decides who is to have what, by member id. [ConsumerGroupPartitionAssignor] */
export type Assignor = (group: GroupSpec) => Map<string, Assignment>;

/** An assignment that is being worked on. */
export type Draft = Map<Uuid, Set<number>>;

export function draftOf(assignment: Assignment): Draft {
  return new Map([...assignment].map(([topicId, partitions]) => [topicId, new Set(partitions)]));
}

export function addTo(draft: Draft, topicId: Uuid, partition: number): void {
  const partitions = draft.get(topicId);
  if (partitions === undefined) draft.set(topicId, new Set([partition]));
  else partitions.add(partition);
}

export function removeFrom(draft: Draft, topicId: Uuid, partition: number): void {
  const partitions = draft.get(topicId);
  partitions?.delete(partition);
  if (partitions?.size === 0) draft.delete(topicId);
}
