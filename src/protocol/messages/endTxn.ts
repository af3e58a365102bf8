import type { MessageSchema } from '../schema.ts';

export const endTxnRequest = {
  name: 'EndTxnRequest',
  versions: '0-5',
  flexible: '3+',
  fields: {
    transactionalId: { type: 'string', versions: '0+' },
    producerId: { type: 'int64', versions: '0+' },
    producerEpoch: { type: 'int16', versions: '0+' },
    committed: { type: 'bool', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const endTxnResponse = {
  name: 'EndTxnResponse',
  versions: '0-5',
  flexible: '3+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    producerId: { type: 'int64', versions: '5+', default: -1n, ignorable: true },
    producerEpoch: { type: 'int16', versions: '5+', default: -1, ignorable: true },
  },
} as const satisfies MessageSchema;
