import type { MessageSchema } from '../schema.ts';

export const describeTransactionsRequest = {
  name: 'DescribeTransactionsRequest',
  versions: '0',
  flexible: '0+',
  fields: { transactionalIds: { type: 'array', versions: '0+', items: 'string' } },
} as const satisfies MessageSchema;

export const describeTransactionsResponse = {
  name: 'DescribeTransactionsResponse',
  versions: '0',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    transactionStates: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        transactionalId: { type: 'string', versions: '0+' },
        transactionState: { type: 'string', versions: '0+' },
        transactionTimeoutMs: { type: 'int32', versions: '0+' },
        transactionStartTimeMs: { type: 'int64', versions: '0+' },
        producerId: { type: 'int64', versions: '0+' },
        producerEpoch: { type: 'int16', versions: '0+' },
        topics: {
          type: 'array',
          versions: '0+',
          items: {
            topic: { type: 'string', versions: '0+' },
            partitions: { type: 'array', versions: '0+', items: 'int32' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
