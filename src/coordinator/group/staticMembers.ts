import { defined } from '../../base/assert.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Decision } from '../runtime/decision.ts';
import type { ClassicGroup } from './classicGroup.ts';
import type { ClassicGroupMember } from './classicGroupMember.ts';
import { groupMetadataRecord } from './groupRecords.ts';
import type { GroupState } from './groupState.ts';
import { type Join, parkJoin } from './join.ts';
import { joinedResponse } from './joinedResponse.ts';
import type { JoinGroupResponse } from './messages.ts';
import { expectHeartbeat, failParked, maybeCompleteJoin, prepareRebalance } from './rebalance.ts';

/** A JoinGroup of a static member, under its new id, in place of an old one. */
interface Replacement extends Join {
  readonly replaced: string;
}

/** From this version on a static leader learns that it leads, without assigning anew (KIP-814). */
const firstVersionWithSkipAssignment = 9;

/**
 * A static member came back without its id: it takes its old place (KIP-345). If the group is stable and
 * would elect the same protocol, only the record changes; otherwise the group rebalances.
 * [GroupMetadataManager.updateStaticMemberThenRebalanceOrCompleteJoin]
 */
export function replaceStaticMember(
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
    // Its session may have run out unseen while it waited.
    expectHeartbeat(state, group, member);
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
  // Another object if a later replacement was reverted before.
  const current = group.member(member.memberId);
  if (current === undefined) return;
  group.park(current, null);
  group.update(current, old);
  expectHeartbeat(state, group, group.replaceStaticMember(current.memberId, old.memberId));
}
