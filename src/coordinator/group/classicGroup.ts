import { assert, defined } from '../../base/assert.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { CoordinatorRecord } from '../ports.ts';
import type { Reply } from '../runtime/decision.ts';
import type { ClassicGroupMember, MemberProtocol, MemberUpdate } from './classicGroupMember.ts';
import { canFollow, type ClassicGroupState } from './classicGroupState.ts';
import type { CommitClaim, OffsetOwner } from './group.ts';
import { groupTombstone } from './groupTombstone.ts';
import type { JoinGroupResponse } from './messages.ts';
import type { CommittedOffset } from './offsetTable.ts';
import { ProtocolTally } from './protocolTally.ts';
import { subscribedTopics } from './subscription.ts';

interface ClassicGroupOptions {
  readonly groupId: string;
  readonly state: ClassicGroupState;
  readonly generationId: number;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  readonly leaderId: string | null;
  /** When it entered its state, in ms since the epoch; null in records of old versions. */
  readonly stateTimestampMs: bigint | null;
  readonly members: readonly ClassicGroupMember[];
}

/**
 * A group of the classic protocol, or one without members that only keeps offsets (then without protocol
 * type: a simple group). Members and state run ahead of the group's record, which is written when a
 * generation is complete. [ClassicGroup]
 */
export class ClassicGroup implements OffsetOwner {
  readonly type = 'classic';
  readonly groupId: string;
  generationId: number;
  protocolType: string | null;
  protocolName: string | null;
  leaderId: string | null;
  /** A member was added during the initial rebalance, which may therefore wait longer. */
  newMemberAdded = false;
  /** The generation whose assignments are being written. */
  storingGenerationId: number | null = null;
  #state: ClassicGroupState;
  #previousState: ClassicGroupState = 'Dead';
  #stateTimestampMs: bigint | null;
  #subscribedTopics: ReadonlySet<string> | null = null;
  readonly #members = new Map<string, ClassicGroupMember>();
  readonly #staticMemberIds = new Map<string, string>();
  readonly #tally = new ProtocolTally();
  /** Ids given out with MEMBER_ID_REQUIRED whose owners have not joined yet. */
  readonly pendingJoinIds = new Set<string>();
  /** Members of this generation that have not sent SyncGroup yet. */
  readonly pendingSyncIds = new Set<string>();
  #awaitingJoinCount = 0;

  constructor(options: ClassicGroupOptions) {
    this.groupId = options.groupId;
    this.#state = options.state;
    this.generationId = options.generationId;
    this.protocolType = options.protocolType;
    this.protocolName = options.protocolName;
    this.leaderId = options.leaderId;
    this.#stateTimestampMs = options.stateTimestampMs;
    for (const member of options.members) this.add(member);
    this.refreshSubscribedTopics();
  }

  get state(): ClassicGroupState {
    return this.#state;
  }

  get previousState(): ClassicGroupState {
    return this.#previousState;
  }

  get stateTimestampMs(): bigint | null {
    return this.#stateTimestampMs;
  }

  get isEmpty(): boolean {
    return this.#state === 'Empty';
  }

  get size(): number {
    return this.#members.size;
  }

  get awaitingJoinCount(): number {
    return this.#awaitingJoinCount;
  }

  /** A copy, so that members may leave while it is gone through. */
  get members(): ClassicGroupMember[] {
    return [...this.#members.values()];
  }

  get isConsumerGroup(): boolean {
    return this.protocolType === 'consumer';
  }

  get rebalanceTimeoutMs(): number {
    return this.members.reduce((most, member) => Math.max(most, member.rebalanceTimeoutMs), 0);
  }

  get haveAllJoined(): boolean {
    return this.#awaitingJoinCount === this.size && this.pendingJoinIds.size === 0;
  }

  get canRebalance(): boolean {
    return canFollow(this.#state, 'PreparingRebalance');
  }

  moveTo(state: ClassicGroupState, nowMs: number): void {
    assert(
      canFollow(this.#state, state),
      `group ${this.groupId} cannot move from ${this.#state} to ${state}`,
    );
    this.#previousState = this.#state;
    this.#state = state;
    this.#stateTimestampMs = BigInt(Math.floor(nowMs));
  }

  has(memberId: string): boolean {
    return this.#members.has(memberId);
  }

  member(memberId: string): ClassicGroupMember | undefined {
    return this.#members.get(memberId);
  }

  staticMemberId(groupInstanceId: string): string | undefined {
    return this.#staticMemberIds.get(groupInstanceId);
  }

  /** NONE, or why this member may not act. */
  memberError(memberId: string, groupInstanceId: string | null): number {
    if (groupInstanceId !== null) {
      const current = this.#staticMemberIds.get(groupInstanceId);
      if (current === undefined) return errorCodes.UNKNOWN_MEMBER_ID;
      if (current !== memberId) return errorCodes.FENCED_INSTANCE_ID;
    }
    return this.has(memberId) ? errorCodes.NONE : errorCodes.UNKNOWN_MEMBER_ID;
  }

  /** The first member sets the protocol type, and leads until another is elected. */
  add(member: ClassicGroupMember): void {
    if (this.size === 0) this.protocolType = member.protocolType;
    this.leaderId ??= member.memberId;
    if (member.groupInstanceId !== null) {
      this.#staticMemberIds.set(member.groupInstanceId, member.memberId);
    }
    this.#members.set(member.memberId, member);
    this.#tally.add(member.protocols);
    if (member.awaitingJoin !== null) this.#awaitingJoinCount++;
    this.pendingJoinIds.delete(member.memberId);
  }

  /** Takes out a member or a pending one. What it waits for is the caller's to answer. */
  remove(memberId: string): void {
    this.pendingJoinIds.delete(memberId);
    this.pendingSyncIds.delete(memberId);
    const member = this.#members.get(memberId);
    if (member === undefined) return;
    this.#members.delete(memberId);
    this.#tally.remove(member.protocols);
    if (member.awaitingJoin !== null) this.#awaitingJoinCount--;
    if (member.groupInstanceId !== null) this.#staticMemberIds.delete(member.groupInstanceId);
    if (this.leaderId === memberId) {
      this.leaderId = this.#members.keys().next().value ?? null;
    }
  }

  /** Gives a static member's place, assignment and lead to a new member id (KIP-345). */
  replaceStaticMember(oldMemberId: string, newMemberId: string): ClassicGroupMember {
    const old = defined(this.#members.get(oldMemberId), `member ${oldMemberId}`);
    const wasLeader = this.leaderId === oldMemberId;
    const member = old.withMemberId(newMemberId);
    this.remove(oldMemberId);
    this.add(member);
    if (wasLeader) this.leaderId = newMemberId;
    return member;
  }

  update(member: ClassicGroupMember, update: MemberUpdate): void {
    this.#tally.remove(member.protocols);
    member.update(update);
    this.#tally.add(member.protocols);
  }

  /** Sets or ends a member's wait for the others; returns what waited before. */
  park(
    member: ClassicGroupMember,
    reply: Reply<JoinGroupResponse> | null,
  ): Reply<JoinGroupResponse> | null {
    const before = member.awaitingJoin;
    member.awaitingJoin = reply;
    if (this.#members.get(member.memberId) === member) {
      this.#awaitingJoinCount += Number(reply !== null) - Number(before !== null);
    }
    return before;
  }

  /** Whether a member with these protocols can be in the group: it shares one with all others. */
  supports(protocolType: string, protocols: readonly MemberProtocol[]): boolean {
    if (this.#state === 'Empty') return protocolType !== '' && protocols.length > 0;
    return (
      this.protocolType === protocolType &&
      protocols.some(({ name }) => this.#tally.isCommon(name, this.size))
    );
  }

  /** The protocol that all know and most prefer. */
  selectProtocol(): string {
    return this.#tally.elect(this.members);
  }

  /** Moves the lead to a member that did join. False: nobody did, so there is no generation to start. */
  electJoinedLeader(): boolean {
    if (this.leaderId === null) return false;
    if (this.#members.get(this.leaderId)?.awaitingJoin) return true;
    const joined = this.members.find(({ awaitingJoin }) => awaitingJoin !== null);
    if (joined === undefined) return false;
    this.leaderId = joined.memberId;
    return true;
  }

  startNextGeneration(nowMs: number): void {
    this.generationId++;
    this.protocolName = this.size > 0 ? this.selectProtocol() : null;
    this.refreshSubscribedTopics();
    this.moveTo(this.size > 0 ? 'CompletingRebalance' : 'Empty', nowMs);
    this.pendingSyncIds.clear();
  }

  /** Null: not a consumer group, or its metadata cannot be read, so nobody knows. */
  get subscribedTopics(): ReadonlySet<string> | null {
    return this.#subscribedTopics;
  }

  /** A consumer group whose topics are unknown counts as subscribed to all. */
  isSubscribedTo(topic: string): boolean {
    return this.#subscribedTopics?.has(topic) ?? this.isConsumerGroup;
  }

  /**
   * Who may commit: a member of this generation, or, without generation, anybody while the group has no members
   * (admin tools and consumers that assign themselves).
   */
  validateOffsetCommit({ memberId, groupInstanceId, epoch, isTransactional }: CommitClaim): number {
    if (epoch < 0 && this.isEmpty) return errorCodes.NONE;
    const isAnonymous = memberId === '' && groupInstanceId === null;
    if (epoch < 0 && isAnonymous) {
      // A transaction may be of a producer that tells nothing of its consumer.
      return isTransactional ? errorCodes.NONE : errorCodes.UNKNOWN_MEMBER_ID;
    }
    const memberError = this.memberError(memberId, groupInstanceId);
    if (memberError !== errorCodes.NONE) return memberError;
    if (epoch !== this.generationId) return errorCodes.ILLEGAL_GENERATION;
    return !isTransactional && this.#state === 'CompletingRebalance'
      ? errorCodes.REBALANCE_IN_PROGRESS
      : errorCodes.NONE;
  }

  validateOffsetFetch(): number {
    return errorCodes.NONE;
  }

  /** A live group of another protocol keeps all, as nobody knows what it reads. */
  validateOffsetDelete(): number {
    return this.isEmpty || this.isConsumerGroup ? errorCodes.NONE : errorCodes.NON_EMPTY_GROUP;
  }

  validateDeleteGroup(): number {
    return this.isEmpty ? errorCodes.NONE : errorCodes.NON_EMPTY_GROUP;
  }

  /**
   * An empty group counts from when it became empty, a simple group and topics no longer subscribed to from the
   * commit. [ClassicGroup.offsetExpirationCondition]
   */
  retentionStart({ commitTimestampMs }: CommittedOffset): bigint | null {
    if (this.protocolType === null) return commitTimestampMs;
    if (this.isEmpty) return this.#stateTimestampMs ?? commitTimestampMs;
    const isKnown = this.isConsumerGroup && this.#subscribedTopics !== null;
    return isKnown && this.#state === 'Stable' ? commitTimestampMs : null;
  }

  tombstones(): CoordinatorRecord[] {
    return [groupTombstone(this.groupId)];
  }

  refreshSubscribedTopics(): void {
    const metadata = this.members.map((member) => member.metadata(this.protocolName));
    this.#subscribedTopics = this.isConsumerGroup ? subscribedTopics(metadata) : null;
  }
}
