import { defined } from '../../base/assert.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Decision } from '../runtime/decision.ts';
import type { ClassicGroup } from './classicGroup.ts';
import { ClassicGroupMember, noAssignment } from './classicGroupMember.ts';
import { joinConsumerGroup } from './consumer/joinConsumerGroup.ts';
import { emptyGroupRecord } from './groupRecords.ts';
import type { GroupState } from './groupState.ts';
import { type Join, parkJoin } from './join.ts';
import { joinedResponse } from './joinedResponse.ts';
import { newMemberId } from './memberId.ts';
import {
  dropMember,
  expectNewMember,
  expectPendingMember,
  rebalanceOrCompleteJoin,
} from './rebalance.ts';
import { replaceStaticMember } from './staticMembers.ts';

/** From this version on a dynamic member first asks for its id (KIP-394). */
const firstVersionWithRequiredMemberId = 4;

/** [GroupMetadataManager.classicGroupJoin, classicGroupJoinToClassicGroup] */
export function joinGroup(state: GroupState, join: Join, decision: Decision): void {
  const present = state.consumerGroup(join.groupId);
  if (present?.isEmpty === false) joinConsumerGroup({ state, group: present, decision }, join);
  else joinClassicGroup(state, join, decision);
}

/**
 * A consumer group without members goes, also where nothing takes its place, as the member is one that nobody knows.
 * Kafka then only forgets it, and finds it again after a restart; we write that it is gone.
 * [GroupMetadataManager.maybeDeleteEmptyConsumerGroup]
 */
function joinClassicGroup(state: GroupState, join: Join, decision: Decision): void {
  const isUnknownMember = join.memberId === '';
  const present = state.groups.get(join.groupId);
  if (present?.type === 'consumer') {
    for (const record of present.tombstones()) decision.append(record);
  }
  if (isUnknownMember && present?.type !== 'classic') {
    decision.append(emptyGroupRecord(join.groupId, state.clock.nowMs()));
  }
  // What is left of it, for its offsets, has nothing to say of the member.
  const isGone = present?.type === 'consumer' && !isUnknownMember;
  const group = isGone ? undefined : state.classicGroup(join.groupId);
  if (group === undefined) {
    refuse(join, errorCodes.UNKNOWN_MEMBER_ID, decision);
  } else if (!hasRoomFor(state, group, join.memberId)) {
    dropMember(state, group, join.memberId, decision);
    decision.answer(join.reply, { memberId: '', errorCode: errorCodes.GROUP_MAX_SIZE_REACHED });
  } else if (!group.supports(join.protocolType, join.protocols)) {
    refuse(join, errorCodes.INCONSISTENT_GROUP_PROTOCOL, decision);
  } else if (isUnknownMember) {
    joinNewMember(state, group, join, decision);
  } else {
    joinKnownMember(state, group, join, decision);
  }
}

function refuse({ memberId, reply }: Join, errorCode: number, decision: Decision): void {
  decision.answer(reply, { memberId, errorCode });
}

/**
 * While members join, those that have count, so that the last to rejoin an overfull group are the ones
 * kept out; otherwise members do. [GroupMetadataManager.acceptJoiningMember]
 */
function hasRoomFor({ config }: GroupState, group: ClassicGroup, memberId: string): boolean {
  const member = group.member(memberId);
  switch (group.state) {
    case 'PreparingRebalance':
      return Boolean(member?.awaitingJoin) || group.awaitingJoinCount < config.maxGroupSize;
    case 'CompletingRebalance':
    case 'Stable':
      return member !== undefined || group.size < config.maxGroupSize;
    case 'Empty':
    case 'Dead':
      return true;
  }
}

function joinNewMember(
  state: GroupState,
  group: ClassicGroup,
  join: Join,
  decision: Decision,
): void {
  const memberId = newMemberId(join.groupInstanceId ?? join.clientId, state.random);
  const replaced =
    join.groupInstanceId === null ? undefined : group.staticMemberId(join.groupInstanceId);
  if (replaced !== undefined) {
    replaceStaticMember(state, group, { ...join, memberId, replaced }, decision);
  } else if (join.groupInstanceId === null && join.apiVersion >= firstVersionWithRequiredMemberId) {
    giveOutMemberId(state, group, { ...join, memberId }, decision);
  } else {
    addMember(state, group, { ...join, memberId }, decision);
  }
}

function giveOutMemberId(
  state: GroupState,
  group: ClassicGroup,
  join: Join,
  decision: Decision,
): void {
  if (group.pendingJoinIds.size >= state.config.maxPendingJoins) {
    decision.answer(join.reply, { memberId: '', errorCode: errorCodes.GROUP_MAX_SIZE_REACHED });
    return;
  }
  expectPendingMember(state, group, join);
  refuse(join, errorCodes.MEMBER_ID_REQUIRED, decision);
}

function addMember(state: GroupState, group: ClassicGroup, join: Join, decision: Decision): void {
  const member = new ClassicGroupMember({ ...join, assignment: noAssignment });
  member.isNew = true;
  if (group.state === 'PreparingRebalance' && group.previousState === 'Empty') {
    group.newMemberAdded = true;
  }
  group.add(member);
  parkJoin({ state, group, decision }, member, join.reply);
  expectNewMember(state, group, member.memberId);
  rebalanceOrCompleteJoin(state, group, `new member ${join.memberId}: ${join.reason}`, decision);
}

/** [GroupMetadataManager.classicGroupJoinExistingMember] */
function joinKnownMember(
  state: GroupState,
  group: ClassicGroup,
  join: Join,
  decision: Decision,
): void {
  if (group.pendingJoinIds.has(join.memberId)) {
    // A static member never gets a pending id, so this one mixes two members up: in Kafka that throws.
    if (join.groupInstanceId !== null)
      refuse({ ...join, memberId: '' }, errorCodes.UNKNOWN_SERVER_ERROR, decision);
    else addMember(state, group, join, decision);
    return;
  }
  const errorCode = group.memberError(join.memberId, join.groupInstanceId);
  if (errorCode !== errorCodes.NONE) {
    refuse(join, errorCode, decision);
    return;
  }
  const member = defined(group.member(join.memberId), `member ${join.memberId}`);
  if (needsRebalance(group, member, join)) {
    rejoin(state, group, join, decision);
  } else if (group.state === 'CompletingRebalance' || group.state === 'Stable') {
    // It missed the answer: this generation is still good for it.
    decision.answer(join.reply, joinedResponse(group, join.memberId));
  } else {
    refuse(join, errorCodes.UNKNOWN_MEMBER_ID, decision);
  }
}

/** A leader that rejoins a stable group has news that its metadata need not show, such as new partitions. */
function needsRebalance(group: ClassicGroup, member: ClassicGroupMember, join: Join): boolean {
  const isUnchanged = member.matches(join.protocols);
  if (group.state === 'Stable') return group.leaderId === member.memberId || !isUnchanged;
  if (group.state === 'CompletingRebalance') return !isUnchanged;
  return group.state === 'PreparingRebalance';
}

function rejoin(state: GroupState, group: ClassicGroup, join: Join, decision: Decision): void {
  const member = defined(group.member(join.memberId), `member ${join.memberId}`);
  group.update(member, join);
  parkJoin({ state, group, decision }, member, join.reply);
  rebalanceOrCompleteJoin(state, group, `member ${join.memberId}: ${join.reason}`, decision);
}
