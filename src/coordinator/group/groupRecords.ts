import { defined } from '../../base/assert.ts';
import {
  encodeMessage,
  decodeMessage,
  decodeVersioned,
  encodeVersioned,
} from '../../protocol/messageCodec.ts';
import {
  groupMetadataKey,
  groupMetadataValue,
  offsetCommitKey,
  offsetCommitValue,
} from '../../protocol/records/offsetRecords.ts';
import type { Message, MessageInput, MessageSchema } from '../../protocol/schema.ts';
import type { CoordinatorRecord } from '../ports.ts';
import type { ClassicGroup } from './classicGroup.ts';
import { noAssignment } from './classicGroupMember.ts';
import type { CommittedOffset } from './offsetTable.ts';

/** The int16 in front of a key says what record it is. [CoordinatorRecordType] */
const recordTypes = { legacyOffsetCommit: 0, offsetCommit: 1, groupMetadata: 2 };

/** Versions that Kafka 4.4 writes. [GroupCoordinatorRecordHelpers] */
const groupMetadataVersion = 3;
const offsetCommitVersion = 4;
/** The last version with an expiry of its own, which OffsetCommit v2-4 can ask for. */
const offsetCommitVersionWithExpiry = 1;
const keyVersion = 0;
const typeBytes = 2;

export type GroupMetadataValue = Message<typeof groupMetadataValue>;

export type GroupRecord =
  | {
      readonly type: 'offsetCommit';
      readonly group: string;
      readonly topic: string;
      readonly partition: number;
      /** Null: the offset is deleted. */
      readonly value: Message<typeof offsetCommitValue> | null;
    }
  | {
      readonly type: 'groupMetadata';
      readonly group: string;
      /** Null: the group is deleted. */
      readonly value: GroupMetadataValue | null;
    }
  | { readonly type: 'unknown'; readonly recordType: number };

/** Throws a ProtocolError for a record of a known type that cannot be read. */
export function decodeGroupRecord({ key, value }: CoordinatorRecord): GroupRecord {
  const recordType = new DataView(key.buffer, key.byteOffset, key.byteLength).getInt16(0);
  const body = key.subarray(typeBytes);
  switch (recordType) {
    case recordTypes.legacyOffsetCommit:
    case recordTypes.offsetCommit:
      return {
        type: 'offsetCommit',
        ...decodeMessage(offsetCommitKey, keyVersion, body),
        value: value && decodeVersioned(offsetCommitValue, value).message,
      };
    case recordTypes.groupMetadata:
      return {
        type: 'groupMetadata',
        ...decodeMessage(groupMetadataKey, keyVersion, body),
        value: value && decodeVersioned(groupMetadataValue, value).message,
      };
    default:
      return { type: 'unknown', recordType };
  }
}

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

export function groupTombstone(groupId: string): CoordinatorRecord {
  return { key: groupKey(groupId), value: null };
}

function groupRecord(
  groupId: string,
  value: MessageInput<typeof groupMetadataValue>,
): CoordinatorRecord {
  return {
    key: groupKey(groupId),
    value: encodeVersioned(groupMetadataValue, groupMetadataVersion, value),
  };
}

function groupKey(group: string): Uint8Array {
  return keyOf(recordTypes.groupMetadata, groupMetadataKey, { group });
}

function offsetKey(group: string, topic: string, partition: number): Uint8Array {
  return keyOf(recordTypes.offsetCommit, offsetCommitKey, { group, topic, partition });
}

function keyOf<S extends MessageSchema>(
  recordType: number,
  schema: S,
  value: MessageInput<S>,
): Uint8Array {
  const prefix = Buffer.alloc(typeBytes);
  prefix.writeInt16BE(recordType);
  return Buffer.concat([prefix, encodeMessage(schema, keyVersion, value)]);
}
