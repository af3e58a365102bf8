import type { MessageSchema } from '../schema.ts';

export const listConfigResourcesRequest = {
  name: 'ListConfigResourcesRequest',
  versions: '0-1',
  flexible: '0+',
  fields: { resourceTypes: { type: 'array', versions: '1+', items: 'int8' } },
} as const satisfies MessageSchema;

export const listConfigResourcesResponse = {
  name: 'ListConfigResourcesResponse',
  versions: '0-1',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    configResources: {
      type: 'array',
      versions: '0+',
      items: {
        resourceName: { type: 'string', versions: '0+' },
        resourceType: { type: 'int8', versions: '1+', default: 16, ignorable: true },
      },
    },
  },
} as const satisfies MessageSchema;
