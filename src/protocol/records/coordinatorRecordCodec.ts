import { ByteReader } from '../byteReader.ts';
import { ByteWriter } from '../byteWriter.ts';
import { decodeMessage, decodeVersioned, writeMessage } from '../messageCodec.ts';
import type { Message, MessageInput, MessageSchema } from '../schema.ts';
import * as consumerGroup from './consumerGroupRecords.ts';
import {
  groupMetadataKey,
  groupMetadataValue,
  offsetCommitKey,
  offsetCommitValue,
} from './offsetRecords.ts';

/**
 * One kind of record in a coordinator's topic. The key starts with the kind's id and has one version,
 * 0; the value starts with its own version (`encodeVersioned`). [CoordinatorRecordSerde]
 */
export interface CoordinatorRecordType {
  readonly id: number;
  /** An older id for the same key, still read. */
  readonly legacyId?: number;
  readonly key: MessageSchema;
  readonly value: MessageSchema;
}

/** The records of `__consumer_offsets`. [CoordinatorRecordType in group-coordinator] */
export const groupRecordTypes = {
  offsetCommit: { id: 1, legacyId: 0, key: offsetCommitKey, value: offsetCommitValue },
  groupMetadata: { id: 2, key: groupMetadataKey, value: groupMetadataValue },
  consumerGroup: {
    id: 3,
    key: consumerGroup.consumerGroupMetadataKey,
    value: consumerGroup.consumerGroupMetadataValue,
  },
  consumerPartitionMetadata: {
    id: 4,
    key: consumerGroup.consumerGroupPartitionMetadataKey,
    value: consumerGroup.consumerGroupPartitionMetadataValue,
  },
  consumerMember: {
    id: 5,
    key: consumerGroup.consumerGroupMemberMetadataKey,
    value: consumerGroup.consumerGroupMemberMetadataValue,
  },
  consumerTarget: {
    id: 6,
    key: consumerGroup.consumerGroupTargetAssignmentMetadataKey,
    value: consumerGroup.consumerGroupTargetAssignmentMetadataValue,
  },
  consumerTargetMember: {
    id: 7,
    key: consumerGroup.consumerGroupTargetAssignmentMemberKey,
    value: consumerGroup.consumerGroupTargetAssignmentMemberValue,
  },
  consumerCurrent: {
    id: 8,
    key: consumerGroup.consumerGroupCurrentMemberAssignmentKey,
    value: consumerGroup.consumerGroupCurrentMemberAssignmentValue,
  },
  consumerRegex: {
    id: 16,
    key: consumerGroup.consumerGroupRegularExpressionKey,
    value: consumerGroup.consumerGroupRegularExpressionValue,
  },
} as const satisfies Record<string, CoordinatorRecordType>;

export function encodeRecordKey<T extends CoordinatorRecordType>(
  type: T,
  key: MessageInput<T['key']>,
): Buffer {
  const writer = new ByteWriter();
  writer.writeInt16(type.id);
  writeMessage(writer, type.key, 0, key);
  return writer.takeBuffer();
}

type RecordTypes = Record<string, CoordinatorRecordType>;

export type DecodedRecord<T extends RecordTypes> = {
  [K in keyof T]: {
    readonly kind: K;
    readonly key: Message<T[K]['key']>;
    /** Null: a tombstone. */
    readonly value: Message<T[K]['value']> | null;
  };
}[keyof T];

/**
 * Reads a record, or returns undefined for a kind that `types` does not have. Throws a ProtocolError for one of
 * a known kind that cannot be read.
 */
export function decodeCoordinatorRecord<T extends RecordTypes>(
  types: T,
  record: { readonly key: Uint8Array; readonly value: Uint8Array | null },
): DecodedRecord<T> | undefined {
  const reader = new ByteReader(record.key);
  const id = reader.readInt16();
  for (const [kind, type] of Object.entries(types)) {
    if (type.id !== id && type.legacyId !== id) continue;
    const key = decodeMessage(type.key, 0, reader);
    const value = record.value && decodeVersioned(type.value, record.value).message;
    // Kind and schemas come from one entry of the table, which is what the type says.
    return { kind, key, value };
  }
  return undefined;
}
