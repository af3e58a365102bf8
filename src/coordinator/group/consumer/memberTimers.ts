import type { GroupState } from '../groupState.ts';

/**
 * What a member of a consumer group has to do in time: beat; give up what it was asked to; and, if it uses the
 * classic protocol, join again and sync.
 */
const kinds = ['session', 'rebalance', 'join', 'sync'] as const;
export type MemberTimer = (typeof kinds)[number];

export function memberTimerKey(kind: MemberTimer, groupId: string, memberId: string): string {
  return `consumer ${kind} ${groupId.length} ${groupId} ${memberId}`;
}

export function endMemberTimer(
  { timers }: GroupState,
  kind: MemberTimer,
  groupId: string,
  memberId: string,
): void {
  timers.cancel(memberTimerKey(kind, groupId, memberId));
}

export function endMemberTimers(state: GroupState, groupId: string, memberId: string): void {
  for (const kind of kinds) endMemberTimer(state, kind, groupId, memberId);
}
