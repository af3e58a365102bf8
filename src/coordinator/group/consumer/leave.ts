import { type Decision, RefusedError } from '../../runtime/decision.ts';
import type { GroupState } from '../groupState.ts';
import type { ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse } from '../messages.ts';
import { noPartitions, ownedAt } from './assignment.ts';
import type { ConsumerGroup } from './consumerGroup.ts';
import { type ConsumerGroupMember, staticLeaveEpoch } from './consumerGroupMember.ts';
import { currentRecord } from './consumerRecords.ts';
import { knownMember, knownStaticMember } from './memberChecks.ts';
import { removeMembers } from './sessions.ts';

/** [GroupMetadataManager.consumerGroupLeave] */
export function leave(
  state: GroupState,
  request: ConsumerGroupHeartbeatRequest,
  decision: Decision,
): ConsumerGroupHeartbeatResponse {
  const { groupId, memberId, memberEpoch, instanceId } = request;
  const group = knownGroup(state, groupId);
  const member =
    instanceId === null
      ? knownMember(group, memberId)
      : knownStaticMember(group, { memberId, instanceId });
  if (memberEpoch === staticLeaveEpoch) {
    decision.append(currentRecord(groupId, awayForNow(member)));
  } else {
    removeMembers({ state, group, decision }, [member]);
  }
  state.logger.info(`group ${groupId}: ${memberId} left with epoch ${memberEpoch}`);
  return { memberId, memberEpoch };
}

/** A static member keeps its partitions until it is back or its session ends. */
function awayForNow(member: ConsumerGroupMember): ConsumerGroupMember {
  return {
    ...member,
    memberEpoch: staticLeaveEpoch,
    assigned: ownedAt(member.assigned, 0),
    pendingRevocation: noPartitions,
  };
}

export function knownGroup(state: GroupState, groupId: string): ConsumerGroup {
  const group = state.groups.get(groupId);
  if (group?.type === 'consumer') return group;
  const message =
    group === undefined
      ? `Group ${groupId} not found.`
      : `Group ${groupId} is not a consumer group.`;
  throw new RefusedError('GROUP_ID_NOT_FOUND', message);
}
