import type { MessageSchema } from '../schema.ts';

export const writeTxnMarkersRequest = {
  name: 'WriteTxnMarkersRequest',
  versions: '1-2',
  flexible: '1+',
  fields: {
    markers: {
      type: 'array',
      versions: '0+',
      items: {
        producerId: { type: 'int64', versions: '0+' },
        producerEpoch: { type: 'int16', versions: '0+' },
        transactionResult: { type: 'bool', versions: '0+' },
        topics: {
          type: 'array',
          versions: '0+',
          items: {
            name: { type: 'string', versions: '0+' },
            partitionIndexes: { type: 'array', versions: '0+', items: 'int32' },
          },
        },
        coordinatorEpoch: { type: 'int32', versions: '0+' },
        transactionVersion: { type: 'int8', versions: '2+', ignorable: true },
      },
    },
  },
} as const satisfies MessageSchema;

export const writeTxnMarkersResponse = {
  name: 'WriteTxnMarkersResponse',
  versions: '1-2',
  flexible: '1+',
  fields: {
    markers: {
      type: 'array',
      versions: '0+',
      items: {
        producerId: { type: 'int64', versions: '0+' },
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
              },
            },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
