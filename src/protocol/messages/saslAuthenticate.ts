import type { MessageSchema } from '../schema.ts';

export const saslAuthenticateRequest = {
  name: 'SaslAuthenticateRequest',
  versions: '0-2',
  flexible: '2+',
  fields: { authBytes: { type: 'bytes', versions: '0+' } },
} as const satisfies MessageSchema;

export const saslAuthenticateResponse = {
  name: 'SaslAuthenticateResponse',
  versions: '0-2',
  flexible: '2+',
  fields: {
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
    authBytes: { type: 'bytes', versions: '0+' },
    sessionLifetimeMs: { type: 'int64', versions: '1+', ignorable: true },
  },
} as const satisfies MessageSchema;
