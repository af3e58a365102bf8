import { defined } from '../../../base/assert.ts';
import { ClassicGroup } from '../classicGroup.ts';
import { ClassicGroupMember } from '../classicGroupMember.ts';
import { migrationPolicies } from '../groupConfig.ts';
import { groupMetadataRecord } from '../groupRecords.ts';
import { expectHeartbeat, prepareRebalance } from '../rebalance.ts';
import { emptyAssignment } from './assignment.ts';
import type { ConsumerGroupMember } from './consumerGroupMember.ts';
import { writeAssignment } from './embeddedProtocol.ts';
import type { Turn } from './turn.ts';

/**
 * Whether the group is to be a classic one again without these members: those left all use the classic protocol,
 * and there are some. [GroupMetadataManager.validateOnlineDowngradeWithFencedMembers]
 */
export function isDowngrade(turn: Turn, leaving: readonly ConsumerGroupMember[]): boolean {
  const staying = others(turn, leaving);
  return staying.length > 0 && mayBeClassic(turn, staying, staying.length);
}

/** A static member, the last of the consumer protocol, is to be replaced by one of the classic protocol. */
export function isDowngradeByReplacing(turn: Turn, replaced: ConsumerGroupMember): boolean {
  const { size } = turn.group.members;
  return replaced.classic === null && mayBeClassic(turn, others(turn, [replaced]), size);
}

function mayBeClassic(
  { state }: Turn,
  staying: readonly ConsumerGroupMember[],
  memberCount: number,
): boolean {
  return (
    staying.every(({ classic }) => classic !== null) &&
    migrationPolicies[state.config.consumer.migrationPolicy].mayDowngrade &&
    memberCount <= state.config.maxGroupSize
  );
}

function others({ group }: Turn, leaving: readonly ConsumerGroupMember[]): ConsumerGroupMember[] {
  const gone = new Set(leaving.map(({ memberId }) => memberId));
  return group.members.values().filter(({ memberId }) => !gone.has(memberId));
}

/**
 * The group becomes a classic one, without the members that leave. The others go on with what they were to have,
 * or rebalance for this reason. `generationId` is the epoch before the request.
 * [GroupMetadataManager.convertToClassicGroup]
 */
export function downgrade(
  turn: Turn,
  leaving: readonly ConsumerGroupMember[],
  { generationId, rebalanceReason }: { generationId: number; rebalanceReason: string | null },
): void {
  const { state, group, decision } = turn;
  const classic = new ClassicGroup({
    groupId: group.groupId,
    state: 'Stable',
    generationId,
    protocolType: 'consumer',
    protocolName: null,
    leaderId: null,
    stateTimestampMs: BigInt(Math.floor(state.clock.nowMs())),
    members: others(turn, leaving).map(classicMember),
  });
  classic.protocolName = classic.selectProtocol();
  classic.refreshSubscribedTopics();
  for (const member of classic.members) {
    const metadata = defined(member.metadata(classic.protocolName), 'metadata');
    const target = group.targets.get(member.memberId) ?? emptyAssignment;
    member.assignment = writeAssignment(state.topics, target, metadata);
  }
  for (const record of group.tombstones()) decision.append(record);
  const assignments = new Map(classic.members.map((each) => [each.memberId, each.assignment]));
  decision.persist(groupMetadataRecord(classic, assignments));
  // Not by replay: the record does not tell all protocols that the members know.
  state.groups.set(group.groupId, classic);
  state.logger.info(`group ${group.groupId}: is a classic group now`);
  for (const member of classic.members) expectHeartbeat(state, classic, member);
  if (rebalanceReason !== null) prepareRebalance(state, classic, rebalanceReason, decision);
}

function classicMember(member: ConsumerGroupMember): ClassicGroupMember {
  const { sessionTimeoutMs, supportedProtocols } = defined(member.classic, 'a classic member');
  return new ClassicGroupMember({
    memberId: member.memberId,
    groupInstanceId: member.instanceId,
    clientId: member.clientId,
    clientHost: member.clientHost,
    rebalanceTimeoutMs: member.rebalanceTimeoutMs,
    sessionTimeoutMs,
    protocolType: 'consumer',
    protocols: supportedProtocols,
    assignment: new Uint8Array(0),
  });
}
