import type { ConsumerGroup } from './consumerGroup.ts';

/** What Kafka goes by though a member's request may just have changed it. */
export interface Beforehand {
  /** Of the member that the request brings into the group. */
  readonly joiningId: string | undefined;
  /** All members read the same, for who does not look anew at what they read. */
  readonly isHomogeneous: boolean;
  /** Nobody had this instance id, so that no target is found by it. [ConsumerGroup.targetAssignment] */
  readonly isNewInstance: boolean;
}

/** To be called before anything of the request is recorded. */
export function beforehand(
  group: ConsumerGroup,
  { memberId, instanceId }: { memberId: string; instanceId: string | null },
): Beforehand {
  const isTargetStale = group.target.latest.epoch < group.epoch.latest.epoch;
  return {
    joiningId: group.members.has(memberId) ? undefined : memberId,
    // Takes as long as there are topics, and counts only where this is left to be assigned.
    isHomogeneous: isTargetStale && group.notedHomogeneous,
    isNewInstance: instanceId !== null && group.staticMember(instanceId) === undefined,
  };
}
