import { errorCodes } from '../../protocol/errors.ts';
import type { Decision } from '../runtime/decision.ts';
import type { ClassicGroup } from './classicGroup.ts';
import { type ClassicGroupMember, noAssignment } from './classicGroupMember.ts';
import { recordEmpty } from './emptyGroup.ts';
import type { GroupState } from './groupState.ts';
import { joinedResponse } from './joinedResponse.ts';
import { heartbeatKey } from './sessionTimer.ts';

/**
 * How a classic group gets from one generation to the next. [GroupMetadataManager: prepareRebalance,
 * completeClassicGroupJoin, expireClassicGroupMemberHeartbeat, expirePendingSync]
 */

/** New members cannot send heartbeats while they wait to join; if they do not come back, they go after this. */
const newMemberJoinTimeoutMs = 5 * 60 * 1000;

const joinKey = (group: ClassicGroup): string => `join ${group.groupId}`;
const syncKey = (group: ClassicGroup): string => `sync ${group.groupId}`;

/** (Re)starts a member's session; a new member's join has its own, longer patience. */
export function expectHeartbeat(
  state: GroupState,
  group: ClassicGroup,
  member: ClassicGroupMember,
): void {
  scheduleExpiry(state, group, member.memberId, member.sessionTimeoutMs);
}

export function expectNewMember(state: GroupState, group: ClassicGroup, memberId: string): void {
  scheduleExpiry(state, group, memberId, newMemberJoinTimeoutMs);
}

/** A member id was given out: its owner has this long to join with it. */
export function expectPendingMember(
  state: GroupState,
  group: ClassicGroup,
  { memberId, sessionTimeoutMs }: { memberId: string; sessionTimeoutMs: number },
): void {
  group.pendingJoinIds.add(memberId);
  scheduleExpiry(state, group, memberId, sessionTimeoutMs);
}

function scheduleExpiry(
  state: GroupState,
  group: ClassicGroup,
  memberId: string,
  timeoutMs: number,
): void {
  state.timers.schedule(heartbeatKey(group, memberId), timeoutMs, (decision) =>
    expireMember(state, group.groupId, memberId, decision),
  );
}

function expireMember(
  state: GroupState,
  groupId: string,
  memberId: string,
  decision: Decision,
): void {
  const group = state.classicGroup(groupId);
  const member = group?.member(memberId);
  if (group === undefined) return;
  if (group.pendingJoinIds.has(memberId)) {
    group.remove(memberId);
    state.logger.info(`group ${groupId}: pending member ${memberId} did not join in time`);
    if (group.state === 'PreparingRebalance' && group.haveAllJoined) {
      completeJoin(state, group, decision);
    }
  } else if (member !== undefined && !member.isExcusedFromHeartbeat) {
    dropMember(state, group, memberId, decision);
    advanceAfterDeparture(state, group, `member ${memberId} sent no heartbeat`, decision);
  }
}

/** Takes a member out and tells it so where it waits for an answer. */
export function dropMember(
  state: GroupState,
  group: ClassicGroup,
  memberId: string,
  decision: Decision,
): void {
  const member = group.member(memberId);
  if (member !== undefined) failParked(group, member, errorCodes.UNKNOWN_MEMBER_ID, decision);
  group.remove(memberId);
  state.timers.cancel(heartbeatKey(group, memberId));
}

/** Ends what a member waits for with an error. A decision answers once it is committed. */
export function failParked(
  group: ClassicGroup,
  member: ClassicGroupMember,
  errorCode: number,
  answerer: Pick<Decision, 'answer'>,
): void {
  const join = group.park(member, null);
  const memberId = errorCode === errorCodes.UNKNOWN_MEMBER_ID ? '' : member.memberId;
  if (join) answerer.answer(join, { memberId, errorCode });
  if (member.awaitingSync) answerer.answer(member.awaitingSync, { errorCode });
  member.awaitingSync = null;
}

/** Members are gone: those left rebalance, or finish the join that waited for them. */
export function advanceAfterDeparture(
  state: GroupState,
  group: ClassicGroup,
  reason: string,
  decision: Decision,
): void {
  if (group.state === 'Stable' || group.state === 'CompletingRebalance') {
    prepareRebalance(state, group, reason, decision);
  } else if (group.state === 'PreparingRebalance' && group.haveAllJoined) {
    completeJoin(state, group, decision);
  }
}

/** Starts a rebalance, or counts this arrival towards the one under way. */
export function rebalanceOrCompleteJoin(
  state: GroupState,
  group: ClassicGroup,
  reason: string,
  decision: Decision,
): void {
  if (group.canRebalance) prepareRebalance(state, group, reason, decision);
  else maybeCompleteJoin(state, group, decision);
}

/** Completes the join once all are there; the initial rebalance instead waits for its delay. */
export function maybeCompleteJoin(
  state: GroupState,
  group: ClassicGroup,
  decision: Decision,
): void {
  const isWaiting = group.state === 'PreparingRebalance' && group.previousState !== 'Empty';
  if (isWaiting && group.haveAllJoined) completeJoin(state, group, decision);
}

export function prepareRebalance(
  state: GroupState,
  group: ClassicGroup,
  reason: string,
  decision: Decision,
): void {
  if (group.state === 'CompletingRebalance') {
    for (const member of group.members) member.assignment = noAssignment;
    answerSyncs(state, group, errorCodes.REBALANCE_IN_PROGRESS, decision);
  }
  stopWaitingForSyncs(state, group);
  const isInitial = group.state === 'Empty';
  group.moveTo('PreparingRebalance', state.clock.nowMs());
  state.logger.info(
    `group ${group.groupId}: rebalancing generation ${group.generationId} (${reason})`,
  );
  if (isInitial) {
    const delayMs = state.config.initialRebalanceDelayMs;
    const remainingMs = Math.max(group.rebalanceTimeoutMs - delayMs, 0);
    scheduleInitialRebalance(state, group, { delayMs, remainingMs });
  } else if (group.haveAllJoined) {
    completeJoin(state, group, decision);
  } else {
    scheduleCompleteJoin(state, group);
  }
}

interface InitialDelay {
  readonly delayMs: number;
  readonly remainingMs: number;
}

/** The first rebalance of a group waits for more members, again for each that comes, up to the rebalance timeout. */
function scheduleInitialRebalance(
  state: GroupState,
  group: ClassicGroup,
  { delayMs, remainingMs }: InitialDelay,
): void {
  const { groupId } = group;
  state.timers.schedule(joinKey(group), delayMs, (decision) => {
    const current = state.classicGroup(groupId);
    if (current?.state !== 'PreparingRebalance') return;
    if (!current.newMemberAdded || remainingMs === 0) {
      completeJoin(state, current, decision);
      return;
    }
    current.newMemberAdded = false;
    scheduleInitialRebalance(state, current, {
      delayMs: Math.min(state.config.initialRebalanceDelayMs, remainingMs),
      remainingMs: Math.max(remainingMs - delayMs, 0),
    });
  });
}

function scheduleCompleteJoin(state: GroupState, group: ClassicGroup): void {
  const { groupId } = group;
  state.timers.schedule(joinKey(group), group.rebalanceTimeoutMs, (decision) => {
    const current = state.classicGroup(groupId);
    if (current?.state === 'PreparingRebalance') completeJoin(state, current, decision);
  });
}

/**
 * The join phase is over. Dynamic members that did not come back are dropped, static ones kept until their
 * session ends. Without any member the group is Empty, which is recorded; else all get their generation.
 */
function completeJoin(state: GroupState, group: ClassicGroup, decision: Decision): void {
  state.timers.cancel(joinKey(group));
  for (const member of group.members) {
    if (member.awaitingJoin === null && !member.isStatic) {
      dropMember(state, group, member.memberId, decision);
    }
  }
  if (group.size > 0 && !group.electJoinedLeader()) {
    state.logger.warn(`group ${group.groupId}: no member rejoined, waiting on`);
    scheduleCompleteJoin(state, group);
    return;
  }
  group.startNextGeneration(state.clock.nowMs());
  if (group.size === 0) recordEmpty(state, group, decision);
  else answerJoins(state, group, decision);
}

function answerJoins(state: GroupState, group: ClassicGroup, decision: Decision): void {
  for (const member of group.members) {
    const join = group.park(member, null);
    if (join) decision.answer(join, joinedResponse(group, member.memberId));
    expectHeartbeat(state, group, member);
    member.isNew = false;
    group.pendingSyncIds.add(member.memberId);
  }
  const { groupId, generationId } = group;
  state.timers.schedule(syncKey(group), group.rebalanceTimeoutMs, (next) => {
    const current = state.classicGroup(groupId);
    if (current?.generationId === generationId) expirePendingSyncs(state, current, next);
  });
}

/** Members that never sent SyncGroup are dropped. */
function expirePendingSyncs(state: GroupState, group: ClassicGroup, decision: Decision): void {
  const isSyncing = group.state === 'CompletingRebalance' || group.state === 'Stable';
  if (!isSyncing || group.pendingSyncIds.size === 0) return;
  const missing = [...group.pendingSyncIds];
  for (const memberId of missing) dropMember(state, group, memberId, decision);
  prepareRebalance(state, group, `no SyncGroup from ${missing.join(', ')}`, decision);
}

/** A member has sent SyncGroup. */
export function countSync(state: GroupState, group: ClassicGroup, memberId: string): void {
  group.pendingSyncIds.delete(memberId);
  if (group.pendingSyncIds.size === 0) state.timers.cancel(syncKey(group));
}

function stopWaitingForSyncs(state: GroupState, group: ClassicGroup): void {
  group.pendingSyncIds.clear();
  state.timers.cancel(syncKey(group));
}

/** Answers all parked SyncGroups with the members' assignments or with an error. */
export function answerSyncs(
  state: GroupState,
  group: ClassicGroup,
  errorCode: number,
  decision: Decision,
): void {
  const isGood = errorCode === errorCodes.NONE;
  for (const member of group.members) {
    if (member.awaitingSync === null) continue;
    decision.answer(member.awaitingSync, {
      errorCode,
      protocolType: isGood ? group.protocolType : null,
      protocolName: isGood ? group.protocolName : null,
      assignment: member.assignment,
    });
    member.awaitingSync = null;
    expectHeartbeat(state, group, member);
  }
}
