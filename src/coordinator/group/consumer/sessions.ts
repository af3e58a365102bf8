import { errorCodes } from '../../../protocol/errors.ts';
import { consumerConfigOf } from '../groupConfig.ts';
import type { GroupState } from '../groupState.ts';
import type { ConsumerGroupMember } from './consumerGroupMember.ts';
import {
  groupEpochRecord,
  memberTombstones,
  regexTombstone,
  targetEpochRecord,
} from './consumerRecords.ts';
import { downgrade, isDowngrade } from './downgrade.ts';
import { endMemberTimers, type MemberTimer, memberTimerKey } from './memberTimers.ts';
import type { Turn } from './turn.ts';

/** When the log refused that somebody goes, it is tried again. [CoordinatorTimer] */
const retryMs = 500;

/** (Re)starts a member's session. */
export function expectBeat(
  state: GroupState,
  groupId: string,
  memberId: string,
  timeoutMs = consumerConfigOf(state.config, groupId).sessionTimeoutMs,
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

/** A classic member has joined and is to fetch its assignment, within the time that it said with that. */
export function expectClassicSync(
  state: GroupState,
  groupId: string,
  { memberId, timeoutMs }: { memberId: string; timeoutMs: number },
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
    decision.ifUndone(() => removeAfter(state, { ...removal, timeoutMs: retryMs }));
  });
}

/**
 * Members leave or are thrown out: the group's epoch grows, so that the next heartbeat of another assigns anew. A
 * group without members has nothing to assign. [GroupMetadataManager.consumerGroupFenceMembers]
 */
export function removeMembers(turn: Turn, members: readonly ConsumerGroupMember[]): void {
  const { state, group, decision } = turn;
  const { groupId, subscriptions } = group;
  if (members.length === 0) return;
  if (isDowngrade(turn, members)) {
    expectIfUndone(turn, group.members.values());
    downgrade(turn, members, {
      generationId: group.epoch.latest.epoch,
      rebalanceReason: 'members left that used the consumer protocol',
    });
    return;
  }
  for (const { memberId } of members) {
    for (const record of memberTombstones(groupId, memberId)) decision.append(record);
  }
  forgetRegexes(turn, members);
  const epoch = group.epoch.latest.epoch + 1;
  const metadataHash = state.metadataHashes.of(subscriptions.topicNames);
  decision.append(groupEpochRecord(groupId, epoch, metadataHash));
  if (group.isEmpty) decision.append(targetEpochRecord(groupId, epoch, 0));
  expectIfUndone(turn, members);
  decision.afterwards((errorCode) => {
    if (errorCode === errorCodes.NONE) endTimersOfGone(state, groupId, members);
  });
}

/** Only now, as nobody would miss them had it been undone. Who has come back meanwhile has new ones. */
function endTimersOfGone(
  state: GroupState,
  groupId: string,
  members: readonly ConsumerGroupMember[],
): void {
  const group = state.consumerGroup(groupId);
  for (const { memberId } of members) {
    if (group?.members.has(memberId) !== true) endMemberTimers(state, groupId, memberId);
  }
}

/** Their timers may find them gone meanwhile. Should that be undone, nothing else would miss them. */
export function expectIfUndone(
  { state, group: { groupId }, decision }: Turn,
  members: readonly ConsumerGroupMember[],
): void {
  decision.ifUndone(() => {
    for (const { memberId, classic } of members) {
      expectBeat(state, groupId, memberId, classic?.sessionTimeoutMs);
    }
  });
}

/** Expressions that nobody has any more. */
function forgetRegexes({ group, decision }: Turn, members: readonly ConsumerGroupMember[]): void {
  for (const regex of new Set(members.map((member) => member.subscribedTopicRegex))) {
    if (regex === '' || group.subscriptions.membersWith(regex) > 0) continue;
    decision.append(regexTombstone(group.groupId, regex));
  }
}
