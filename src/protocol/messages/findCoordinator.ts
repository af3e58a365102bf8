import type { MessageSchema } from '../schema.ts';

export const findCoordinatorRequest = {
  name: 'FindCoordinatorRequest',
  versions: '0-6',
  flexible: '3+',
  fields: {
    key: { type: 'string', versions: '0-3' },
    keyType: { type: 'int8', versions: '1+' },
    coordinatorKeys: { type: 'array', versions: '4+', items: 'string' },
  },
} as const satisfies MessageSchema;

export const findCoordinatorResponse = {
  name: 'FindCoordinatorResponse',
  versions: '0-6',
  flexible: '3+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    errorCode: { type: 'int16', versions: '0-3' },
    errorMessage: { type: 'string', versions: '1-3', nullable: '1-3', ignorable: true },
    nodeId: { type: 'int32', versions: '0-3' },
    host: { type: 'string', versions: '0-3' },
    port: { type: 'int32', versions: '0-3' },
    coordinators: {
      type: 'array',
      versions: '4+',
      items: {
        key: { type: 'string', versions: '4+' },
        nodeId: { type: 'int32', versions: '4+' },
        host: { type: 'string', versions: '4+' },
        port: { type: 'int32', versions: '4+' },
        errorCode: { type: 'int16', versions: '4+' },
        errorMessage: { type: 'string', versions: '4+', nullable: '4+', ignorable: true },
      },
    },
  },
} as const satisfies MessageSchema;
