import type { MessageSchema } from '../schema.ts';

export const deleteRecordsRequest = {
  name: 'DeleteRecordsRequest',
  versions: '0-2',
  flexible: '2+',
  fields: {
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
            offset: { type: 'int64', versions: '0+' },
          },
        },
      },
    },
    timeoutMs: { type: 'int32', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const deleteRecordsResponse = {
  name: 'DeleteRecordsResponse',
  versions: '0-2',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
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
            lowWatermark: { type: 'int64', versions: '0+' },
            errorCode: { type: 'int16', versions: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
