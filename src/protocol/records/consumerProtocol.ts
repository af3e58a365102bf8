import { decodeVersioned } from '../messageCodec.ts';
import type { Message, MessageSchema } from '../schema.ts';

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

/**
 * Reads a subscription or an assignment, as `encodeVersioned` writes them. A version newer than ours
 * is read as our newest. [ConsumerProtocol.checkSubscriptionVersion]
 */
export function decodeConsumerProtocol<S extends ConsumerProtocolSchema>(
  schema: S,
  bytes: Uint8Array,
): { version: number; message: Message<S> } {
  return decodeVersioned(schema, bytes, 'readAsNewest');
}
