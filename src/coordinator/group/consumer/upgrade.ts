import { ProtocolError } from '../../../protocol/protocolError.ts';
import { errorCodes } from '../../../protocol/errors.ts';
import {
  type Decision,
  RefusedError,
  type Reply,
  unknownServerError,
} from '../../runtime/decision.ts';
import type { ClassicGroup } from '../classicGroup.ts';
import type { ClassicGroupMember } from '../classicGroupMember.ts';
import { migrationPolicies } from '../groupConfig.ts';
import type { GroupState } from '../groupState.ts';
import { expectHeartbeat, failParked } from '../rebalance.ts';
import { type Assignment, ownedAt } from './assignment.ts';
import type { ConsumerGroup } from './consumerGroup.ts';
import { type ConsumerGroupMember, newConsumerGroupMember } from './consumerGroupMember.ts';
import {
  currentRecord,
  groupEpochRecord,
  memberRecord,
  targetEpochRecord,
  targetRecord,
} from './consumerRecords.ts';
import { readAssignment, readSubscription } from './embeddedProtocol.ts';
import { expectBeat } from './sessions.ts';

interface Converted {
  readonly member: ConsumerGroupMember;
  readonly target: Assignment;
}

/**
 * A classic group gets its first member of the consumer protocol: it becomes a consumer group, in which the others
 * go on in the classic protocol, with what they have. Those that wait for each other are told to join again, also
 * where what they have then turns out to be none that can be converted. [GroupMetadataManager.convertToConsumerGroup]
 */
export function upgrade(
  state: GroupState,
  classic: ClassicGroup,
  decision: Decision,
): { group: ConsumerGroup; afterwards: () => void } {
  refuseUpgrade(state, classic);
  for (const member of classic.members) {
    failParked(classic, member, errorCodes.REBALANCE_IN_PROGRESS, atOnce);
  }
  const { groupId, generationId } = classic;
  const converted = convertMembers(state, classic);
  for (const record of classic.tombstones()) decision.append(record);
  const group = state.openConsumerGroup(groupId);
  for (const { member } of converted) decision.append(memberRecord(groupId, member));
  const metadataHash = state.metadataHashes.of(group.subscriptions.topicNames);
  decision.append(groupEpochRecord(groupId, generationId, metadataHash));
  for (const { member, target } of converted) {
    decision.append(targetRecord(groupId, member.memberId, target));
  }
  decision.append(targetEpochRecord(groupId, generationId, 0));
  for (const { member } of converted) decision.append(currentRecord(groupId, member));
  state.logger.info(`group ${groupId}: is a consumer group now`);
  const afterwards = (): void => {
    for (const member of classic.members) {
      expectBeat(state, groupId, member.memberId, member.sessionTimeoutMs);
    }
    decision.ifUndone(() => {
      for (const member of classic.members) expectHeartbeat(state, classic, member);
    });
  };
  return { group, afterwards };
}

/** Whatever becomes of the decision. */
const atOnce = { answer: <T>(reply: Reply<T>, response: T) => reply.send(response) };

function refuseUpgrade({ config }: GroupState, classic: ClassicGroup): void {
  if (!migrationPolicies[config.consumer.migrationPolicy].mayUpgrade) {
    throw refusal(classic, 'online upgrade is disabled.');
  }
  if (!classic.isConsumerGroup) {
    throw refusal(classic, 'the group does not use the consumer embedded protocol.');
  }
  if (classic.size > config.consumer.maxGroupSize) {
    throw refusal(classic, 'the group size exceeds the consumer group maximum size.');
  }
}

function refusal({ groupId }: ClassicGroup, reason: string): RefusedError {
  return new RefusedError(
    'GROUP_ID_NOT_FOUND',
    `Cannot upgrade classic group ${groupId} to consumer group because ${reason}`,
  );
}

function convertMembers(state: GroupState, classic: ClassicGroup): Converted[] {
  try {
    return classic.members.map((member) => convert(state, classic, member));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw refusal(classic, 'the embedded consumer protocol is malformed.');
  }
}

function convert(state: GroupState, classic: ClassicGroup, member: ClassicGroupMember): Converted {
  const { assignment: target, isPlain } = readAssignment(state.topics, member.assignment);
  if (!isPlain) {
    throw refusal(
      classic,
      'an unsupported custom assignor is in use. Please refer to the documentation or switch ' +
        'to a default assignor before re-attempting the upgrade.',
    );
  }
  // Before its first generation a group has chosen no protocol, and who joins may not know the one that it has.
  const metadata = member.metadata(classic.protocolName);
  if (metadata === undefined) throw unknownServerError();
  const { topics, rackId } = readSubscription(metadata);
  const epoch = classic.generationId;
  return {
    target,
    member: {
      ...newConsumerGroupMember(member.memberId),
      memberEpoch: epoch,
      previousMemberEpoch: epoch,
      instanceId: member.groupInstanceId,
      rackId: rackId || null,
      rebalanceTimeoutMs: member.rebalanceTimeoutMs,
      clientId: member.clientId,
      clientHost: member.clientHost,
      subscribedTopicNames: new Set(topics),
      assigned: ownedAt(target, epoch),
      classic: {
        sessionTimeoutMs: member.sessionTimeoutMs,
        supportedProtocols: member.protocols,
      },
    },
  };
}
