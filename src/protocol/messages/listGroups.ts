import type { MessageSchema } from '../schema.ts';

export const listGroupsRequest = {
  name: 'ListGroupsRequest',
  versions: '0-5',
  flexible: '3+',
  fields: {
    statesFilter: { type: 'array', versions: '4+', items: 'string' },
    typesFilter: { type: 'array', versions: '5+', items: 'string' },
  },
} as const satisfies MessageSchema;

export const listGroupsResponse = {
  name: 'ListGroupsResponse',
  versions: '0-5',
  flexible: '3+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    errorCode: { type: 'int16', versions: '0+' },
    groups: {
      type: 'array',
      versions: '0+',
      items: {
        groupId: { type: 'string', versions: '0+' },
        protocolType: { type: 'string', versions: '0+' },
        groupState: { type: 'string', versions: '4+', ignorable: true },
        groupType: { type: 'string', versions: '5+', ignorable: true },
      },
    },
  },
} as const satisfies MessageSchema;
