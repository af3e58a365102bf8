import { sortedInSteps } from '../../../base/sortedInSteps.ts';
import type { Steps } from '../../../base/turns.ts';
import { randomUuid } from '../../../base/uuid.ts';
import { consumerConfigOf } from '../groupConfig.ts';
import { type Decision, RefusedError, unknownServerError } from '../../runtime/decision.ts';
import { mayOf } from '../groupAccess.ts';
import type { GroupState } from '../groupState.ts';
import type {
  ConsumerGroupHeartbeatRequest,
  ConsumerGroupHeartbeatResponse,
  GroupRequestContext,
} from '../messages.ts';
import { sameOwned, topicPartitionsOf } from './assignment.ts';
import { beforehand } from './beforehand.ts';
import {
  type ConsumerGroupMember,
  joinEpoch,
  leaveEpoch,
  newConsumerGroupMember,
  staticLeaveEpoch,
} from './consumerGroupMember.ts';
import { leave } from './leave.ts';
import { knownMember, knownStaticMember, refuseIfFull, refuseWrongEpoch } from './memberChecks.ts';
import { openGroup } from './openGroup.ts';
import { reconcile } from './reconcile.ts';
import { refreshRegexes } from './regexes.ts';
import { expectBeat } from './sessions.ts';
import { recordMember, replaceStaticMember } from './subscribe.ts';
import { refreshMetadata, updateTarget } from './targetAssignment.ts';
import type { Turn } from './turn.ts';

export interface Heartbeat {
  readonly request: ConsumerGroupHeartbeatRequest;
  readonly context: GroupRequestContext;
  /** Of the topics that it subscribes to, each once; null: as before. */
  readonly names: ReadonlySet<string> | null;
  /** Their record is more than the log takes. */
  readonly isTooLarge: boolean;
}

interface NameSet {
  readonly names: ReadonlySet<string>;
  /** Less than what they take in a record. */
  readonly leastBytes: number;
}

/** The names of a request, which can be many, in the order of their record, before the coordinator decides on it. */
export function* nameSet(subscribed: readonly string[]): Steps<NameSet> {
  const names = new Set<string>();
  let leastBytes = 0;
  for (const name of yield* sortedInSteps(subscribed)) {
    if (!names.has(name)) leastBytes += 1 + name.length;
    names.add(name);
    yield;
  }
  return { names, leastBytes };
}

/**
 * A member joins, beats, changes its subscription, reports what it has, or leaves: all are one request. What cannot
 * be is thrown as a RefusedError. [GroupMetadataManager.consumerGroupHeartbeat]
 */
export function consumerGroupHeartbeat(
  state: GroupState,
  heartbeat: Heartbeat,
  decision: Decision,
): ConsumerGroupHeartbeatResponse {
  const { memberEpoch } = heartbeat.request;
  const isLeaving = memberEpoch === leaveEpoch || memberEpoch === staticLeaveEpoch;
  if (isLeaving) return leave(state, heartbeat.request, decision);
  return beat(state, heartbeat, decision);
}

function beat(
  state: GroupState,
  { request, context, names, isTooLarge }: Heartbeat,
  decision: Decision,
): ConsumerGroupHeartbeatResponse {
  const isJoining = request.memberEpoch === joinEpoch;
  const { group, afterwards } = openGroup(state, request.groupId, isJoining, decision);
  const turn: Turn = { state, group, decision };
  refuseIfFull(state, group, request);
  const memberId = request.memberId || randomUuid(state.random);
  const known = beforehand(group, { memberId, instanceId: request.instanceId });
  const before = subscriber(turn, { ...request, memberId });
  const after = updated(before, { request, context, names });
  // Who is fenced is told that: the log refuses the record after all is decided.
  if (isTooLarge) throw unknownServerError();
  // Counted only where it can change: the votes are those of all members.
  const isVote = before.serverAssignor !== after.serverAssignor;
  const assignorBefore = isVote ? preferredAssignor(turn) : undefined;
  const change = recordMember(turn, before, after);
  const isOtherAssignor = isVote && preferredAssignor(turn) !== assignorBefore;
  const isBump = change.names || change.isResolved || isOtherAssignor;
  const isRefreshed = isBump || group.isMetadataExpired(state.clock.nowMs());
  if (isRefreshed) refreshMetadata(turn, isBump);
  refreshRegexes(turn, change.refresh, mayOf(context, 'describe', 'topic'));
  const { isHomogeneous } = isRefreshed ? group : known;
  const isAssigned = updateTarget(turn, { ...known, isHomogeneous });
  const member = reconcile(turn, after, {
    isTargetKnown: isAssigned || !known.isNewInstance,
    hasSubscriptionChanged: change.names || change.regex,
    reported: request.topicPartitions,
  });
  expectBeat(state, group.groupId, memberId);
  afterwards();
  return {
    memberId,
    memberEpoch: member.memberEpoch,
    heartbeatIntervalMs: consumerConfigOf(state.config, group.groupId).heartbeatIntervalMs,
    assignment: isAssignmentTold(request, before, member)
      ? { topicPartitions: topicPartitionsOf(member.assigned) }
      : null,
  };
}

function preferredAssignor({ state, group }: Turn): string | undefined {
  return group.preferredAssignor() ?? state.config.consumer.assignors[0];
}

/** Who joins gets an epoch only by being reconciled. */
function subscriber(turn: Turn, request: ConsumerGroupHeartbeatRequest): ConsumerGroupMember {
  const { memberId, memberEpoch, instanceId, topicPartitions } = request;
  const { group } = turn;
  const isJoining = memberEpoch === joinEpoch;
  if (instanceId === null) {
    const member = isJoining
      ? (group.members.get(memberId) ?? newConsumerGroupMember(memberId))
      : knownMember(group, memberId);
    refuseWrongEpoch(member, memberEpoch, topicPartitions);
    return member;
  }
  if (!isJoining) {
    const member = knownStaticMember(group, { memberId, instanceId });
    refuseWrongEpoch(member, memberEpoch, topicPartitions);
    return member;
  }
  const old = group.staticMember(instanceId);
  if (old === undefined) return group.members.get(memberId) ?? newConsumerGroupMember(memberId);
  refuseUnreleased(old, memberId, instanceId);
  return replaceStaticMember(turn, old, memberId);
}

/** Only one that said it would be back, or that still uses the classic protocol, is replaced. */
function refuseUnreleased(old: ConsumerGroupMember, memberId: string, instanceId: string): void {
  if (old.memberEpoch === staticLeaveEpoch || old.classic !== null) return;
  throw new RefusedError(
    'UNRELEASED_INSTANCE_ID',
    `Static member ${memberId} with instance id ${instanceId} cannot join the group because ` +
      `the instance id is owned by ${old.memberId} member.`,
  );
}

/** What a request leaves out stays as it was. */
function updated(
  before: ConsumerGroupMember,
  { request, context: { clientId, clientHost }, names }: Omit<Heartbeat, 'isTooLarge'>,
): ConsumerGroupMember {
  const { rebalanceTimeoutMs } = request;
  return {
    ...before,
    instanceId: request.instanceId ?? before.instanceId,
    rackId: request.rackId ?? before.rackId,
    rebalanceTimeoutMs: rebalanceTimeoutMs === -1 ? before.rebalanceTimeoutMs : rebalanceTimeoutMs,
    serverAssignor: request.serverAssignor ?? before.serverAssignor,
    subscribedTopicNames: names ?? before.subscribedTopicNames,
    subscribedTopicRegex: request.subscribedTopicRegex ?? before.subscribedTopicRegex,
    clientId,
    clientHost,
    classic: null,
  };
}

/** To who joins, who says all that it has (it may have missed answers), or whose assignment changed. */
function isAssignmentTold(
  request: ConsumerGroupHeartbeatRequest,
  before: ConsumerGroupMember,
  member: ConsumerGroupMember,
): boolean {
  const isFullRequest =
    request.rebalanceTimeoutMs !== -1 &&
    (request.subscribedTopicNames !== null || request.subscribedTopicRegex !== null) &&
    request.topicPartitions !== null;
  return (
    request.memberEpoch === joinEpoch ||
    isFullRequest ||
    !sameOwned(before.assigned, member.assigned)
  );
}
