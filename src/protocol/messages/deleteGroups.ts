import type { MessageSchema } from '../schema.ts';

export const deleteGroupsRequest = {
  name: 'DeleteGroupsRequest',
  versions: '0-3',
  flexible: '2+',
  fields: { groupsNames: { type: 'array', versions: '0+', items: 'string' } },
} as const satisfies MessageSchema;

export const deleteGroupsResponse = {
  name: 'DeleteGroupsResponse',
  versions: '0-3',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    results: {
      type: 'array',
      versions: '0+',
      items: {
        groupId: { type: 'string', versions: '0+' },
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: {
          type: 'string',
          versions: '3+',
          nullable: '3+',
          default: null,
          ignorable: true,
        },
      },
    },
  },
} as const satisfies MessageSchema;
