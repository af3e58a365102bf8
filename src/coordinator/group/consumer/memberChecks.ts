import type { GroupState } from '../groupState.ts';
import { RefusedError } from '../../runtime/decision.ts';
import type { OwnedPartitions, TopicPartitions } from './assignment.ts';
import type { ConsumerGroup } from './consumerGroup.ts';
import { type ConsumerGroupMember, joinEpoch } from './consumerGroupMember.ts';

/** Each throws why a request is not for this member; the words are Kafka's. [GroupMetadataManager.throwIf...] */

/** Who is a member already, or comes back as a static one, does not make the group larger. */
export function refuseIfFull(
  { config }: GroupState,
  group: ConsumerGroup,
  { memberId, instanceId }: { memberId: string; instanceId: string | null },
): void {
  const { maxGroupSize } = config.consumer;
  if (group.staticMember(instanceId) !== undefined) return;
  if (group.members.size < maxGroupSize || group.members.has(memberId)) return;
  throw new RefusedError(
    'GROUP_MAX_SIZE_REACHED',
    `The consumer group has reached its maximum capacity of ${maxGroupSize} members.`,
  );
}

export function knownMember(group: ConsumerGroup, memberId: string): ConsumerGroupMember {
  const member = group.members.get(memberId);
  if (member !== undefined) return member;
  throw new RefusedError(
    'UNKNOWN_MEMBER_ID',
    `Member ${memberId} is not a member of group ${group.groupId}.`,
  );
}

export function knownStaticMember(
  group: ConsumerGroup,
  { memberId, instanceId }: { memberId: string; instanceId: string },
): ConsumerGroupMember {
  const member = group.staticMember(instanceId);
  if (member === undefined) {
    throw new RefusedError('UNKNOWN_MEMBER_ID', `Instance id ${instanceId} is unknown.`);
  }
  if (member.memberId !== memberId) {
    throw new RefusedError(
      'FENCED_INSTANCE_ID',
      `Static member ${memberId} with instance id ${instanceId} ` +
        `was fenced by member ${member.memberId}.`,
    );
  }
  return member;
}

/**
 * A member at the epoch before its present one may not have got the answer that moved it on: it is let through if
 * it has no more than it may have.
 */
export function refuseWrongEpoch(
  member: ConsumerGroupMember,
  memberEpoch: number,
  reported: readonly TopicPartitions[] | null,
): void {
  if (memberEpoch === joinEpoch || memberEpoch === member.memberEpoch) return;
  if (memberEpoch > member.memberEpoch) throw fenced('greater', memberEpoch, member);
  const isPrevious = memberEpoch === member.previousMemberEpoch;
  if (!isPrevious || !isWithin(reported, member.assigned)) {
    throw fenced('smaller', memberEpoch, member);
  }
}

function fenced(relation: string, memberEpoch: number, member: ConsumerGroupMember): RefusedError {
  return new RefusedError(
    'FENCED_MEMBER_EPOCH',
    `The consumer group member has a ${relation} member epoch (${memberEpoch}) than the one known ` +
      `by the group coordinator (${member.memberEpoch}). ` +
      'The member must abandon all its partitions and rejoin.',
  );
}

function isWithin(reported: readonly TopicPartitions[] | null, assigned: OwnedPartitions): boolean {
  if (reported === null) return false;
  return reported.every(({ topicId, partitions }) => {
    const own = assigned.get(topicId);
    return own !== undefined && partitions.every((partition) => own.has(partition));
  });
}
