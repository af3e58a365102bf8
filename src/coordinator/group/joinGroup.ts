import { defined } from '../../base/assert.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Decision, Reply } from '../runtime/decision.ts';
import type { ClassicGroup } from './classicGroup.ts';
import { ClassicGroupMember, type MemberProtocol, noAssignment } from './classicGroupMember.ts';
import { emptyGroupRecord, groupMetadataRecord } from './groupRecords.ts';
import { copyOf, type GroupState } from './groupState.ts';
import { newMemberId } from './memberId.ts';
import type { GroupRequestContext, JoinGroupRequest, JoinGroupResponse } from './messages.ts';
import {
  dropMember,
  expectHeartbeat,
  failParked,
  expectNewMember,
  expectPendingMember,
  joinedResponse,
  maybeCompleteJoin,
  prepareRebalance,
  rebalanceOrCompleteJoin,
} from './rebalance.ts';

/** A JoinGroup on its way through the coordinator. */
export interface Join {
  readonly groupId: string;
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly protocolType: string;
  readonly protocols: readonly MemberProtocol[];
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly reason: string;
  readonly apiVersion: number;
  readonly clientId: string;
  readonly clientHost: string;
  readonly reply: Reply<JoinGroupResponse>;
}

/** A JoinGroup of a static member, under its new id, in place of an old one. */
interface Replacement extends Join {
  readonly replaced: string;
}

/** From this version on a static leader learns that it leads, without assigning anew (KIP-814). */
const firstVersionWithSkipAssignment = 9;
/** From this version on a dynamic member first asks for its id (KIP-394). */
const firstVersionWithRequiredMemberId = 4;

export function joinOf(
  request: JoinGroupRequest,
  context: GroupRequestContext,
  reply: Reply<JoinGroupResponse>,
): Join {
  return {
    groupId: request.groupId,
    memberId: request.memberId,
    groupInstanceId: request.groupInstanceId,
    protocolType: request.protocolType,
    protocols: request.protocols.map(({ name, metadata }) => ({
      name,
      metadata: copyOf(metadata),
    })),
    sessionTimeoutMs: request.sessionTimeoutMs,
    // Version 0 has no rebalance timeout. [JoinGroupRequest.maybeOverrideRebalanceTimeout]
    rebalanceTimeoutMs:
      context.apiVersion === 0 ? request.sessionTimeoutMs : request.rebalanceTimeoutMs,
    reason: request.reason || 'not provided',
    apiVersion: context.apiVersion,
    clientId: context.clientId,
    clientHost: context.clientHost,
    reply,
  };
}

/** [GroupMetadataManager.classicGroupJoinToClassicGroup] */
export function joinGroup(state: GroupState, join: Join, decision: Decision): void {
  const isUnknownMember = join.memberId === '';
  if (isUnknownMember && state.groups.get(join.groupId) === undefined) {
    decision.append(emptyGroupRecord(join.groupId, state.clock.nowMs()));
  }
  const group = state.groups.get(join.groupId);
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
    // A static member never gets a pending id, so this one mixes two members up.
    if (join.groupInstanceId !== null) refuse(join, errorCodes.UNKNOWN_SERVER_ERROR, decision);
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

/** Parks a JoinGroup. One that waited before, from a connection given up, is told to try again. */
function parkJoin(
  { state, group, decision }: { state: GroupState; group: ClassicGroup; decision: Decision },
  member: ClassicGroupMember,
  reply: Reply<JoinGroupResponse>,
): void {
  const before = group.park(member, reply);
  if (before) {
    const { memberId } = member;
    decision.answer(before, { memberId, errorCode: errorCodes.REBALANCE_IN_PROGRESS });
  }
  decision.ifUndone((errorCode) => {
    // The group itself was not written.
    if (state.groups.get(group.groupId) !== group) reply.fail(errorCode);
  });
}

/**
 * A static member came back without its id: it takes its old place (KIP-345). If the group is stable and
 * would elect the same protocol, only the record changes; otherwise the group rebalances.
 * [GroupMetadataManager.updateStaticMemberThenRebalanceOrCompleteJoin]
 */
function replaceStaticMember(
  state: GroupState,
  group: ClassicGroup,
  join: Replacement,
  decision: Decision,
): void {
  const old = defined(group.member(join.replaced), `member ${join.replaced}`);
  const oldLeaderId = group.leaderId;
  failParked(group, old, errorCodes.FENCED_INSTANCE_ID, decision);
  const member = group.replaceStaticMember(join.replaced, join.memberId);
  expectHeartbeat(state, group, member);
  group.update(member, join);
  if (group.state === 'Stable' && group.selectProtocol() === group.protocolName) {
    persistReplacement(state, { group, old, member, oldLeaderId }, join, decision);
    return;
  }
  parkJoin({ state, group, decision }, member, join.reply);
  const reason = `static member ${join.groupInstanceId ?? ''} came back: ${join.reason}`;
  if (group.state === 'PreparingRebalance') maybeCompleteJoin(state, group, decision);
  else prepareRebalance(state, group, reason, decision);
}

interface ReplacementInGroup {
  readonly group: ClassicGroup;
  readonly old: ClassicGroupMember;
  readonly member: ClassicGroupMember;
  readonly oldLeaderId: string | null;
}

function persistReplacement(
  state: GroupState,
  { group, old, member, oldLeaderId }: ReplacementInGroup,
  { reply, apiVersion }: Replacement,
  decision: Decision,
): void {
  const assignments = new Map(group.members.map((each) => [each.memberId, each.assignment]));
  decision.persist(groupMetadataRecord(group, assignments));
  parkJoin({ state, group, decision }, member, reply);
  decision.park(reply);
  decision.afterwards((errorCode, next) => {
    if (errorCode !== errorCodes.NONE) {
      revertReplacement(state, group, { old, member });
      next.answer(reply, { memberId: '', errorCode });
      return;
    }
    if (group.park(member, null) === null) return;
    const joined = joinedResponse(group, member.memberId);
    const response: JoinGroupResponse =
      apiVersion >= firstVersionWithSkipAssignment
        ? { ...joined, skipAssignment: group.leaderId === member.memberId }
        : { ...joined, members: [], leader: oldLeaderId ?? '' };
    next.answer(reply, response);
  });
}

/** The record was not written: the old id has its place again. */
function revertReplacement(
  state: GroupState,
  group: ClassicGroup,
  { old, member }: { old: ClassicGroupMember; member: ClassicGroupMember },
): void {
  if (group.member(member.memberId) !== member) return;
  group.park(member, null);
  group.update(member, old);
  expectHeartbeat(state, group, group.replaceStaticMember(member.memberId, old.memberId));
}
