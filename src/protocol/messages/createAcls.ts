import type { MessageSchema } from '../schema.ts';

export const createAclsRequest = {
  name: 'CreateAclsRequest',
  versions: '1-3',
  flexible: '2+',
  fields: {
    creations: {
      type: 'array',
      versions: '0+',
      items: {
        resourceType: { type: 'int8', versions: '0+' },
        resourceName: { type: 'string', versions: '0+' },
        resourcePatternType: { type: 'int8', versions: '1+', default: 3 },
        principal: { type: 'string', versions: '0+' },
        host: { type: 'string', versions: '0+' },
        operation: { type: 'int8', versions: '0+' },
        permissionType: { type: 'int8', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;

export const createAclsResponse = {
  name: 'CreateAclsResponse',
  versions: '1-3',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    results: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;
