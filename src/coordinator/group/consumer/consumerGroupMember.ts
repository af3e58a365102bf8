import type { Uuid } from '../../../base/uuid.ts';
import type { MemberProtocol } from '../classicGroupMember.ts';
import { noPartitions, type OwnedPartitions, sameOwned } from './assignment.ts';

/**
 * How far a member is on the way to its target assignment: there; asked to give partitions up first; waiting for
 * others to give theirs up. Unknown: written by a later release. [MemberState]
 */
export type MemberState = 'stable' | 'unrevokedPartitions' | 'unreleasedPartitions' | 'unknown';

/** As records have them. */
export const memberStateCodes: Readonly<Record<MemberState, number>> = {
  stable: 0,
  unrevokedPartitions: 1,
  unreleasedPartitions: 2,
  unknown: 127,
};

export function memberStateOf(code: number): MemberState {
  const states = Object.keys(memberStateCodes) as MemberState[];
  return states.find((state) => memberStateCodes[state] === code) ?? 'unknown';
}

/** Epochs that ask for something. [ConsumerGroupHeartbeatRequest] */
export const joinEpoch = 0;
export const leaveEpoch = -1;
/** A static member goes, and will be back. */
export const staticLeaveEpoch = -2;

/** What a member that still uses the classic protocol brought with its JoinGroup. */
export interface ClassicMemberMetadata {
  readonly sessionTimeoutMs: number;
  readonly supportedProtocols: readonly MemberProtocol[];
}

/** A member of a consumer group. Immutable: a change makes another. [ConsumerGroupMember] */
export interface ConsumerGroupMember {
  readonly memberId: string;
  readonly memberEpoch: number;
  readonly previousMemberEpoch: number;
  readonly state: MemberState;
  readonly instanceId: string | null;
  readonly rackId: string | null;
  readonly rebalanceTimeoutMs: number;
  readonly clientId: string;
  readonly clientHost: string;
  readonly subscribedTopicNames: ReadonlySet<string>;
  /** Empty: none. */
  readonly subscribedTopicRegex: string;
  readonly serverAssignor: string | null;
  readonly assigned: OwnedPartitions;
  readonly pendingRevocation: OwnedPartitions;
  /** Null: it uses the consumer protocol. */
  readonly classic: ClassicMemberMetadata | null;
}

export function newConsumerGroupMember(memberId: string): ConsumerGroupMember {
  return {
    memberId,
    memberEpoch: 0,
    previousMemberEpoch: -1,
    state: 'stable',
    instanceId: null,
    rackId: null,
    rebalanceTimeoutMs: -1,
    clientId: '',
    clientHost: '',
    subscribedTopicNames: new Set(),
    subscribedTopicRegex: '',
    serverAssignor: null,
    assigned: noPartitions,
    pendingRevocation: noPartitions,
    classic: null,
  };
}

export function isReconciledTo(member: ConsumerGroupMember, targetEpoch: number): boolean {
  return member.state === 'stable' && member.memberEpoch === targetEpoch;
}

/** The member epoch at which it got a partition that it has or is to give up; undefined: it has it not. */
export function epochOfAssignment(
  { assigned, pendingRevocation }: ConsumerGroupMember,
  topicId: Uuid,
  partition: number,
): number | undefined {
  return assigned.get(topicId)?.get(partition) ?? pendingRevocation.get(topicId)?.get(partition);
}

export function sameNames(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  for (const name of one) if (!other.has(name)) return false;
  return true;
}

/** What one member's metadata record would say is what the other's does. */
export function sameMetadata(one: ConsumerGroupMember, other: ConsumerGroupMember): boolean {
  return (
    one.instanceId === other.instanceId &&
    one.rackId === other.rackId &&
    one.rebalanceTimeoutMs === other.rebalanceTimeoutMs &&
    one.clientId === other.clientId &&
    one.clientHost === other.clientHost &&
    one.subscribedTopicRegex === other.subscribedTopicRegex &&
    one.serverAssignor === other.serverAssignor &&
    sameNames(one.subscribedTopicNames, other.subscribedTopicNames) &&
    sameClassic(one.classic, other.classic)
  );
}

function sameClassic(one: ClassicMemberMetadata | null, other: ClassicMemberMetadata | null) {
  if (one === null || other === null) return one === other;
  return (
    one.sessionTimeoutMs === other.sessionTimeoutMs &&
    one.supportedProtocols.length === other.supportedProtocols.length &&
    one.supportedProtocols.every((protocol, index) => {
      const twin = other.supportedProtocols[index];
      return twin?.name === protocol.name && Buffer.compare(twin.metadata, protocol.metadata) === 0;
    })
  );
}

/** What one member's current-assignment record would say is what the other's does. */
export function sameProgress(one: ConsumerGroupMember, other: ConsumerGroupMember): boolean {
  return (
    one.memberEpoch === other.memberEpoch &&
    one.previousMemberEpoch === other.previousMemberEpoch &&
    one.state === other.state &&
    sameOwned(one.assigned, other.assigned) &&
    sameOwned(one.pendingRevocation, other.pendingRevocation)
  );
}
