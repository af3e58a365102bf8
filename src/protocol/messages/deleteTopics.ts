import type { MessageSchema } from '../schema.ts';

export const deleteTopicsRequest = {
  name: 'DeleteTopicsRequest',
  versions: '1-6',
  flexible: '4+',
  fields: {
    topics: {
      type: 'array',
      versions: '6+',
      items: {
        name: { type: 'string', versions: '6+', nullable: '6+', default: null },
        topicId: { type: 'uuid', versions: '6+' },
      },
    },
    topicNames: { type: 'array', versions: '0-5', ignorable: true, items: 'string' },
    timeoutMs: { type: 'int32', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const deleteTopicsResponse = {
  name: 'DeleteTopicsResponse',
  versions: '1-6',
  flexible: '4+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    responses: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+', nullable: '6+' },
        topicId: { type: 'uuid', versions: '6+', ignorable: true },
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: {
          type: 'string',
          versions: '5+',
          nullable: '5+',
          default: null,
          ignorable: true,
        },
      },
    },
  },
} as const satisfies MessageSchema;
