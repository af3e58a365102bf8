import type { MessageSchema } from '../schema.ts';

export const describeProducersRequest = {
  name: 'DescribeProducersRequest',
  versions: '0',
  flexible: '0+',
  fields: {
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        partitionIndexes: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
  },
} as const satisfies MessageSchema;

export const describeProducersResponse = {
  name: 'DescribeProducersResponse',
  versions: '0',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
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
            errorMessage: { type: 'string', versions: '0+', nullable: '0+', default: null },
            activeProducers: {
              type: 'array',
              versions: '0+',
              items: {
                producerId: { type: 'int64', versions: '0+' },
                producerEpoch: { type: 'int32', versions: '0+' },
                lastSequence: { type: 'int32', versions: '0+', default: -1 },
                lastTimestamp: { type: 'int64', versions: '0+', default: -1n },
                coordinatorEpoch: { type: 'int32', versions: '0+' },
                currentTxnStartOffset: { type: 'int64', versions: '0+', default: -1n },
              },
            },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
