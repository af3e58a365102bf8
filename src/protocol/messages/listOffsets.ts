import type { MessageSchema } from '../schema.ts';

export const listOffsetsRequest = {
  name: 'ListOffsetsRequest',
  versions: '1-11',
  flexible: '6+',
  fields: {
    replicaId: { type: 'int32', versions: '0+' },
    isolationLevel: { type: 'int8', versions: '2+' },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            currentLeaderEpoch: { type: 'int32', versions: '4+', default: -1, ignorable: true },
            timestamp: { type: 'int64', versions: '0+' },
          },
        },
      },
    },
    timeoutMs: { type: 'int32', versions: '10+', ignorable: true },
  },
} as const satisfies MessageSchema;

export const listOffsetsResponse = {
  name: 'ListOffsetsResponse',
  versions: '1-11',
  flexible: '6+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '2+', ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            errorCode: { type: 'int16', versions: '0+' },
            timestamp: { type: 'int64', versions: '1+', default: -1n },
            offset: { type: 'int64', versions: '1+', default: -1n },
            leaderEpoch: { type: 'int32', versions: '4+', default: -1 },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
