import { encodeVersioned } from '../../../protocol/messageCodec.ts';
import {
  encodeRecordKey,
  groupRecordTypes,
} from '../../../protocol/records/coordinatorRecordCodec.ts';
import type { Message, MessageInput } from '../../../protocol/schema.ts';
import type { CoordinatorRecord } from '../../ports.ts';
import type { PreparedRecord } from '../preparedRecords.ts';
import { type Assignment, type OwnedPartitions, topicPartitionsOf } from './assignment.ts';
import { type ConsumerGroupMember, memberStateCodes } from './consumerGroupMember.ts';
import type { ResolvedRegex } from './subscriptions.ts';

/** The records of consumer groups. [GroupCoordinatorRecordHelpers] */

type Kind = Exclude<keyof typeof groupRecordTypes, 'offsetCommit' | 'groupMetadata'>;
type Key<K extends Kind> = MessageInput<(typeof groupRecordTypes)[K]['key']>;
type Value<K extends Kind> = MessageInput<(typeof groupRecordTypes)[K]['value']>;

/** All of them have one version. */
const valueVersion = 0;

function record<K extends Kind>(kind: K, key: Key<K>, value: Value<K> | null): CoordinatorRecord {
  const type: (typeof groupRecordTypes)[K] = groupRecordTypes[kind];
  return {
    key: encodeRecordKey(type, key),
    value: value && encodeVersioned(type.value, valueVersion, value),
  };
}

/** Names can be many: the record need not be read for what it says. */
export function memberRecord(groupId: string, member: ConsumerGroupMember): CoordinatorRecord {
  const { memberId, instanceId, rackId, clientId, clientHost, rebalanceTimeoutMs } = member;
  const key = { groupId, memberId };
  const value = {
    instanceId,
    rackId,
    clientId,
    clientHost,
    rebalanceTimeoutMs,
    subscribedTopicNames: [...member.subscribedTopicNames].sort(),
    subscribedTopicRegex: member.subscribedTopicRegex,
    serverAssignor: member.serverAssignor,
    classicMemberMetadata: member.classic,
  };
  const made = record('consumerMember', key, value);
  const { classicMemberMetadata } = value;
  if (classicMemberMetadata !== null) return made;
  const decoded = {
    kind: 'consumerMember',
    key,
    value: { ...value, classicMemberMetadata },
  } as const;
  const said: PreparedRecord = { ...made, decoded };
  return said;
}

export function memberTombstone(groupId: string, memberId: string): CoordinatorRecord {
  return record('consumerMember', { groupId, memberId }, null);
}

export function groupEpochRecord(
  groupId: string,
  epoch: number,
  metadataHash: bigint,
): CoordinatorRecord {
  return record('consumerGroup', { groupId }, { epoch, metadataHash });
}

export function groupEpochTombstone(groupId: string): CoordinatorRecord {
  return record('consumerGroup', { groupId }, null);
}

/** Brokers before 4.1 wrote what there is of topics; now a hash of it is in the group's own record (KIP-1101). */
export function partitionMetadataTombstone(groupId: string): CoordinatorRecord {
  return record('consumerPartitionMetadata', { groupId }, null);
}

export function targetRecord(
  groupId: string,
  memberId: string,
  assignment: Assignment,
): CoordinatorRecord {
  const topicPartitions = topicPartitionsOf(assignment);
  return record('consumerTargetMember', { groupId, memberId }, { topicPartitions });
}

export function targetTombstone(groupId: string, memberId: string): CoordinatorRecord {
  return record('consumerTargetMember', { groupId, memberId }, null);
}

export function targetEpochRecord(
  groupId: string,
  assignmentEpoch: number,
  timestampMs: number,
): CoordinatorRecord {
  const assignmentTimestamp = BigInt(Math.floor(timestampMs));
  return record('consumerTarget', { groupId }, { assignmentEpoch, assignmentTimestamp });
}

export function targetEpochTombstone(groupId: string): CoordinatorRecord {
  return record('consumerTarget', { groupId }, null);
}

export function currentRecord(groupId: string, member: ConsumerGroupMember): CoordinatorRecord {
  const { memberId, memberEpoch, previousMemberEpoch } = member;
  return record(
    'consumerCurrent',
    { groupId, memberId },
    {
      memberEpoch,
      previousMemberEpoch,
      state: memberStateCodes[member.state],
      assignedPartitions: withEpochs(member.assigned),
      partitionsPendingRevocation: withEpochs(member.pendingRevocation),
    },
  );
}

export function currentTombstone(groupId: string, memberId: string): CoordinatorRecord {
  return record('consumerCurrent', { groupId, memberId }, null);
}

export function regexRecord(
  groupId: string,
  regularExpression: string,
  { topics, version, timestampMs }: ResolvedRegex,
): CoordinatorRecord {
  return record(
    'consumerRegex',
    { groupId, regularExpression },
    { topics: [...topics], version, timestamp: BigInt(timestampMs) },
  );
}

export function regexTombstone(groupId: string, regularExpression: string): CoordinatorRecord {
  return record('consumerRegex', { groupId, regularExpression }, null);
}

/** What takes a member out, in the order in which it may be replayed. */
export function memberTombstones(groupId: string, memberId: string): CoordinatorRecord[] {
  return [
    currentTombstone(groupId, memberId),
    targetTombstone(groupId, memberId),
    memberTombstone(groupId, memberId),
  ];
}

function withEpochs(owned: OwnedPartitions) {
  return topicPartitionsOf(owned).map(({ topicId, partitions }) => ({
    topicId,
    partitions,
    assignmentEpochs: partitions.map((each) => owned.get(topicId)?.get(each) ?? 0),
  }));
}

type CurrentValue = Message<(typeof groupRecordTypes)['consumerCurrent']['value']>;

/**
 * The partitions of a record. Brokers before 4.3 wrote no epochs: then the member's counts, or 0 while a static
 * member is away. [Utils.assignmentFromTopicPartitions]
 */
export function ownedOf(
  topics: CurrentValue['assignedPartitions'],
  memberEpoch: number,
): OwnedPartitions {
  const defaultEpoch = Math.max(memberEpoch, 0);
  return new Map(
    topics.map(({ topicId, partitions, assignmentEpochs }) => {
      const epochs = assignmentEpochs?.length === partitions.length ? assignmentEpochs : [];
      const owned = partitions.map((each, index) => [each, epochs[index] ?? defaultEpoch] as const);
      return [topicId, new Map(owned)];
    }),
  );
}
