import type { MessageSchema } from '../schema.ts';

export const addOffsetsToTxnRequest = {
  name: 'AddOffsetsToTxnRequest',
  versions: '0-4',
  flexible: '3+',
  fields: {
    transactionalId: { type: 'string', versions: '0+' },
    producerId: { type: 'int64', versions: '0+' },
    producerEpoch: { type: 'int16', versions: '0+' },
    groupId: { type: 'string', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const addOffsetsToTxnResponse = {
  name: 'AddOffsetsToTxnResponse',
  versions: '0-4',
  flexible: '3+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
  },
} as const satisfies MessageSchema;
