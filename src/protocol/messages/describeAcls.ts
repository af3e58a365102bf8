import type { MessageSchema } from '../schema.ts';

export const describeAclsRequest = {
  name: 'DescribeAclsRequest',
  versions: '1-3',
  flexible: '2+',
  fields: {
    resourceTypeFilter: { type: 'int8', versions: '0+' },
    resourceNameFilter: { type: 'string', versions: '0+', nullable: '0+' },
    patternTypeFilter: { type: 'int8', versions: '1+', default: 3 },
    principalFilter: { type: 'string', versions: '0+', nullable: '0+' },
    hostFilter: { type: 'string', versions: '0+', nullable: '0+' },
    operation: { type: 'int8', versions: '0+' },
    permissionType: { type: 'int8', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const describeAclsResponse = {
  name: 'DescribeAclsResponse',
  versions: '1-3',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
    resources: {
      type: 'array',
      versions: '0+',
      items: {
        resourceType: { type: 'int8', versions: '0+' },
        resourceName: { type: 'string', versions: '0+' },
        patternType: { type: 'int8', versions: '1+', default: 3 },
        acls: {
          type: 'array',
          versions: '0+',
          items: {
            principal: { type: 'string', versions: '0+' },
            host: { type: 'string', versions: '0+' },
            operation: { type: 'int8', versions: '0+' },
            permissionType: { type: 'int8', versions: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
