import type { MessageSchema } from '../schema.ts';

export const initProducerIdRequest = {
  name: 'InitProducerIdRequest',
  versions: '0-6',
  flexible: '2+',
  fields: {
    transactionalId: { type: 'string', versions: '0+', nullable: '0+' },
    transactionTimeoutMs: { type: 'int32', versions: '0+' },
    producerId: { type: 'int64', versions: '3+', default: -1n },
    producerEpoch: { type: 'int16', versions: '3+', default: -1 },
    enable2Pc: { type: 'bool', versions: '6+' },
    keepPreparedTxn: { type: 'bool', versions: '6+' },
  },
} as const satisfies MessageSchema;

export const initProducerIdResponse = {
  name: 'InitProducerIdResponse',
  versions: '0-6',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+', ignorable: true },
    errorCode: { type: 'int16', versions: '0+' },
    producerId: { type: 'int64', versions: '0+', default: -1n },
    producerEpoch: { type: 'int16', versions: '0+' },
    ongoingTxnProducerId: { type: 'int64', versions: '6+', default: -1n },
    ongoingTxnProducerEpoch: { type: 'int16', versions: '6+', default: -1 },
  },
} as const satisfies MessageSchema;
