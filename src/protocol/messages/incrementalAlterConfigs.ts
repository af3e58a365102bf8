import type { MessageSchema } from '../schema.ts';

export const incrementalAlterConfigsRequest = {
  name: 'IncrementalAlterConfigsRequest',
  versions: '0-1',
  flexible: '1+',
  fields: {
    resources: {
      type: 'array',
      versions: '0+',
      items: {
        resourceType: { type: 'int8', versions: '0+' },
        resourceName: { type: 'string', versions: '0+' },
        configs: {
          type: 'array',
          versions: '0+',
          items: {
            name: { type: 'string', versions: '0+' },
            configOperation: { type: 'int8', versions: '0+' },
            value: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
    validateOnly: { type: 'bool', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const incrementalAlterConfigsResponse = {
  name: 'IncrementalAlterConfigsResponse',
  versions: '0-1',
  flexible: '1+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    responses: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
        resourceType: { type: 'int8', versions: '0+' },
        resourceName: { type: 'string', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;
