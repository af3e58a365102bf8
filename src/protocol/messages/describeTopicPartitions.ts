import type { MessageSchema } from '../schema.ts';

export const describeTopicPartitionsRequest = {
  name: 'DescribeTopicPartitionsRequest',
  versions: '0',
  flexible: '0+',
  fields: {
    topics: { type: 'array', versions: '0+', items: { name: { type: 'string', versions: '0+' } } },
    responsePartitionLimit: { type: 'int32', versions: '0+', default: 2000 },
    cursor: {
      type: 'struct',
      versions: '0+',
      nullable: '0+',
      default: null,
      fields: {
        topicName: { type: 'string', versions: '0+' },
        partitionIndex: { type: 'int32', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;

export const describeTopicPartitionsResponse = {
  name: 'DescribeTopicPartitionsResponse',
  versions: '0',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+', ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        name: { type: 'string', versions: '0+', nullable: '0+' },
        topicId: { type: 'uuid', versions: '0+', ignorable: true },
        isInternal: { type: 'bool', versions: '0+', ignorable: true },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            errorCode: { type: 'int16', versions: '0+' },
            partitionIndex: { type: 'int32', versions: '0+' },
            leaderId: { type: 'int32', versions: '0+' },
            leaderEpoch: { type: 'int32', versions: '0+', default: -1, ignorable: true },
            replicaNodes: { type: 'array', versions: '0+', items: 'int32' },
            isrNodes: { type: 'array', versions: '0+', items: 'int32' },
            eligibleLeaderReplicas: {
              type: 'array',
              versions: '0+',
              nullable: '0+',
              default: null,
              items: 'int32',
            },
            lastKnownElr: {
              type: 'array',
              versions: '0+',
              nullable: '0+',
              default: null,
              items: 'int32',
            },
            offlineReplicas: { type: 'array', versions: '0+', ignorable: true, items: 'int32' },
          },
        },
        topicAuthorizedOperations: { type: 'int32', versions: '0+', default: -2147483648 },
      },
    },
    nextCursor: {
      type: 'struct',
      versions: '0+',
      nullable: '0+',
      default: null,
      fields: {
        topicName: { type: 'string', versions: '0+' },
        partitionIndex: { type: 'int32', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;
