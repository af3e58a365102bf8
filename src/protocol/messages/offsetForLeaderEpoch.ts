import type { MessageSchema } from '../schema.ts';

export const offsetForLeaderEpochRequest = {
  name: 'OffsetForLeaderEpochRequest',
  versions: '2-4',
  flexible: '4+',
  fields: {
    replicaId: { type: 'int32', versions: '3+', default: -2, ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        topic: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partition: { type: 'int32', versions: '0+' },
            currentLeaderEpoch: { type: 'int32', versions: '2+', default: -1, ignorable: true },
            leaderEpoch: { type: 'int32', versions: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const offsetForLeaderEpochResponse = {
  name: 'OffsetForLeaderEpochResponse',
  versions: '2-4',
  flexible: '4+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '2+', ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        topic: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            errorCode: { type: 'int16', versions: '0+' },
            partition: { type: 'int32', versions: '0+' },
            leaderEpoch: { type: 'int32', versions: '1+', default: -1, ignorable: true },
            endOffset: { type: 'int64', versions: '0+', default: -1n },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
