import type { MessageSchema } from '../schema.ts';

export const getTelemetrySubscriptionsRequest = {
  name: 'GetTelemetrySubscriptionsRequest',
  versions: '0',
  flexible: '0+',
  fields: { clientInstanceId: { type: 'uuid', versions: '0+' } },
} as const satisfies MessageSchema;

export const getTelemetrySubscriptionsResponse = {
  name: 'GetTelemetrySubscriptionsResponse',
  versions: '0',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    clientInstanceId: { type: 'uuid', versions: '0+' },
    subscriptionId: { type: 'int32', versions: '0+' },
    acceptedCompressionTypes: { type: 'array', versions: '0+', items: 'int8' },
    pushIntervalMs: { type: 'int32', versions: '0+' },
    telemetryMaxBytes: { type: 'int32', versions: '0+' },
    deltaTemporality: { type: 'bool', versions: '0+' },
    requestedMetrics: { type: 'array', versions: '0+', items: 'string' },
  },
} as const satisfies MessageSchema;
