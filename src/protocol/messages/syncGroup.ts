import type { MessageSchema } from '../schema.ts';

export const syncGroupRequest = {
  name: 'SyncGroupRequest',
  versions: '0-5',
  flexible: '4+',
  fields: {
    groupId: { type: 'string', versions: '0+' },
    generationId: { type: 'int32', versions: '0+' },
    memberId: { type: 'string', versions: '0+' },
    groupInstanceId: { type: 'string', versions: '3+', nullable: '3+', default: null },
    protocolType: {
      type: 'string',
      versions: '5+',
      nullable: '5+',
      default: null,
      ignorable: true,
    },
    protocolName: {
      type: 'string',
      versions: '5+',
      nullable: '5+',
      default: null,
      ignorable: true,
    },
    assignments: {
      type: 'array',
      versions: '0+',
      items: {
        memberId: { type: 'string', versions: '0+' },
        assignment: { type: 'bytes', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;

export const syncGroupResponse = {
  name: 'SyncGroupResponse',
  versions: '0-5',
  flexible: '4+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    errorCode: { type: 'int16', versions: '0+' },
    protocolType: {
      type: 'string',
      versions: '5+',
      nullable: '5+',
      default: null,
      ignorable: true,
    },
    protocolName: {
      type: 'string',
      versions: '5+',
      nullable: '5+',
      default: null,
      ignorable: true,
    },
    assignment: { type: 'bytes', versions: '0+' },
  },
} as const satisfies MessageSchema;
