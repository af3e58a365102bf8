import { assert } from '../../../base/assert.ts';
import type { Uuid } from '../../../base/uuid.ts';
import type { Assignment } from '../consumer/assignment.ts';
import { addTo, type Draft, draftOf, type GroupSpec, removeFrom } from './groupSpec.ts';
import { inOrderOfTopics, inOrderOfTopicsCopied } from '../../javaOrder.ts';

interface TopicPartition {
  readonly topicId: Uuid;
  readonly partition: number;
}

/** A member that may get more. */
interface Unfilled {
  readonly draft: Draft;
  readonly room: number;
}

/** How much each member may have: the minimum, and for some one more. */
interface Quota {
  readonly minimum: number;
  extras: number;
  /** Members whose share is not settled yet. */
  undecided: number;
}

/**
 * For members that subscribe to the same topics: each keeps what it had up to its share; the rest goes to those
 * with room. [UniformHomogeneousAssignmentBuilder]
 */
export function assignHomogeneous(group: GroupSpec): Map<string, Assignment> {
  const [first] = group.members.values();
  const topicIds = first?.topicIds ?? new Set<Uuid>();
  if (topicIds.size === 0) return new Map();
  const { free, totalCount } = freePartitions(group, topicIds);
  const memberCount = group.members.size;
  const quota: Quota = {
    minimum: Math.floor(totalCount / memberCount),
    extras: totalCount % memberCount,
    undecided: memberCount,
  };
  const drafts = new Map<string, Draft>();
  const unfilled: Unfilled[] = [];
  for (const [memberId, { assignment }] of group.members) {
    const draft = draftOf(assignment);
    drafts.set(memberId, draft);
    const room = trim(draft, topicIds, quota, free);
    if (room > 0) unfilled.push({ draft, room });
  }
  fill(unfilled, free);
  return drafts;
}

function freePartitions(group: GroupSpec, topicIds: ReadonlySet<Uuid>) {
  const taken = new Map<Uuid, Set<number>>();
  for (const { assignment } of group.members.values()) {
    for (const [topicId, partitions] of assignment) {
      for (const partition of partitions) addTo(taken, topicId, partition);
    }
  }
  const free: TopicPartition[] = [];
  let totalCount = 0;
  for (const topicId of inOrderOfTopicsCopied(topicIds)) {
    const partitionCount = group.partitionCount(topicId);
    totalCount += partitionCount;
    for (let partition = 0; partition < partitionCount; partition++) {
      if (!taken.get(topicId)?.has(partition)) free.push({ topicId, partition });
    }
  }
  return { free, totalCount };
}

/** Takes from a member what it subscribes to no more and what is above its share; returns what it has room for. */
function trim(
  draft: Draft,
  topicIds: ReadonlySet<Uuid>,
  quota: Quota,
  free: TopicPartition[],
): number {
  let takesExtra = quota.extras > 0;
  let room = quota.minimum + Number(takesExtra);
  for (const topicId of inOrderOfTopics(draft.keys())) {
    const partitions = draft.get(topicId) ?? new Set<number>();
    if (!topicIds.has(topicId)) {
      draft.delete(topicId);
      continue;
    }
    for (const partition of [...partitions]) {
      if (room > 0) room--;
      else {
        removeFrom(draft, topicId, partition);
        free.push({ topicId, partition });
      }
    }
  }
  // One that does not have its extra partition leaves it to a later member, as long as there are enough of them.
  if (room > 0 && takesExtra && quota.undecided > quota.extras) {
    room--;
    takesExtra = false;
  }
  quota.undecided--;
  if (takesExtra) quota.extras--;
  return room;
}

function fill(unfilled: readonly Unfilled[], free: readonly TopicPartition[]): void {
  let next = 0;
  for (const { draft, room } of unfilled) {
    for (const { topicId, partition } of free.slice(next, next + room)) {
      addTo(draft, topicId, partition);
    }
    next += room;
  }
  assert(next >= free.length, 'every partition has found a member');
}
