import { defined } from '../../../base/assert.ts';
import { randomUuid } from '../../../base/uuid.ts';
import { errorCodes } from '../../../protocol/errors.ts';
import { ProtocolError } from '../../../protocol/protocolError.ts';
import { RefusedError } from '../../runtime/decision.ts';
import type { Join } from '../join.ts';
import { ProtocolTally } from '../protocolTally.ts';
import { beforehand } from './beforehand.ts';
import type { ConsumerGroup } from './consumerGroup.ts';
import { type ConsumerGroupMember, newConsumerGroupMember } from './consumerGroupMember.ts';
import { downgrade, isDowngradeByReplacing } from './downgrade.ts';
import { readSubscription, withTopicIds } from './embeddedProtocol.ts';
import { knownStaticMember, refuseIfFull } from './memberChecks.ts';
import { endMemberTimer } from './memberTimers.ts';
import { type Changes, reconcile } from './reconcile.ts';
import { refreshRegexes } from './regexes.ts';
import { expectIfUndone, expectBeat, expectClassicSync } from './sessions.ts';
import { recordMember, replaceStaticMember } from './subscribe.ts';
import { refreshMetadata, updateTarget } from './targetAssignment.ts';
import type { Turn } from './turn.ts';

/** From this version on a dynamic member first asks for its id (KIP-394). */
const firstVersionWithRequiredMemberId = 4;

/**
 * A member of the classic protocol joins a consumer group. It waits for nobody: its generation is its epoch, and its
 * assignment is there when it syncs. [GroupMetadataManager.classicGroupJoinToConsumerGroup]
 */
export function joinConsumerGroup(turn: Turn, join: Join): void {
  const { state, group, decision } = turn;
  const { epoch: epochBefore } = group.epoch.latest;
  const isUnknown = join.memberId === '';
  const memberId = isUnknown ? randomUuid(state.random) : join.memberId;
  const instanceId = join.groupInstanceId;
  refuseJoin(turn, { ...join, memberId });
  const needsId = isUnknown && instanceId === null;
  if (needsId && join.apiVersion >= firstVersionWithRequiredMemberId) {
    decision.answer(join.reply, { memberId, errorCode: errorCodes.MEMBER_ID_REQUIRED });
    return;
  }
  const old = group.staticMember(instanceId);
  const isBack = old !== undefined && isDowngradeByReplacing(turn, old);
  const known = beforehand(group, { memberId, instanceId });
  const before = subscriber(turn, { ...join, memberId }, isUnknown);
  const subscription = subscriptionOf(join);
  const after = updated(before, join, subscription);
  const change = recordMember(turn, before, after);
  const hasSubscriptionChanged = change.names || change.regex;
  const isRefreshed = hasSubscriptionChanged || group.isMetadataExpired(state.clock.nowMs());
  if (isRefreshed) refreshMetadata(turn, hasSubscriptionChanged);
  refreshRegexes(turn, change.refresh, join.mayDescribe);
  const reported = withTopicIds(state.topics, subscription.ownedPartitions);
  const { isHomogeneous } = isRefreshed ? group : known;
  const changes = { isTargetKnown: true, hasSubscriptionChanged, reported };
  if (!isBack) updateTarget(turn, { ...known, isHomogeneous });
  const member = isBack
    ? goBack(turn, after, { ...changes, epochBefore })
    : reconcile(turn, after, changes);
  answer(turn, join, member, isBack);
}

/** The last member of the consumer protocol came back with the classic one: the group is a classic one again. */
function goBack(
  turn: Turn,
  member: ConsumerGroupMember,
  changes: Changes & { readonly epochBefore: number },
): ConsumerGroupMember {
  const { group } = turn;
  const isStale = group.target.latest.epoch < group.epoch.latest.epoch;
  const next = isStale ? member : reconcile(turn, member, changes);
  expectIfUndone(turn, group.members.values());
  downgrade(turn, [], {
    generationId: changes.epochBefore,
    rebalanceReason: isStale ? 'a member changed its protocol and its subscription' : null,
  });
  return next;
}

function refuseJoin({ state, group }: Turn, join: Join): void {
  if (state.config.consumer.migrationPolicy === 'disabled') {
    throw new RefusedError(
      'INCONSISTENT_GROUP_PROTOCOL',
      `Cannot join the consumer group ${group.groupId} with the classic protocol because ` +
        'the group migration is disabled.',
    );
  }
  refuseIfFull(state, group, { memberId: join.memberId, instanceId: join.groupInstanceId });
  if (!supports(group, join)) {
    const message = `Member ${join.memberId}'s protocols are not supported.`;
    throw new RefusedError('INCONSISTENT_GROUP_PROTOCOL', message);
  }
}

/** It knows a protocol that all classic members know, each once. [ConsumerGroup.supportsClassicProtocols] */
function supports(group: ConsumerGroup, { protocolType, protocols }: Join): boolean {
  if (protocolType !== 'consumer') return false;
  const present = group.members.values().flatMap(({ classic }) => classic ?? []);
  const tally = new ProtocolTally();
  for (const { supportedProtocols } of present) tally.add(supportedProtocols);
  return protocols.some(({ name }) => tally.isCommon(name, present.length));
}

function subscriber(turn: Turn, join: Join, isUnknown: boolean): ConsumerGroupMember {
  const { group } = turn;
  const { memberId, groupInstanceId: instanceId } = join;
  if (instanceId === null) return group.members.get(memberId) ?? newConsumerGroupMember(memberId);
  if (!isUnknown) return knownStaticMember(group, { memberId, instanceId });
  const old = group.staticMember(instanceId);
  return old === undefined
    ? newConsumerGroupMember(memberId)
    : replaceStaticMember(turn, old, memberId);
}

function subscriptionOf({ protocols }: Join) {
  try {
    return readSubscription(defined(protocols[0], 'a protocol').metadata);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new RefusedError(
      'INCONSISTENT_GROUP_PROTOCOL',
      'Malformed embedded consumer protocol in subscription deserialization.',
    );
  }
}

function updated(
  before: ConsumerGroupMember,
  join: Join,
  { topics, rackId }: ReturnType<typeof readSubscription>,
): ConsumerGroupMember {
  const { sessionTimeoutMs, rebalanceTimeoutMs } = join;
  return {
    ...before,
    instanceId: join.groupInstanceId ?? before.instanceId,
    rackId: rackId || before.rackId,
    rebalanceTimeoutMs: rebalanceTimeoutMs === -1 ? before.rebalanceTimeoutMs : rebalanceTimeoutMs,
    subscribedTopicNames: new Set(topics),
    subscribedTopicRegex: '',
    clientId: join.clientId,
    clientHost: join.clientHost,
    classic: { sessionTimeoutMs, supportedProtocols: join.protocols },
  };
}

function answer(turn: Turn, join: Join, member: ConsumerGroupMember, isBack: boolean): void {
  const { state, group, decision } = turn;
  const { memberId, memberEpoch } = member;
  decision.answer(join.reply, {
    memberId,
    generationId: memberEpoch,
    protocolType: 'consumer',
    protocolName: join.protocols[0]?.name ?? '',
  });
  decision.afterwards((errorCode) => {
    if (errorCode !== errorCodes.NONE) return;
    endMemberTimer(state, 'join', group.groupId, memberId);
    if (isBack) return;
    expectBeat(state, group.groupId, memberId, join.sessionTimeoutMs);
    expectClassicSync(state, group.groupId, { memberId, timeoutMs: join.rebalanceTimeoutMs });
  });
}
