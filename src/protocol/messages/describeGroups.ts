import type { MessageSchema } from '../schema.ts';

export const describeGroupsRequest = {
  name: 'DescribeGroupsRequest',
  versions: '0-6',
  flexible: '5+',
  fields: {
    groups: { type: 'array', versions: '0+', items: 'string' },
    includeAuthorizedOperations: { type: 'bool', versions: '3+' },
  },
} as const satisfies MessageSchema;

export const describeGroupsResponse = {
  name: 'DescribeGroupsResponse',
  versions: '0-6',
  flexible: '5+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    groups: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '6+', nullable: '6+', default: null },
        groupId: { type: 'string', versions: '0+' },
        groupState: { type: 'string', versions: '0+' },
        protocolType: { type: 'string', versions: '0+' },
        protocolData: { type: 'string', versions: '0+' },
        members: {
          type: 'array',
          versions: '0+',
          items: {
            memberId: { type: 'string', versions: '0+' },
            groupInstanceId: {
              type: 'string',
              versions: '4+',
              nullable: '4+',
              default: null,
              ignorable: true,
            },
            clientId: { type: 'string', versions: '0+' },
            clientHost: { type: 'string', versions: '0+' },
            memberMetadata: { type: 'bytes', versions: '0+' },
            memberAssignment: { type: 'bytes', versions: '0+' },
          },
        },
        authorizedOperations: { type: 'int32', versions: '3+', default: -2147483648 },
      },
    },
  },
} as const satisfies MessageSchema;
