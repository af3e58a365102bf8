import { defined } from '../../../base/assert.ts';
import { errorCodes } from '../../../protocol/errors.ts';
import { type Decision, RefusedError } from '../../runtime/decision.ts';
import type { GroupState } from '../groupState.ts';
import type {
  HeartbeatRequest,
  LeaveGroupRequest,
  LeaveGroupResponse,
  SyncGroupRequest,
  SyncGroupResponse,
} from '../messages.ts';
import type { ConsumerGroup } from './consumerGroup.ts';
import type { ClassicMemberMetadata, ConsumerGroupMember } from './consumerGroupMember.ts';
import { writeAssignment } from './embeddedProtocol.ts';
import { knownMember, knownStaticMember } from './memberChecks.ts';
import { endMemberTimer } from './memberTimers.ts';
import { expectBeat, expectClassicJoin, removeMembers } from './sessions.ts';
import type { Turn } from './turn.ts';

/** Members of the classic protocol in a consumer group: SyncGroup, Heartbeat and LeaveGroup. Generations are epochs. */

interface ClassicMember {
  readonly member: ConsumerGroupMember;
  readonly classic: ClassicMemberMetadata;
}

function classicMember(
  group: ConsumerGroup,
  request: { memberId: string; groupInstanceId: string | null; generationId: number },
): ClassicMember {
  const { memberId, groupInstanceId: instanceId, generationId } = request;
  const member =
    instanceId === null
      ? knownMember(group, memberId)
      : knownStaticMember(group, { memberId, instanceId });
  if (member.classic === null) {
    const message = `Member ${memberId} does not use the classic protocol.`;
    throw new RefusedError('UNKNOWN_MEMBER_ID', message);
  }
  if (member.memberEpoch !== generationId) {
    throw new RefusedError(
      'ILLEGAL_GENERATION',
      `The request generation id ${generationId} is not equal to the member epoch ` +
        `${member.memberEpoch} of member ${memberId}.`,
    );
  }
  return { member, classic: member.classic };
}

/** [GroupMetadataManager.classicGroupSyncToConsumerGroup] */
export function syncClassicMember(turn: Turn, request: SyncGroupRequest): SyncGroupResponse {
  const { state, group } = turn;
  const { member, classic } = classicMember(group, request);
  const protocol = defined(classic.supportedProtocols[0], 'a protocol');
  const { protocolType, protocolName } = request;
  const isOther =
    (protocolType !== null && protocolType !== 'consumer') ||
    (protocolName !== null && protocolName !== protocol.name);
  if (isOther) return { errorCode: errorCodes.INCONSISTENT_GROUP_PROTOCOL };
  // One that is giving up partitions has joined already; it joins again when it is through.
  const isBehind = group.target.latest.epoch > member.memberEpoch;
  if (isBehind && member.state !== 'unrevokedPartitions') {
    expectClassicJoin(state, group.groupId, member);
    return { errorCode: errorCodes.REBALANCE_IN_PROGRESS };
  }
  endMemberTimer(state, 'sync', group.groupId, member.memberId);
  expectBeat(state, group.groupId, member.memberId, classic.sessionTimeoutMs);
  return {
    protocolType,
    protocolName,
    assignment: writeAssignment(state.topics, member.assigned, protocol.metadata),
  };
}

/**
 * It is to join again if there is a newer target, if it has to give up partitions, or if those that it waits for
 * are free. [GroupMetadataManager.classicGroupHeartbeatToConsumerGroup]
 */
export function beatClassicMember(
  state: GroupState,
  group: ConsumerGroup,
  request: HeartbeatRequest,
): number {
  const { member, classic } = classicMember(group, request);
  const { groupId } = group;
  expectBeat(state, groupId, member.memberId, classic.sessionTimeoutMs);
  const isToJoin =
    member.memberEpoch < group.target.latest.epoch ||
    member.state === 'unrevokedPartitions' ||
    (member.state === 'unreleasedPartitions' && !isWaiting(group, member));
  if (!isToJoin) return errorCodes.NONE;
  expectClassicJoin(state, groupId, member);
  return errorCodes.REBALANCE_IN_PROGRESS;
}

/** Others still have what it is to get. [ConsumerGroup.waitingOnUnreleasedPartition] */
function isWaiting(group: ConsumerGroup, { memberId, assigned }: ConsumerGroupMember): boolean {
  for (const [topicId, partitions] of group.targets.get(memberId) ?? []) {
    const own = assigned.get(topicId);
    for (const partition of partitions) {
      if (own?.has(partition) !== true && group.partitionEpochs.isOwned(topicId, partition)) {
        return true;
      }
    }
  }
  return false;
}

type LeavingMember = Pick<
  LeaveGroupRequest['members'][number],
  'memberId' | 'groupInstanceId' | 'reason'
>;

/** [GroupMetadataManager.classicGroupLeaveToConsumerGroup] */
export function leaveConsumerGroup(
  state: GroupState,
  group: ConsumerGroup,
  leaving: readonly LeavingMember[],
  decision: Decision,
): LeaveGroupResponse {
  const found = new Set<ConsumerGroupMember>();
  const members = leaving.map(({ memberId, groupInstanceId, reason }) => {
    const answer = findLeaving(group, memberId, groupInstanceId);
    if (typeof answer === 'number') return { memberId, groupInstanceId, errorCode: answer };
    state.logger.info(
      `group ${group.groupId}: ${answer.memberId} left (${reason ?? 'not provided'})`,
    );
    found.add(answer);
    return { memberId, groupInstanceId, errorCode: errorCodes.NONE };
  });
  removeMembers({ state, group, decision }, [...found]);
  return { members };
}

/** Administrators name static members by their instance id alone. */
function findLeaving(
  group: ConsumerGroup,
  memberId: string,
  instanceId: string | null,
): ConsumerGroupMember | number {
  const member = instanceId === null ? group.members.get(memberId) : group.staticMember(instanceId);
  if (member === undefined) return errorCodes.UNKNOWN_MEMBER_ID;
  const isOther = instanceId !== null && memberId !== '' && memberId !== member.memberId;
  return isOther ? errorCodes.FENCED_INSTANCE_ID : member;
}
