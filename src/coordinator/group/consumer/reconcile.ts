import type { Uuid } from '../../../base/uuid.ts';
import { emptyAssignment, type TopicPartitions } from './assignment.ts';
import { type ConsumerGroupMember, isReconciledTo, sameProgress } from './consumerGroupMember.ts';
import { currentRecord } from './consumerRecords.ts';
import { reconciled } from './currentAssignment.ts';
import { endMemberTimer } from './memberTimers.ts';
import { expectRevocation } from './sessions.ts';
import { topicIdsOf } from './targetAssignment.ts';
import type { Turn } from './turn.ts';

/** What a member's request brings. */
export interface Changes {
  /** Else it is to have nothing until the group changes again. */
  readonly isTargetKnown: boolean;
  readonly hasSubscriptionChanged: boolean;
  readonly reported: readonly TopicPartitions[] | null;
}

/** Moves a member towards its target, if it can move. [GroupMetadataManager.maybeReconcile] */
export function reconcile(
  { state, group, decision }: Turn,
  member: ConsumerGroupMember,
  { isTargetKnown, hasSubscriptionChanged, reported }: Changes,
): ConsumerGroupMember {
  const targetEpoch = group.target.latest.epoch;
  if (!hasSubscriptionChanged && isReconciledTo(member, targetEpoch)) return member;
  const next = reconciled({
    member,
    targetEpoch,
    target: (isTargetKnown && group.targets.get(member.memberId)) || emptyAssignment,
    subscribedTopicIds: topicIdsOf(state, group.subscriptions.topicsOf(member)),
    hasSubscriptionChanged,
    isOwned: (topicId: Uuid, partition: number) =>
      group.partitionEpochs.isOwned(topicId, partition),
    reported,
  });
  if (sameProgress(member, next)) return member;
  decision.append(currentRecord(group.groupId, next));
  // Members of the classic protocol have timers of their own for this.
  if (next.classic === null) {
    if (next.state === 'unrevokedPartitions') expectRevocation(state, group.groupId, next);
    else endMemberTimer(state, 'rebalance', group.groupId, next.memberId);
  }
  return next;
}
