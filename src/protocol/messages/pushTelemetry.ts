import type { MessageSchema } from '../schema.ts';

export const pushTelemetryRequest = {
  name: 'PushTelemetryRequest',
  versions: '0',
  flexible: '0+',
  fields: {
    clientInstanceId: { type: 'uuid', versions: '0+' },
    subscriptionId: { type: 'int32', versions: '0+' },
    terminating: { type: 'bool', versions: '0+' },
    compressionType: { type: 'int8', versions: '0+' },
    metrics: { type: 'bytes', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const pushTelemetryResponse = {
  name: 'PushTelemetryResponse',
  versions: '0',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
  },
} as const satisfies MessageSchema;
