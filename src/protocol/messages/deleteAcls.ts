import type { MessageSchema } from '../schema.ts';

export const deleteAclsRequest = {
  name: 'DeleteAclsRequest',
  versions: '1-3',
  flexible: '2+',
  fields: {
    filters: {
      type: 'array',
      versions: '0+',
      items: {
        resourceTypeFilter: { type: 'int8', versions: '0+' },
        resourceNameFilter: { type: 'string', versions: '0+', nullable: '0+' },
        patternTypeFilter: { type: 'int8', versions: '1+', default: 3 },
        principalFilter: { type: 'string', versions: '0+', nullable: '0+' },
        hostFilter: { type: 'string', versions: '0+', nullable: '0+' },
        operation: { type: 'int8', versions: '0+' },
        permissionType: { type: 'int8', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;

export const deleteAclsResponse = {
  name: 'DeleteAclsResponse',
  versions: '1-3',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    filterResults: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
        matchingAcls: {
          type: 'array',
          versions: '0+',
          items: {
            errorCode: { type: 'int16', versions: '0+' },
            errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
            resourceType: { type: 'int8', versions: '0+' },
            resourceName: { type: 'string', versions: '0+' },
            patternType: { type: 'int8', versions: '1+', default: 3 },
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
