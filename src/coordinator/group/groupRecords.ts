import { defined } from '../../base/assert.ts';
import { encodeVersioned } from '../../protocol/messageCodec.ts';
import {
  encodeRecordKey,
  groupRecordTypes,
} from '../../protocol/records/coordinatorRecordCodec.ts';
import { groupMetadataValue, offsetCommitValue } from '../../protocol/records/offsetRecords.ts';
import type { Message, MessageInput } from '../../protocol/schema.ts';
import type { CoordinatorRecord } from '../ports.ts';
import type { ClassicGroup } from './classicGroup.ts';
import { noAssignment } from './classicGroupMember.ts';
import type { CommittedOffset } from './offsetTable.ts';

/** Versions that Kafka 4.4 writes. [GroupCoordinatorRecordHelpers] */
const groupMetadataVersion = 3;
const offsetCommitVersion = 4;
/** The last version with an expiry of its own, which OffsetCommit v2-4 can ask for. */
const offsetCommitVersionWithExpiry = 1;

export type GroupMetadataValue = Message<typeof groupMetadataValue>;

export function offsetCommitRecord(groupId: string, offset: CommittedOffset): CoordinatorRecord {
  const hasExpiry = offset.expireTimestampMs !== null;
  const version = hasExpiry ? offsetCommitVersionWithExpiry : offsetCommitVersion;
  return {
    key: offsetKey(groupId, offset.topic, offset.partition),
    value: encodeVersioned(offsetCommitValue, version, {
      offset: offset.offset,
      leaderEpoch: offset.leaderEpoch,
      metadata: offset.metadata,
      commitTimestamp: offset.commitTimestampMs,
      ...(offset.expireTimestampMs !== null && { expireTimestamp: offset.expireTimestampMs }),
      topicId: offset.topicId,
    }),
  };
}

export function offsetTombstone(
  groupId: string,
  { topic, partition }: Pick<CommittedOffset, 'topic' | 'partition'>,
): CoordinatorRecord {
  return { key: offsetKey(groupId, topic, partition), value: null };
}

/** A new group, before its first generation. */
export function emptyGroupRecord(groupId: string, nowMs: number): CoordinatorRecord {
  return groupRecord(groupId, {
    protocolType: '',
    generation: 0,
    protocol: null,
    leader: null,
    currentStateTimestamp: BigInt(Math.floor(nowMs)),
    members: [],
  });
}

/** A group's present generation, with these assignments by member id. */
export function groupMetadataRecord(
  group: ClassicGroup,
  assignments: ReadonlyMap<string, Uint8Array>,
): CoordinatorRecord {
  return groupRecord(group.groupId, {
    protocolType: group.protocolType ?? '',
    generation: group.generationId,
    protocol: group.protocolName,
    leader: group.leaderId,
    currentStateTimestamp: group.stateTimestampMs ?? -1n,
    members: group.members.map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      rebalanceTimeout: member.rebalanceTimeoutMs,
      sessionTimeout: member.sessionTimeoutMs,
      subscription: defined(
        member.metadata(group.protocolName),
        'metadata of the elected protocol',
      ),
      assignment: assignments.get(member.memberId) ?? noAssignment,
    })),
  });
}

function groupRecord(
  groupId: string,
  value: MessageInput<typeof groupMetadataValue>,
): CoordinatorRecord {
  return {
    key: encodeRecordKey(groupRecordTypes.groupMetadata, { group: groupId }),
    value: encodeVersioned(groupMetadataValue, groupMetadataVersion, value),
  };
}

function offsetKey(group: string, topic: string, partition: number): Uint8Array {
  return encodeRecordKey(groupRecordTypes.offsetCommit, { group, topic, partition });
}
