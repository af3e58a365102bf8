import type { MessageSchema } from '../schema.ts';

export const addPartitionsToTxnRequest = {
  name: 'AddPartitionsToTxnRequest',
  versions: '0-5',
  flexible: '3+',
  fields: {
    transactions: {
      type: 'array',
      versions: '4+',
      items: {
        transactionalId: { type: 'string', versions: '4+' },
        producerId: { type: 'int64', versions: '4+' },
        producerEpoch: { type: 'int16', versions: '4+' },
        verifyOnly: { type: 'bool', versions: '4+' },
        topics: {
          type: 'array',
          versions: '4+',
          items: {
            name: { type: 'string', versions: '0+' },
            partitions: { type: 'array', versions: '0+', items: 'int32' },
          },
        },
      },
    },
    v3AndBelowTransactionalId: { type: 'string', versions: '0-3' },
    v3AndBelowProducerId: { type: 'int64', versions: '0-3' },
    v3AndBelowProducerEpoch: { type: 'int16', versions: '0-3' },
    v3AndBelowTopics: {
      type: 'array',
      versions: '0-3',
      items: {
        name: { type: 'string', versions: '0+' },
        partitions: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
  },
} as const satisfies MessageSchema;

export const addPartitionsToTxnResponse = {
  name: 'AddPartitionsToTxnResponse',
  versions: '0-5',
  flexible: '3+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '4+', ignorable: true },
    resultsByTransaction: {
      type: 'array',
      versions: '4+',
      items: {
        transactionalId: { type: 'string', versions: '4+' },
        topicResults: {
          type: 'array',
          versions: '4+',
          items: {
            name: { type: 'string', versions: '0+' },
            resultsByPartition: {
              type: 'array',
              versions: '0+',
              items: {
                partitionIndex: { type: 'int32', versions: '0+' },
                partitionErrorCode: { type: 'int16', versions: '0+' },
              },
            },
          },
        },
      },
    },
    resultsByTopicV3AndBelow: {
      type: 'array',
      versions: '0-3',
      items: {
        name: { type: 'string', versions: '0+' },
        resultsByPartition: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            partitionErrorCode: { type: 'int16', versions: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
