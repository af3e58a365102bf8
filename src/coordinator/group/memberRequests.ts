import { defined } from '../../base/assert.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Decision } from '../runtime/decision.ts';
import type { ClassicGroup } from './classicGroup.ts';
import { beatClassicMember, leaveConsumerGroup } from './consumer/classicMembers.ts';
import { removeMembers as removeConsumers } from './consumer/sessions.ts';
import type { Group, GroupState } from './groupState.ts';
import type { HeartbeatRequest, LeaveGroupRequest, LeaveGroupResponse } from './messages.ts';
import {
  advanceAfterDeparture,
  dropMember,
  expectHeartbeat,
  maybeCompleteJoin,
} from './rebalance.ts';

/**
 * The error code that answers a heartbeat. One during PreparingRebalance keeps the session, and tells the
 * member to rejoin. [GroupMetadataManager.classicGroupHeartbeatToClassicGroup]
 */
export function heartbeat(state: GroupState, request: HeartbeatRequest): number {
  const group = state.groups.get(request.groupId);
  if (group === undefined) return errorCodes.UNKNOWN_MEMBER_ID;
  if (group.type === 'consumer') return beatClassicMember(state, group, request);
  const memberError = group.memberError(request.memberId, request.groupInstanceId);
  if (memberError !== errorCodes.NONE) return memberError;
  if (request.generationId !== group.generationId) return errorCodes.ILLEGAL_GENERATION;
  expectHeartbeat(state, group, defined(group.member(request.memberId), 'the member'));
  return group.state === 'PreparingRebalance' ? errorCodes.REBALANCE_IN_PROGRESS : errorCodes.NONE;
}

type LeavingMember = Pick<
  LeaveGroupRequest['members'][number],
  'memberId' | 'groupInstanceId' | 'reason'
>;

/**
 * Takes members out, each with its own result. A static member may be named by its instance id alone, as
 * administrators do. [GroupMetadataManager.classicGroupLeaveToClassicGroup]
 */
export function leaveGroup(
  state: GroupState,
  groupId: string,
  leaving: readonly LeavingMember[],
  decision: Decision,
): LeaveGroupResponse {
  const present = state.groups.get(groupId);
  if (present?.type === 'consumer') return leaveConsumerGroup(state, present, leaving, decision);
  const group = present;
  const members = leaving.map(({ memberId, groupInstanceId, reason }) => {
    const found = findLeaving(group, memberId, groupInstanceId);
    if (group !== undefined && found.errorCode === errorCodes.NONE) {
      dropMember(state, group, found.memberId, decision);
      state.logger.info(`group ${groupId}: ${found.memberId} left (${reason ?? 'not provided'})`);
    }
    return { memberId, groupInstanceId, errorCode: found.errorCode };
  });
  const left = members.filter(({ errorCode }) => errorCode === errorCodes.NONE);
  if (group !== undefined && left.length > 0) advanceAfterLeaving(state, group, decision);
  return { members };
}

function findLeaving(
  group: ClassicGroup | undefined,
  memberId: string,
  groupInstanceId: string | null,
): { memberId: string; errorCode: number } {
  if (group === undefined) return { memberId, errorCode: errorCodes.UNKNOWN_MEMBER_ID };
  if (memberId === '' && groupInstanceId !== null) {
    const found = group.staticMemberId(groupInstanceId);
    return found === undefined
      ? { memberId, errorCode: errorCodes.UNKNOWN_MEMBER_ID }
      : { memberId: found, errorCode: errorCodes.NONE };
  }
  if (group.pendingJoinIds.has(memberId)) return { memberId, errorCode: errorCodes.NONE };
  return { memberId, errorCode: group.memberError(memberId, groupInstanceId) };
}

function advanceAfterLeaving(state: GroupState, group: ClassicGroup, decision: Decision): void {
  // In the initial rebalance those who stay still get the rest of the delay.
  if (group.state === 'PreparingRebalance') maybeCompleteJoin(state, group, decision);
  else advanceAfterDeparture(state, group, 'members left', decision);
}

/** Takes out everybody, of either protocol, those waiting to join too; answers how many members that were. */
export function removeMembers(
  state: GroupState,
  group: Group,
  reason: string,
  decision: Decision,
): number {
  if (group.type === 'consumer') {
    const members = [...group.members.values()];
    removeConsumers({ state, group, decision }, members);
    return members.length;
  }
  const { length } = group.members;
  const ids = [...group.pendingJoinIds, ...group.members.map(({ memberId }) => memberId)];
  const leaving = ids.map((memberId) => ({
    memberId,
    groupInstanceId: group.member(memberId)?.groupInstanceId ?? null,
    reason,
  }));
  leaveGroup(state, group.groupId, leaving, decision);
  return length;
}
