import type { MessageSchema } from '../schema.ts';

export const listTransactionsRequest = {
  name: 'ListTransactionsRequest',
  versions: '0-2',
  flexible: '0+',
  fields: {
    stateFilters: { type: 'array', versions: '0+', items: 'string' },
    producerIdFilters: { type: 'array', versions: '0+', items: 'int64' },
    durationFilter: { type: 'int64', versions: '1+', default: -1n },
    transactionalIdPattern: { type: 'string', versions: '2+', nullable: '2+', default: null },
  },
} as const satisfies MessageSchema;

export const listTransactionsResponse = {
  name: 'ListTransactionsResponse',
  versions: '0-2',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    unknownStateFilters: { type: 'array', versions: '0+', items: 'string' },
    transactionStates: {
      type: 'array',
      versions: '0+',
      items: {
        transactionalId: { type: 'string', versions: '0+' },
        producerId: { type: 'int64', versions: '0+' },
        transactionState: { type: 'string', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;
