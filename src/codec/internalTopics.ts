import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import { decodeVersioned } from '../protocol/messageCodec.ts';
import {
  consumerProtocolAssignment,
  consumerProtocolSubscription,
} from '../protocol/records/consumerProtocol.ts';
import {
  decodeCoordinatorRecord,
  groupRecordTypes,
} from '../protocol/records/coordinatorRecordCodec.ts';
import { transactionLogKey, transactionLogValue } from '../protocol/records/transactionRecords.ts';
import { jsonText } from './jsonText.ts';
import type { Decoded } from './decoded.ts';

export interface DecodedRecord {
  readonly key: Decoded;
  /** Undefined for a tombstone. */
  readonly value: Decoded | undefined;
}

/** Reads a record of which the key says what the value is. */
export type RecordDecoder = (key: Buffer, value: Buffer | null) => DecodedRecord;

/** The decoder of one of Kafka's own topics; undefined for all others. */
export function internalTopicDecoder(topic: string): RecordDecoder | undefined {
  if (topic === '__consumer_offsets') return (key, value) => safely(groupRecord, key, value);
  if (topic === '__transaction_state') return (key, value) => safely(transactionRecord, key, value);
  return undefined;
}

interface Read {
  readonly key: unknown;
  readonly value: unknown;
}

function safely(
  read: (key: Buffer, value: Buffer | null) => Read,
  key: Buffer,
  value: Buffer | null,
): DecodedRecord {
  try {
    const record = read(key, value);
    const text = (part: unknown): Decoded => ({ text: jsonText(part), isJson: true });
    return { key: text(record.key), value: value === null ? undefined : text(record.value) };
  } catch (error) {
    const problem = errorMessage(error);
    return { key: { problem }, value: value === null ? undefined : { problem } };
  }
}

function groupRecord(keyBytes: Buffer, valueBytes: Buffer | null): Read {
  const bytes = { key: keyBytes, value: valueBytes };
  const decoded = decodeCoordinatorRecord(groupRecordTypes, bytes);
  if (!decoded) {
    const type = keyBytes.readInt16BE();
    throw new Error(t('{0}, record type {1}: not decoded yet', recordTypeName(type), type));
  }
  const key = { type: decoded.kind, ...decoded.key };
  if (decoded.kind !== 'groupMetadata' || decoded.value?.protocolType !== 'consumer') {
    return { key, value: decoded.value };
  }
  return {
    key,
    value: { ...decoded.value, members: decoded.value.members.map(withConsumerProtocol) },
  };
}

/** Of those that are not decoded, as Kafka calls them. [CoordinatorRecordType] */
const undecodedTypes: Readonly<Record<number, string>> = {
  10: 'ShareGroupMemberMetadata',
  11: 'ShareGroupMetadata',
  12: 'ShareGroupTargetAssignmentMetadata',
  13: 'ShareGroupTargetAssignmentMember',
  14: 'ShareGroupCurrentMemberAssignment',
  15: 'ShareGroupStatePartitionMetadata',
  17: 'StreamsGroupMetadata',
  19: 'StreamsGroupMemberMetadata',
  20: 'StreamsGroupTargetAssignmentMetadata',
  21: 'StreamsGroupTargetAssignmentMember',
  22: 'StreamsGroupCurrentMemberAssignment',
  23: 'StreamsGroupTopology',
};

function recordTypeName(type: number): string {
  return undecodedTypes[type] ?? t('Unknown');
}

/** What consumers tell each other through their group; other clients may write what they like there. */
function withConsumerProtocol(member: {
  readonly subscription: Uint8Array;
  readonly assignment: Uint8Array;
}): object {
  const read = (bytes: Uint8Array, schema: ConsumerSchema): unknown => {
    try {
      return decodeVersioned(schema, bytes, 'readAsNewest').message;
    } catch {
      return bytes;
    }
  };
  return {
    ...member,
    subscription: read(member.subscription, consumerProtocolSubscription),
    assignment: read(member.assignment, consumerProtocolAssignment),
  };
}

type ConsumerSchema = typeof consumerProtocolSubscription | typeof consumerProtocolAssignment;

/** By the id in the log. [TransactionState] */
const transactionStates = [
  'Empty',
  'Ongoing',
  'PrepareCommit',
  'PrepareAbort',
  'CompleteCommit',
  'CompleteAbort',
  'Dead',
  'PrepareEpochFence',
] as const;

function transactionRecord(keyBytes: Buffer, valueBytes: Buffer | null): Read {
  const key = decodeVersioned(transactionLogKey, keyBytes, 'readAsNewest').message;
  if (!valueBytes) return { key, value: null };
  const value = decodeVersioned(transactionLogValue, valueBytes, 'readAsNewest').message;
  const state = transactionStates[value.transactionStatus];
  return { key, value: { ...value, transactionStatus: state ?? value.transactionStatus } };
}
