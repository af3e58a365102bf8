import type { MessageSchema } from '../schema.ts';

// The records of consumer groups in `__consumer_offsets` (KIP-848).

const groupKey = { groupId: { type: 'string', versions: '0' } } as const;

const memberKey = { ...groupKey, memberId: { type: 'string', versions: '0' } } as const;

export const consumerGroupMetadataKey = {
  name: 'ConsumerGroupMetadataKey',
  versions: '0',
  flexible: 'none',
  fields: groupKey,
} as const satisfies MessageSchema;

export const consumerGroupMetadataValue = {
  name: 'ConsumerGroupMetadataValue',
  versions: '0',
  flexible: '0+',
  fields: {
    epoch: { type: 'int32', versions: '0+' },
    metadataHash: { type: 'int64', versions: '0+', tag: 0 },
  },
} as const satisfies MessageSchema;

export const consumerGroupPartitionMetadataKey = {
  name: 'ConsumerGroupPartitionMetadataKey',
  versions: '0',
  flexible: 'none',
  fields: groupKey,
} as const satisfies MessageSchema;

export const consumerGroupPartitionMetadataValue = {
  name: 'ConsumerGroupPartitionMetadataValue',
  versions: '0',
  flexible: '0+',
  fields: {
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        topicId: { type: 'uuid', versions: '0+' },
        topicName: { type: 'string', versions: '0+' },
        numPartitions: { type: 'int32', versions: '0+' },
        partitionMetadata: {
          type: 'array',
          versions: '0+',
          items: {
            partition: { type: 'int32', versions: '0+' },
            racks: { type: 'array', versions: '0+', items: 'string' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const consumerGroupMemberMetadataKey = {
  name: 'ConsumerGroupMemberMetadataKey',
  versions: '0',
  flexible: 'none',
  fields: memberKey,
} as const satisfies MessageSchema;

export const consumerGroupMemberMetadataValue = {
  name: 'ConsumerGroupMemberMetadataValue',
  versions: '0',
  flexible: '0+',
  fields: {
    instanceId: { type: 'string', versions: '0+', nullable: '0+' },
    rackId: { type: 'string', versions: '0+', nullable: '0+' },
    clientId: { type: 'string', versions: '0+' },
    clientHost: { type: 'string', versions: '0+' },
    subscribedTopicNames: { type: 'array', versions: '0+', items: 'string' },
    subscribedTopicRegex: { type: 'string', versions: '0+', nullable: '0+' },
    rebalanceTimeoutMs: { type: 'int32', versions: '0+', default: -1 },
    serverAssignor: { type: 'string', versions: '0+', nullable: '0+' },
    // Kafka writes its null out, since null is not the default that its definition comes to.
    classicMemberMetadata: {
      type: 'struct',
      versions: '0+',
      nullable: '0+',
      tag: 0,
      fields: {
        sessionTimeoutMs: { type: 'int32', versions: '0+' },
        supportedProtocols: {
          type: 'array',
          versions: '0+',
          items: {
            name: { type: 'string', versions: '0+' },
            metadata: { type: 'bytes', versions: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const consumerGroupTargetAssignmentMetadataKey = {
  name: 'ConsumerGroupTargetAssignmentMetadataKey',
  versions: '0',
  flexible: 'none',
  fields: groupKey,
} as const satisfies MessageSchema;

export const consumerGroupTargetAssignmentMetadataValue = {
  name: 'ConsumerGroupTargetAssignmentMetadataValue',
  versions: '0',
  flexible: '0+',
  fields: {
    assignmentEpoch: { type: 'int32', versions: '0+' },
    assignmentTimestamp: { type: 'int64', versions: '0+', tag: 0, ignorable: true },
  },
} as const satisfies MessageSchema;

export const consumerGroupTargetAssignmentMemberKey = {
  name: 'ConsumerGroupTargetAssignmentMemberKey',
  versions: '0',
  flexible: 'none',
  fields: memberKey,
} as const satisfies MessageSchema;

export const consumerGroupTargetAssignmentMemberValue = {
  name: 'ConsumerGroupTargetAssignmentMemberValue',
  versions: '0',
  flexible: '0+',
  fields: {
    topicPartitions: {
      type: 'array',
      versions: '0+',
      items: {
        topicId: { type: 'uuid', versions: '0+' },
        partitions: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
  },
} as const satisfies MessageSchema;

export const consumerGroupCurrentMemberAssignmentKey = {
  name: 'ConsumerGroupCurrentMemberAssignmentKey',
  versions: '0',
  flexible: 'none',
  fields: memberKey,
} as const satisfies MessageSchema;

const assignedPartitions = {
  type: 'array',
  versions: '0+',
  items: {
    topicId: { type: 'uuid', versions: '0+' },
    partitions: { type: 'array', versions: '0+', items: 'int32' },
    assignmentEpochs: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      tag: 0,
      items: 'int32',
    },
  },
} as const;

export const consumerGroupCurrentMemberAssignmentValue = {
  name: 'ConsumerGroupCurrentMemberAssignmentValue',
  versions: '0',
  flexible: '0+',
  fields: {
    memberEpoch: { type: 'int32', versions: '0+' },
    previousMemberEpoch: { type: 'int32', versions: '0+' },
    state: { type: 'int8', versions: '0+' },
    assignedPartitions,
    partitionsPendingRevocation: assignedPartitions,
  },
} as const satisfies MessageSchema;

export const consumerGroupRegularExpressionKey = {
  name: 'ConsumerGroupRegularExpressionKey',
  versions: '0',
  flexible: 'none',
  fields: { ...groupKey, regularExpression: { type: 'string', versions: '0' } },
} as const satisfies MessageSchema;

export const consumerGroupRegularExpressionValue = {
  name: 'ConsumerGroupRegularExpressionValue',
  versions: '0',
  flexible: '0+',
  fields: {
    topics: { type: 'array', versions: '0+', items: 'string' },
    version: { type: 'int64', versions: '0+' },
    timestamp: { type: 'int64', versions: '0+' },
  },
} as const satisfies MessageSchema;
