import type { MessageSchema } from '../schema.ts';

export const heartbeatRequest = {
  name: 'HeartbeatRequest',
  versions: '0-4',
  flexible: '4+',
  fields: {
    groupId: { type: 'string', versions: '0+' },
    generationId: { type: 'int32', versions: '0+' },
    memberId: { type: 'string', versions: '0+' },
    groupInstanceId: { type: 'string', versions: '3+', nullable: '3+', default: null },
  },
} as const satisfies MessageSchema;

export const heartbeatResponse = {
  name: 'HeartbeatResponse',
  versions: '0-4',
  flexible: '4+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    errorCode: { type: 'int16', versions: '0+' },
  },
} as const satisfies MessageSchema;
