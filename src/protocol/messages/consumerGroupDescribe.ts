import type { MessageSchema } from '../schema.ts';

export const consumerGroupDescribeRequest = {
  name: 'ConsumerGroupDescribeRequest',
  versions: '0-1',
  flexible: '0+',
  fields: {
    groupIds: { type: 'array', versions: '0+', items: 'string' },
    includeAuthorizedOperations: { type: 'bool', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const consumerGroupDescribeResponse = {
  name: 'ConsumerGroupDescribeResponse',
  versions: '0-1',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    groups: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+', default: null },
        groupId: { type: 'string', versions: '0+' },
        groupState: { type: 'string', versions: '0+' },
        groupEpoch: { type: 'int32', versions: '0+' },
        assignmentEpoch: { type: 'int32', versions: '0+' },
        assignorName: { type: 'string', versions: '0+' },
        members: {
          type: 'array',
          versions: '0+',
          items: {
            memberId: { type: 'string', versions: '0+' },
            instanceId: { type: 'string', versions: '0+', nullable: '0+', default: null },
            rackId: { type: 'string', versions: '0+', nullable: '0+', default: null },
            memberEpoch: { type: 'int32', versions: '0+' },
            clientId: { type: 'string', versions: '0+' },
            clientHost: { type: 'string', versions: '0+' },
            subscribedTopicNames: { type: 'array', versions: '0+', items: 'string' },
            subscribedTopicRegex: { type: 'string', versions: '0+', nullable: '0+', default: null },
            assignment: {
              type: 'struct',
              versions: '0+',
              fields: {
                topicPartitions: {
                  type: 'array',
                  versions: '0+',
                  items: {
                    topicId: { type: 'uuid', versions: '0+' },
                    topicName: { type: 'string', versions: '0+' },
                    partitions: { type: 'array', versions: '0+', items: 'int32' },
                  },
                },
              },
            },
            targetAssignment: {
              type: 'struct',
              versions: '0+',
              fields: {
                topicPartitions: {
                  type: 'array',
                  versions: '0+',
                  items: {
                    topicId: { type: 'uuid', versions: '0+' },
                    topicName: { type: 'string', versions: '0+' },
                    partitions: { type: 'array', versions: '0+', items: 'int32' },
                  },
                },
              },
            },
            memberType: { type: 'int8', versions: '1+', default: -1, ignorable: true },
          },
        },
        authorizedOperations: { type: 'int32', versions: '0+', default: -2147483648 },
      },
    },
  },
} as const satisfies MessageSchema;
