import type { MessageSchema } from '../schema.ts';

export const offsetDeleteRequest = {
  name: 'OffsetDeleteRequest',
  versions: '0',
  flexible: 'none',
  fields: {
    groupId: { type: 'string', versions: '0+' },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: { partitionIndex: { type: 'int32', versions: '0+' } },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const offsetDeleteResponse = {
  name: 'OffsetDeleteResponse',
  versions: '0',
  flexible: 'none',
  fields: {
    errorCode: { type: 'int16', versions: '0+' },
    throttleTimeMs: { type: 'int32', versions: '0+', ignorable: true },
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
} as const satisfies MessageSchema;
