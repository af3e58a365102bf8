import { defined } from '../../base/assert.ts';
import type { Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Decision, Reply } from '../runtime/decision.ts';
import type { ClassicGroup } from './classicGroup.ts';
import { noAssignment } from './classicGroupMember.ts';
import { groupMetadataRecord } from './groupRecords.ts';
import { syncClassicMember } from './consumer/classicMembers.ts';
import { copyOf } from './copyOf.ts';
import type { GroupState } from './groupState.ts';
import type { SyncGroupRequest, SyncGroupResponse } from './messages.ts';
import { answerSyncs, countSync, rebalanceOrCompleteJoin } from './rebalance.ts';

export interface Sync {
  readonly request: SyncGroupRequest;
  /** What the leader assigns, by member id. */
  readonly assignments: Assignments;
  readonly reply: Reply<SyncGroupResponse>;
}

type Assignments = ReadonlyMap<string, Uint8Array>;

/** A request can have many, whoever they are for. They are copies: its memory is used again. */
export function* assignmentsOf({ assignments }: SyncGroupRequest): Steps<Assignments> {
  const byMember = new Map<string, Uint8Array>();
  for (const { memberId, assignment } of assignments) {
    byMember.set(memberId, copyOf(assignment));
    yield;
  }
  return byMember;
}

/** From this version on a member says what it takes the group to be (KIP-559). */
const firstVersionWithProtocol = 5;

export function lacksProtocol(
  { protocolType, protocolName }: SyncGroupRequest,
  apiVersion: number,
): boolean {
  const isSaid = protocolType !== null && protocolName !== null;
  return apiVersion >= firstVersionWithProtocol && !isSaid;
}

/** [GroupMetadataManager.classicGroupSyncToClassicGroup] */
export function syncGroup(state: GroupState, sync: Sync, decision: Decision): void {
  const present = state.groups.get(sync.request.groupId);
  if (present?.type === 'consumer' && !present.isEmpty) {
    const turn = { state, group: present, decision };
    decision.answer(sync.reply, syncClassicMember(turn, sync.request));
    return;
  }
  const group = state.classicGroup(sync.request.groupId);
  const errorCode = syncError(group, sync.request);
  if (group === undefined || errorCode !== errorCodes.NONE) {
    decision.answer(sync.reply, { errorCode });
    return;
  }
  const member = defined(group.member(sync.request.memberId), 'the member that syncs');
  if (group.state === 'Stable') {
    countSync(state, group, member.memberId);
    decision.answer(sync.reply, {
      protocolType: group.protocolType,
      protocolName: group.protocolName,
      assignment: member.assignment,
    });
    return;
  }
  if (member.awaitingSync) {
    // From a connection given up: Kafka leaves it unanswered.
    decision.answer(member.awaitingSync, { errorCode: errorCodes.REBALANCE_IN_PROGRESS });
  }
  member.awaitingSync = sync.reply;
  decision.park(sync.reply);
  countSync(state, group, member.memberId);
  const isStoring = group.storingGenerationId === group.generationId;
  if (group.leaderId === member.memberId && !isStoring) {
    storeAssignments(state, group, sync, decision);
  }
}

function syncError(group: ClassicGroup | undefined, request: SyncGroupRequest): number {
  if (group === undefined || group.state === 'Empty') return errorCodes.UNKNOWN_MEMBER_ID;
  const memberError = group.memberError(request.memberId, request.groupInstanceId);
  if (memberError !== errorCodes.NONE) return memberError;
  if (request.generationId !== group.generationId) return errorCodes.ILLEGAL_GENERATION;
  if (
    differs(request.protocolType, group.protocolType) ||
    differs(request.protocolName, group.protocolName)
  ) {
    return errorCodes.INCONSISTENT_GROUP_PROTOCOL;
  }
  return group.state === 'PreparingRebalance' ? errorCodes.REBALANCE_IN_PROGRESS : errorCodes.NONE;
}

function differs(requested: string | null, current: string | null): boolean {
  return requested !== null && current !== null && requested !== current;
}

/**
 * The leader's assignments are recorded, and handed out once that is committed, unless the group has
 * moved on by then. Members that the leader left out get nothing. What a leader sends once more meanwhile
 * is dropped: the log and the members must not end up with different assignments.
 */
function storeAssignments(
  state: GroupState,
  group: ClassicGroup,
  { request, assignments: given }: Sync,
  decision: Decision,
): void {
  const assignments = new Map<string, Uint8Array>();
  for (const { memberId } of group.members) {
    const assignment = given.get(memberId);
    if (assignment !== undefined) assignments.set(memberId, assignment);
  }
  group.storingGenerationId = group.generationId;
  decision.persist(groupMetadataRecord(group, assignments));
  for (const { awaitingSync } of group.members) if (awaitingSync) decision.park(awaitingSync);
  decision.afterwards((errorCode, next) => {
    const isCurrent =
      group.state === 'CompletingRebalance' && group.generationId === request.generationId;
    if (!isCurrent) return;
    group.storingGenerationId = null;
    const isStored = errorCode === errorCodes.NONE;
    for (const member of group.members) {
      const assignment = isStored ? assignments.get(member.memberId) : undefined;
      member.assignment = assignment ?? noAssignment;
    }
    answerSyncs(state, group, errorCode, next);
    if (isStored) group.moveTo('Stable', state.clock.nowMs());
    else rebalanceOrCompleteJoin(state, group, 'the assignment could not be stored', next);
  });
}
