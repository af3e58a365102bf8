import type { MessageSchema } from '../schema.ts';

export const leaveGroupRequest = {
  name: 'LeaveGroupRequest',
  versions: '0-5',
  flexible: '4+',
  fields: {
    groupId: { type: 'string', versions: '0+' },
    memberId: { type: 'string', versions: '0-2' },
    members: {
      type: 'array',
      versions: '3+',
      items: {
        memberId: { type: 'string', versions: '3+' },
        groupInstanceId: { type: 'string', versions: '3+', nullable: '3+', default: null },
        reason: { type: 'string', versions: '5+', nullable: '5+', default: null, ignorable: true },
      },
    },
  },
} as const satisfies MessageSchema;

export const leaveGroupResponse = {
  name: 'LeaveGroupResponse',
  versions: '0-5',
  flexible: '4+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    errorCode: { type: 'int16', versions: '0+' },
    members: {
      type: 'array',
      versions: '3+',
      items: {
        memberId: { type: 'string', versions: '3+' },
        groupInstanceId: { type: 'string', versions: '3+', nullable: '3+' },
        errorCode: { type: 'int16', versions: '3+' },
      },
    },
  },
} as const satisfies MessageSchema;
