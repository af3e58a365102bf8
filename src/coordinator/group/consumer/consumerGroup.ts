import { errorCodes } from '../../../protocol/errors.ts';
import { leastSlots, slotsAfter } from '../../javaOrder.ts';
import type { CoordinatorRecord } from '../../ports.ts';
import { type Timeline, TimelineMap, TimelineValue } from '../../runtime/timeline.ts';
import type { CommitClaim, FetchClaim, OffsetOwner, TopicIdPartition } from '../group.ts';
import type { CommittedOffset } from '../offsetTable.ts';
import type { Assignment } from './assignment.ts';
import {
  type ConsumerGroupMember,
  epochOfAssignment,
  isReconciledTo,
} from './consumerGroupMember.ts';
import { type ConsumerGroupState, consumerGroupState } from './consumerGroupState.ts';
import {
  currentTombstone,
  groupEpochTombstone,
  memberTombstone,
  partitionMetadataTombstone,
  regexTombstone,
  targetEpochTombstone,
  targetTombstone,
} from './consumerRecords.ts';
import { PartitionEpochs } from './partitionEpochs.ts';
import { type ResolvedRegex, Subscriptions } from './subscriptions.ts';

/** From this version on OffsetCommit knows member epochs. */
const firstCommitVersionWithEpochs = 9;

/** What the group is to be assigned: grows with every change of members, subscriptions or topics. */
export interface GroupEpoch {
  readonly epoch: number;
  /** Of the topics that are subscribed to, as they were then. */
  readonly metadataHash: bigint;
}

/** Which group epoch the target assignment is for, and when it was made. */
export interface TargetEpoch {
  readonly epoch: number;
  /** 0: there is none to wait after. */
  readonly timestampMs: number;
}

/** A target assignment that is deleted. */
export const noTargetEpoch: TargetEpoch = { epoch: -1, timestampMs: 0 };

/**
 * A group of the consumer protocol (KIP-848): the coordinator assigns, members follow one by one. All that is
 * durable is in its records and changes by their replay alone. [ModernGroup, ConsumerGroup]
 */
export class ConsumerGroup implements OffsetOwner {
  readonly type = 'consumer';
  readonly protocolType = 'consumer';
  readonly groupId: string;
  readonly members: TimelineMap<string, ConsumerGroupMember>;
  readonly targets: TimelineMap<string, Assignment>;
  readonly epoch: TimelineValue<GroupEpoch>;
  readonly target: TimelineValue<TargetEpoch>;
  /** A record of a broker before 4.1 is there, to be deleted. */
  readonly hasPartitionMetadata: TimelineValue<boolean>;
  readonly subscriptions: Subscriptions;
  /** Set where expressions were matched since a member last changed, which Kafka's own note does not go by. */
  readonly #wasHomogeneous: TimelineValue<boolean | undefined>;
  readonly partitionEpochs: PartitionEpochs;
  readonly #staticMemberIds: TimelineMap<string, string>;
  #memberSlots = leastSlots;
  /** Until when the topics need not be looked at, if the group's epoch is still this one. */
  #metadataFresh = { untilMs: 0, epoch: 0 };

  constructor(timeline: Timeline, groupId: string) {
    this.groupId = groupId;
    this.members = new TimelineMap(timeline);
    this.targets = new TimelineMap(timeline);
    this.epoch = new TimelineValue<GroupEpoch>(timeline, { epoch: 1, metadataHash: 0n });
    this.target = new TimelineValue<TargetEpoch>(timeline, { epoch: 1, timestampMs: 0 });
    this.hasPartitionMetadata = new TimelineValue(timeline, false);
    this.subscriptions = new Subscriptions(timeline);
    this.#wasHomogeneous = new TimelineValue<boolean | undefined>(timeline, undefined);
    this.partitionEpochs = new PartitionEpochs(timeline);
    this.#staticMemberIds = new TimelineMap(timeline);
  }

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  get state(): ConsumerGroupState {
    const targetEpoch = this.target.latest.epoch;
    return stateOf(this.members.values(), this.epoch.latest.epoch, targetEpoch);
  }

  get committedState(): ConsumerGroupState {
    const targetEpoch = this.target.committed.epoch;
    return stateOf(this.members.committedValues(), this.epoch.committed.epoch, targetEpoch);
  }

  /** What Kafka's table of the members has: it grew as they came, and stays so when they go. */
  get memberSlots(): number {
    return this.#memberSlots;
  }

  get isHomogeneous(): boolean {
    return this.subscriptions.isHomogeneous(this.members.size);
  }

  /** As Kafka has noted when a member last came, went or changed. [ModernGroup.subscriptionType] */
  get notedHomogeneous(): boolean {
    return this.#wasHomogeneous.latest ?? this.isHomogeneous;
  }

  staticMember(instanceId: string | null): ConsumerGroupMember | undefined {
    const memberId = instanceId === null ? undefined : this.#staticMemberIds.get(instanceId);
    return memberId === undefined ? undefined : this.members.get(memberId);
  }

  /** Sets a member, or with undefined takes it out. For replay. */
  setMember(memberId: string, member: ConsumerGroupMember | undefined): void {
    const before = this.members.get(memberId);
    if (member) this.#memberSlots = slotsAfter(this.#memberSlots, this.members.size);
    this.members.set(memberId, member);
    this.subscriptions.replace(before, member);
    this.#wasHomogeneous.set(undefined);
    this.partitionEpochs.replace(before, member);
    if (before?.instanceId === member?.instanceId) return;
    if (before?.instanceId) this.#staticMemberIds.set(before.instanceId, undefined);
    if (member?.instanceId) this.#staticMemberIds.set(member.instanceId, memberId);
  }

  /** What an expression matches now; undefined: nobody has it any more. For replay. */
  resolve(regex: string, resolved: ResolvedRegex | undefined): void {
    this.#wasHomogeneous.set(this.notedHomogeneous);
    this.subscriptions.resolve(regex, resolved);
  }

  isMetadataExpired(nowMs: number): boolean {
    const { untilMs, epoch } = this.#metadataFresh;
    return nowMs >= untilMs || this.epoch.latest.epoch < epoch;
  }

  keepMetadataUntil(untilMs: number): void {
    this.#metadataFresh = { untilMs, epoch: this.epoch.latest.epoch };
  }

  /** A topic that the group subscribes to has changed. */
  requestMetadataRefresh(): void {
    this.#metadataFresh = { untilMs: 0, epoch: 0 };
  }

  /** The assignor that most members ask for; undefined: none asks. */
  preferredAssignor(members: readonly ConsumerGroupMember[] = this.members.values()) {
    return mostVoted(members);
  }

  /** A member may commit in its epoch, or in an older one what it has had since then. */
  validateOffsetCommit(claim: CommitClaim, partitions: Iterable<TopicIdPartition>): number {
    const { memberId, epoch, isTransactional } = claim;
    if (epoch < 0 && this.isEmpty) return errorCodes.NONE;
    const isAnonymous = epoch === -1 && memberId === '' && claim.groupInstanceId === null;
    if (isTransactional && isAnonymous) return errorCodes.NONE;
    const member = this.members.get(memberId);
    if (member === undefined) return errorCodes.UNKNOWN_MEMBER_ID;
    const isOld = !isTransactional && claim.apiVersion < firstCommitVersionWithEpochs;
    if (isOld && member.classic === null) return errorCodes.UNSUPPORTED_VERSION;
    if (epoch === member.memberEpoch) return errorCodes.NONE;
    if (epoch > member.memberEpoch) return staleError(member);
    for (const { topicId, partition } of partitions) {
      const since = epochOfAssignment(member, topicId, partition);
      if (since === undefined || epoch < since) return staleError(member);
    }
    return errorCodes.NONE;
  }

  validateOffsetFetch(
    { memberId, memberEpoch }: FetchClaim,
    members: 'committed' | 'latest',
  ): number {
    if (memberId === null && memberEpoch < 0) return errorCodes.NONE;
    const key = memberId ?? '';
    const member = members === 'latest' ? this.members.get(key) : this.members.getCommitted(key);
    if (member === undefined) return errorCodes.UNKNOWN_MEMBER_ID;
    return memberEpoch === member.memberEpoch ? errorCodes.NONE : staleError(member);
  }

  validateOffsetDelete(): number {
    return errorCodes.NONE;
  }

  validateDeleteGroup(): number {
    return this.isEmpty ? errorCodes.NONE : errorCodes.NON_EMPTY_GROUP;
  }

  isSubscribedTo(topic: string): boolean {
    return this.subscriptions.has(topic);
  }

  /** [ConsumerGroup.offsetExpirationCondition] */
  retentionStart({ commitTimestampMs }: CommittedOffset): bigint {
    return commitTimestampMs;
  }

  /** In Kafka's order. */
  tombstones(): CoordinatorRecord[] {
    const { groupId } = this;
    const memberIds = this.members.values().map(({ memberId }) => memberId);
    const regexes = this.subscriptions.resolvedRegexes.map(([regex]) => regex);
    return [
      ...memberIds.map((memberId) => currentTombstone(groupId, memberId)),
      ...memberIds.map((memberId) => targetTombstone(groupId, memberId)),
      targetEpochTombstone(groupId),
      ...memberIds.map((memberId) => memberTombstone(groupId, memberId)),
      ...regexes.map((regex) => regexTombstone(groupId, regex)),
      partitionMetadataTombstone(groupId),
      groupEpochTombstone(groupId),
    ];
  }
}

function stateOf(
  members: readonly ConsumerGroupMember[],
  groupEpoch: number,
  targetEpoch: number,
): ConsumerGroupState {
  return consumerGroupState({
    memberCount: members.length,
    groupEpoch,
    targetEpoch,
    isReconciled: () => members.every((member) => isReconciledTo(member, targetEpoch)),
  });
}

function staleError({ classic }: ConsumerGroupMember): number {
  return classic === null ? errorCodes.STALE_MEMBER_EPOCH : errorCodes.ILLEGAL_GENERATION;
}

/** Of `uniform` and `range` with as many votes, `uniform` wins, as it comes first in Kafka's hash tables. */
function mostVoted(members: readonly ConsumerGroupMember[]): string | undefined {
  const votes = new Map<string, number>();
  for (const { serverAssignor } of members) {
    if (serverAssignor !== null) votes.set(serverAssignor, (votes.get(serverAssignor) ?? 0) + 1);
  }
  const [winner] = [...votes].sort(
    ([one, ones], [other, others]) => others - ones || (one < other ? 1 : -1),
  );
  return winner?.[0];
}
