import type { GroupState } from '../groupState.ts';
import type { ConsumerGroupMember } from './consumerGroupMember.ts';
import { type MemberTimer, memberTimerKey } from './memberTimers.ts';
import { removeMembers } from './removeMembers.ts';

/** (Re)starts a member's session. */
export function expectBeat(
  state: GroupState,
  groupId: string,
  memberId: string,
  timeoutMs = state.config.consumer.sessionTimeoutMs,
): void {
  removeAfter(state, { kind: 'session', groupId, memberId, timeoutMs });
}

/** The member has this long to give up what it was asked to. */
export function expectRevocation(
  state: GroupState,
  groupId: string,
  { memberId, memberEpoch, rebalanceTimeoutMs }: ConsumerGroupMember,
): void {
  removeAfter(state, {
    kind: 'rebalance',
    groupId,
    memberId,
    timeoutMs: rebalanceTimeoutMs,
    unless: (member) => member.memberEpoch !== memberEpoch,
  });
}

/** A classic member was told to join again; how long it may take counts from the first time. */
export function expectClassicJoin(
  state: GroupState,
  groupId: string,
  { memberId, rebalanceTimeoutMs: timeoutMs }: ConsumerGroupMember,
): void {
  if (state.timers.has(memberTimerKey('join', groupId, memberId))) return;
  removeAfter(state, { kind: 'join', groupId, memberId, timeoutMs });
}

/** A classic member has joined and is to fetch its assignment. */
export function expectClassicSync(
  state: GroupState,
  groupId: string,
  { memberId, rebalanceTimeoutMs: timeoutMs }: ConsumerGroupMember,
): void {
  removeAfter(state, { kind: 'sync', groupId, memberId, timeoutMs });
}

interface Removal {
  readonly kind: MemberTimer;
  readonly groupId: string;
  readonly memberId: string;
  readonly timeoutMs: number;
  readonly unless?: (member: ConsumerGroupMember) => boolean;
}

/** Who is gone when the time has passed, or whose group is a classic one by then, is left alone. */
function removeAfter(state: GroupState, removal: Removal): void {
  const { kind, groupId, memberId, timeoutMs, unless } = removal;
  state.timers.schedule(memberTimerKey(kind, groupId, memberId), timeoutMs, (decision) => {
    const group = state.consumerGroup(groupId);
    const member = group?.members.get(memberId);
    if (group === undefined || member === undefined || unless?.(member)) return;
    state.logger.info(`group ${groupId}: ${memberId} is out, its ${kind} timeout has passed`);
    removeMembers({ state, group, decision }, [member]);
  });
}
