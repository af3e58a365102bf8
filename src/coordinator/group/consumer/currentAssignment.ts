import type { Uuid } from '../../../base/uuid.ts';
import { RefusedError } from '../../runtime/decision.ts';
import {
  type Assignment,
  noPartitions,
  type OwnedPartitions,
  type TopicPartitions,
} from './assignment.ts';
import type { ConsumerGroupMember, MemberState } from './consumerGroupMember.ts';

/** What a member's next step depends on. */
export interface Reconciliation {
  readonly member: ConsumerGroupMember;
  readonly targetEpoch: number;
  readonly target: Assignment;
  /** The topics that it subscribes to now; what it has of others it is to give up. */
  readonly subscribedTopicIds: ReadonlySet<Uuid>;
  readonly hasSubscriptionChanged: boolean;
  /** Somebody has the partition, or has it still to give up. */
  readonly isOwned: (topicId: Uuid, partition: number) => boolean;
  /** The partitions that the member says it has; null: it does not say. */
  readonly reported: readonly TopicPartitions[] | null;
}

type Step = (reconciliation: Reconciliation) => ConsumerGroupMember;

/** What becomes of a member in each state. [CurrentAssignmentBuilder] */
const steps: Readonly<Record<MemberState, Step>> = {
  stable(reconciliation) {
    const { member, targetEpoch, hasSubscriptionChanged } = reconciliation;
    if (member.memberEpoch !== targetEpoch) return follow(reconciliation);
    return hasSubscriptionChanged ? dropUnsubscribed(reconciliation) : member;
  },
  /** It goes on once it does not report what it is to give up any more. */
  unrevokedPartitions(reconciliation) {
    const { member, hasSubscriptionChanged } = reconciliation;
    if (!stillHas(reconciliation, member.pendingRevocation)) return follow(reconciliation);
    return hasSubscriptionChanged ? dropUnsubscribed(reconciliation) : member;
  },
  unreleasedPartitions: follow,
  /** Of a later release: it starts over, without partitions. */
  unknown(reconciliation) {
    if (reconciliation.reported?.length !== 0) {
      throw new RefusedError(
        'FENCED_MEMBER_EPOCH',
        'The consumer group member is in a unknown state. ' +
          'The member must abandon all its partitions and rejoin.',
      );
    }
    return follow(reconciliation);
  },
};

/** The member a step nearer to its target, or as it is if it cannot move. */
export function reconciled(reconciliation: Reconciliation): ConsumerGroupMember {
  return steps[reconciliation.member.state](reconciliation);
}

/** Without a report it may have all that it had. */
function stillHas({ reported }: Reconciliation, partitions: OwnedPartitions): boolean {
  if (reported === null) return true;
  return reported.some((topic) => {
    const pending = partitions.get(topic.topicId);
    return pending !== undefined && topic.partitions.some((each) => pending.has(each));
  });
}

function atEpoch(member: ConsumerGroupMember, memberEpoch: number): ConsumerGroupMember {
  return { ...member, memberEpoch, previousMemberEpoch: member.memberEpoch };
}

/**
 * The quick way where only the subscription changed: what is not subscribed to any more is to be given up. Who
 * subscribes to nothing loses its epoch of before, also where it has nothing to give up. [CurrentAssignmentBuilder]
 */
function dropUnsubscribed(reconciliation: Reconciliation): ConsumerGroupMember {
  const { member, subscribedTopicIds } = reconciliation;
  const assigned = new Map(member.assigned);
  const pendingRevocation = new Map(member.pendingRevocation);
  for (const [topicId, partitions] of member.assigned) {
    if (subscribedTopicIds.has(topicId)) continue;
    assigned.delete(topicId);
    const pending = pendingRevocation.get(topicId) ?? [];
    pendingRevocation.set(topicId, new Map([...pending, ...partitions]));
  }
  const readsNothing = subscribedTopicIds.size === 0 && member.pendingRevocation.size === 0;
  if (assigned.size === member.assigned.size && !readsNothing) return member;
  const next = { ...atEpoch(member, member.memberEpoch), assigned };
  return pendingRevocation.size > 0 && stillHas(reconciliation, pendingRevocation)
    ? { ...next, state: 'unrevokedPartitions', pendingRevocation }
    : next;
}

/**
 * First it gives up what is not in its target, in its old epoch; then it gets the target's epoch, and of the target
 * what is free.
 */
function follow(reconciliation: Reconciliation): ConsumerGroupMember {
  const { member, targetEpoch } = reconciliation;
  const kept = new Map<Uuid, ReadonlyMap<number, number>>();
  const toRevoke = new Map<Uuid, ReadonlyMap<number, number>>();
  for (const [topicId, partitions] of member.assigned) {
    const target = targetOf(reconciliation, topicId);
    const [staying, going] = split(partitions, target);
    if (staying.size > 0) kept.set(topicId, staying);
    if (going.size > 0) toRevoke.set(topicId, going);
  }
  if (toRevoke.size > 0 && stillHas(reconciliation, toRevoke)) {
    return {
      ...atEpoch(member, member.memberEpoch),
      state: 'unrevokedPartitions',
      assigned: kept,
      pendingRevocation: toRevoke,
    };
  }
  const { assigned, isComplete } = take(reconciliation, kept);
  return {
    ...atEpoch(member, targetEpoch),
    state: isComplete ? 'stable' : 'unreleasedPartitions',
    assigned,
    pendingRevocation: noPartitions,
  };
}

const none: ReadonlySet<number> = new Set();

function targetOf({ target, subscribedTopicIds }: Reconciliation, topicId: Uuid) {
  return subscribedTopicIds.has(topicId) ? (target.get(topicId) ?? none) : none;
}

function split(partitions: ReadonlyMap<number, number>, target: ReadonlySet<number>) {
  const staying = new Map<number, number>();
  const going = new Map<number, number>();
  for (const [partition, epoch] of partitions) {
    (target.has(partition) ? staying : going).set(partition, epoch);
  }
  return [staying, going] as const;
}

/** Adds what is free of the target. What the member itself has just given up is free for it. */
function take(reconciliation: Reconciliation, kept: OwnedPartitions) {
  const { member, target, targetEpoch, isOwned } = reconciliation;
  const assigned = new Map(kept);
  let isComplete = true;
  for (const topicId of target.keys()) {
    const present = assigned.get(topicId);
    const pending = member.pendingRevocation.get(topicId);
    const added: [number, number][] = [];
    for (const partition of targetOf(reconciliation, topicId)) {
      if (present?.has(partition)) continue;
      if (!isOwned(topicId, partition) || pending?.has(partition))
        added.push([partition, targetEpoch]);
      else isComplete = false;
    }
    if (added.length > 0) assigned.set(topicId, new Map([...(present ?? []), ...added]));
  }
  return { assigned, isComplete };
}
