import type { MessageSchema } from '../schema.ts';

export const offsetFetchRequest = {
  name: 'OffsetFetchRequest',
  versions: '1-10',
  flexible: '6+',
  fields: {
    groupId: { type: 'string', versions: '0-7' },
    topics: {
      type: 'array',
      versions: '0-7',
      nullable: '2-7',
      items: {
        name: { type: 'string', versions: '0-7' },
        partitionIndexes: { type: 'array', versions: '0-7', items: 'int32' },
      },
    },
    groups: {
      type: 'array',
      versions: '8+',
      items: {
        groupId: { type: 'string', versions: '8+' },
        memberId: {
          type: 'string',
          versions: '9+',
          nullable: '9+',
          default: null,
          ignorable: true,
        },
        memberEpoch: { type: 'int32', versions: '9+', default: -1, ignorable: true },
        topics: {
          type: 'array',
          versions: '8+',
          nullable: '8+',
          items: {
            name: { type: 'string', versions: '8-9', ignorable: true },
            topicId: { type: 'uuid', versions: '10+', ignorable: true },
            partitionIndexes: { type: 'array', versions: '8+', items: 'int32' },
          },
        },
      },
    },
    requireStable: { type: 'bool', versions: '7+' },
  },
} as const satisfies MessageSchema;

export const offsetFetchResponse = {
  name: 'OffsetFetchResponse',
  versions: '1-10',
  flexible: '6+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '3+', ignorable: true },
    topics: {
      type: 'array',
      versions: '0-7',
      items: {
        name: { type: 'string', versions: '0-7' },
        partitions: {
          type: 'array',
          versions: '0-7',
          items: {
            partitionIndex: { type: 'int32', versions: '0-7' },
            committedOffset: { type: 'int64', versions: '0-7' },
            committedLeaderEpoch: { type: 'int32', versions: '5-7', default: -1, ignorable: true },
            metadata: { type: 'string', versions: '0-7', nullable: '0-7' },
            errorCode: { type: 'int16', versions: '0-7' },
          },
        },
      },
    },
    errorCode: { type: 'int16', versions: '2-7', ignorable: true },
    groups: {
      type: 'array',
      versions: '8+',
      items: {
        groupId: { type: 'string', versions: '8+' },
        topics: {
          type: 'array',
          versions: '8+',
          items: {
            name: { type: 'string', versions: '8-9', ignorable: true },
            topicId: { type: 'uuid', versions: '10+', ignorable: true },
            partitions: {
              type: 'array',
              versions: '8+',
              items: {
                partitionIndex: { type: 'int32', versions: '8+' },
                committedOffset: { type: 'int64', versions: '8+' },
                committedLeaderEpoch: {
                  type: 'int32',
                  versions: '8+',
                  default: -1,
                  ignorable: true,
                },
                metadata: { type: 'string', versions: '8+', nullable: '8+' },
                errorCode: { type: 'int16', versions: '8+' },
              },
            },
          },
        },
        errorCode: { type: 'int16', versions: '8+' },
      },
    },
  },
} as const satisfies MessageSchema;
