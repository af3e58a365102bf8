import type { MessageSchema } from '../schema.ts';

export const createPartitionsRequest = {
  name: 'CreatePartitionsRequest',
  versions: '0-3',
  flexible: '2+',
  fields: {
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        count: { type: 'int32', versions: '0+' },
        assignments: {
          type: 'array',
          versions: '0+',
          nullable: '0+',
          items: { brokerIds: { type: 'array', versions: '0+', items: 'int32' } },
        },
      },
    },
    timeoutMs: { type: 'int32', versions: '0+' },
    validateOnly: { type: 'bool', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const createPartitionsResponse = {
  name: 'CreatePartitionsResponse',
  versions: '0-3',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    results: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+', default: null },
      },
    },
  },
} as const satisfies MessageSchema;
