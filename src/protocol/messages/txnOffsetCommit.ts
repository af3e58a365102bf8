import type { MessageSchema } from '../schema.ts';

export const txnOffsetCommitRequest = {
  name: 'TxnOffsetCommitRequest',
  versions: '0-6',
  flexible: '3+',
  fields: {
    transactionalId: { type: 'string', versions: '0+' },
    groupId: { type: 'string', versions: '0+' },
    producerId: { type: 'int64', versions: '0+' },
    producerEpoch: { type: 'int16', versions: '0+' },
    generationIdOrMemberEpoch: { type: 'int32', versions: '3+', default: -1 },
    memberId: { type: 'string', versions: '3+' },
    groupInstanceId: { type: 'string', versions: '3+', nullable: '3+', default: null },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0-5', ignorable: true },
        topicId: { type: 'uuid', versions: '6+', ignorable: true },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            committedOffset: { type: 'int64', versions: '0+' },
            committedLeaderEpoch: { type: 'int32', versions: '2+', default: -1, ignorable: true },
            committedMetadata: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const txnOffsetCommitResponse = {
  name: 'TxnOffsetCommitResponse',
  versions: '0-6',
  flexible: '3+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0-5', ignorable: true },
        topicId: { type: 'uuid', versions: '6+', ignorable: true },
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
