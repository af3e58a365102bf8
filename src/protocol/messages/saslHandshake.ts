import type { MessageSchema } from '../schema.ts';

export const saslHandshakeRequest = {
  name: 'SaslHandshakeRequest',
  versions: '0-1',
  flexible: 'none',
  fields: { mechanism: { type: 'string', versions: '0+' } },
} as const satisfies MessageSchema;

export const saslHandshakeResponse = {
  name: 'SaslHandshakeResponse',
  versions: '0-1',
  flexible: 'none',
  fields: {
    errorCode: { type: 'int16', versions: '0+' },
    mechanisms: { type: 'array', versions: '0+', items: 'string' },
  },
} as const satisfies MessageSchema;
