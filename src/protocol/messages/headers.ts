import type { MessageSchema } from '../schema.ts';

export const requestHeader = {
  name: 'RequestHeader',
  versions: '1-2',
  flexible: '2+',
  fields: {
    requestApiKey: { type: 'int16', versions: '0+' },
    requestApiVersion: { type: 'int16', versions: '0+' },
    correlationId: { type: 'int32', versions: '0+' },
    clientId: { type: 'string', versions: '1+', nullable: '1+', flexible: 'none' },
  },
} as const satisfies MessageSchema;

export const responseHeader = {
  name: 'ResponseHeader',
  versions: '0-1',
  flexible: '1+',
  fields: { correlationId: { type: 'int32', versions: '0+' } },
} as const satisfies MessageSchema;
