import type { MessageSchema } from '../schema.ts';

export const offsetCommitRequest = {
  name: 'OffsetCommitRequest',
  versions: '2-10',
  flexible: '8+',
  fields: {
    groupId: { type: 'string', versions: '0+' },
    generationIdOrMemberEpoch: { type: 'int32', versions: '1+', default: -1, ignorable: true },
    memberId: { type: 'string', versions: '1+', ignorable: true },
    groupInstanceId: { type: 'string', versions: '7+', nullable: '7+', default: null },
    retentionTimeMs: { type: 'int64', versions: '2-4', default: -1n, ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0-9', ignorable: true },
        topicId: { type: 'uuid', versions: '10+', ignorable: true },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            committedOffset: { type: 'int64', versions: '0+' },
            committedLeaderEpoch: { type: 'int32', versions: '6+', default: -1, ignorable: true },
            committedMetadata: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const offsetCommitResponse = {
  name: 'OffsetCommitResponse',
  versions: '2-10',
  flexible: '8+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '3+', ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0-9', ignorable: true },
        topicId: { type: 'uuid', versions: '10+', ignorable: true },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            errorCode: { type: 'int16', versions: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
