import type { MessageSchema } from '../schema.ts';

export const joinGroupRequest = {
  name: 'JoinGroupRequest',
  versions: '0-9',
  flexible: '6+',
  fields: {
    groupId: { type: 'string', versions: '0+' },
    sessionTimeoutMs: { type: 'int32', versions: '0+' },
    rebalanceTimeoutMs: { type: 'int32', versions: '1+', default: -1, ignorable: true },
    memberId: { type: 'string', versions: '0+' },
    groupInstanceId: { type: 'string', versions: '5+', nullable: '5+', default: null },
    protocolType: { type: 'string', versions: '0+' },
    protocols: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        metadata: { type: 'bytes', versions: '0+' },
      },
    },
    reason: { type: 'string', versions: '8+', nullable: '8+', default: null, ignorable: true },
  },
} as const satisfies MessageSchema;

export const joinGroupResponse = {
  name: 'JoinGroupResponse',
  versions: '0-9',
  flexible: '6+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '2+', ignorable: true },
    errorCode: { type: 'int16', versions: '0+' },
    generationId: { type: 'int32', versions: '0+', default: -1 },
    protocolType: {
      type: 'string',
      versions: '7+',
      nullable: '7+',
      default: null,
      ignorable: true,
    },
    protocolName: { type: 'string', versions: '0+', nullable: '7+' },
    leader: { type: 'string', versions: '0+' },
    skipAssignment: { type: 'bool', versions: '9+' },
    memberId: { type: 'string', versions: '0+' },
    members: {
      type: 'array',
      versions: '0+',
      items: {
        memberId: { type: 'string', versions: '0+' },
        groupInstanceId: {
          type: 'string',
          versions: '5+',
          nullable: '5+',
          default: null,
          ignorable: true,
        },
        metadata: { type: 'bytes', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;
