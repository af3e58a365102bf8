import type { MessageSchema } from '../schema.ts';

export const transactionLogKey = {
  name: 'TransactionLogKey',
  versions: '0',
  flexible: 'none',
  fields: { transactionalId: { type: 'string', versions: '0' } },
} as const satisfies MessageSchema;

export const transactionLogValue = {
  name: 'TransactionLogValue',
  versions: '0-1',
  flexible: '1+',
  fields: {
    producerId: { type: 'int64', versions: '0+' },
    previousProducerId: { type: 'int64', versions: '1+', tag: 0, default: -1n },
    nextProducerId: { type: 'int64', versions: '1+', tag: 1, default: -1n },
    producerEpoch: { type: 'int16', versions: '0+' },
    nextProducerEpoch: { type: 'int16', versions: '1+', tag: 3, default: -1 },
    transactionTimeoutMs: { type: 'int32', versions: '0+' },
    transactionStatus: { type: 'int8', versions: '0+' },
    transactionPartitions: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      items: {
        topic: { type: 'string', versions: '0+' },
        partitionIds: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
    transactionLastUpdateTimestampMs: { type: 'int64', versions: '0+' },
    transactionStartTimestampMs: { type: 'int64', versions: '0+' },
    clientTransactionVersion: { type: 'int16', versions: '1+', tag: 2, default: 0 },
  },
} as const satisfies MessageSchema;
