import type { MessageSchema } from '../schema.ts';

export const consumerGroupHeartbeatRequest = {
  name: 'ConsumerGroupHeartbeatRequest',
  versions: '0-1',
  flexible: '0+',
  fields: {
    groupId: { type: 'string', versions: '0+' },
    memberId: { type: 'string', versions: '0+' },
    memberEpoch: { type: 'int32', versions: '0+' },
    instanceId: { type: 'string', versions: '0+', nullable: '0+', default: null },
    rackId: { type: 'string', versions: '0+', nullable: '0+', default: null },
    rebalanceTimeoutMs: { type: 'int32', versions: '0+', default: -1 },
    subscribedTopicNames: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      default: null,
      items: 'string',
    },
    subscribedTopicRegex: { type: 'string', versions: '1+', nullable: '1+', default: null },
    serverAssignor: { type: 'string', versions: '0+', nullable: '0+', default: null },
    topicPartitions: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      default: null,
      items: {
        topicId: { type: 'uuid', versions: '0+' },
        partitions: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
  },
} as const satisfies MessageSchema;

export const consumerGroupHeartbeatResponse = {
  name: 'ConsumerGroupHeartbeatResponse',
  versions: '0-1',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+', default: null },
    memberId: { type: 'string', versions: '0+', nullable: '0+', default: null },
    memberEpoch: { type: 'int32', versions: '0+' },
    heartbeatIntervalMs: { type: 'int32', versions: '0+' },
    assignment: {
      type: 'struct',
      versions: '0+',
      nullable: '0+',
      default: null,
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
    },
  },
} as const satisfies MessageSchema;
