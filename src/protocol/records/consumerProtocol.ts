import { ByteReader } from '../byteReader.ts';
import { decodeMessage, encodeVersioned } from '../messageCodec.ts';
import { ProtocolError } from '../protocolError.ts';
import type { Message, MessageInput, MessageSchema } from '../schema.ts';
import { parseVersions } from '../versions.ts';

export const consumerProtocolSubscription = {
  name: 'ConsumerProtocolSubscription',
  versions: '0-3',
  flexible: 'none',
  fields: {
    topics: { type: 'array', versions: '0+', items: 'string' },
    userData: { type: 'bytes', versions: '0+', nullable: '0+', default: null },
    ownedPartitions: {
      type: 'array',
      versions: '1+',
      ignorable: true,
      items: {
        topic: { type: 'string', versions: '1+' },
        partitions: { type: 'array', versions: '1+', items: 'int32' },
      },
    },
    generationId: { type: 'int32', versions: '2+', default: -1, ignorable: true },
    rackId: { type: 'string', versions: '3+', nullable: '3+', default: null, ignorable: true },
  },
} as const satisfies MessageSchema;

export const consumerProtocolAssignment = {
  name: 'ConsumerProtocolAssignment',
  versions: '0-3',
  flexible: 'none',
  fields: {
    assignedPartitions: {
      type: 'array',
      versions: '0+',
      items: {
        topic: { type: 'string', versions: '0+' },
        partitions: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
    userData: { type: 'bytes', versions: '0+', nullable: '0+', default: null },
  },
} as const satisfies MessageSchema;

type ConsumerProtocolSchema =
  typeof consumerProtocolSubscription | typeof consumerProtocolAssignment;

/** What a consumer puts into JoinGroup and SyncGroup: the version, then the message. */
export function encodeConsumerProtocol<S extends ConsumerProtocolSchema>(
  schema: S,
  version: number,
  value: MessageInput<S>,
): Buffer {
  return encodeVersioned(schema, version, value);
}

/**
 * Reads a subscription or an assignment. A version newer than ours is read as our newest, since later
 * ones only add fields at the end. [ConsumerProtocol.checkSubscriptionVersion]
 */
export function decodeConsumerProtocol<S extends ConsumerProtocolSchema>(
  schema: S,
  bytes: Uint8Array,
): { version: number; message: Message<S> } {
  const reader = new ByteReader(bytes);
  const version = reader.readInt16();
  if (version < 0) throw new ProtocolError(`${schema.name} has version ${version}`);
  const known = Math.min(version, parseVersions(schema.versions).max);
  return { version, message: decodeMessage(schema, known, reader) };
}
