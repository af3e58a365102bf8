import type { MessageSchema } from '../schema.ts';

export const alterUserScramCredentialsRequest = {
  name: 'AlterUserScramCredentialsRequest',
  versions: '0',
  flexible: '0+',
  fields: {
    deletions: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        mechanism: { type: 'int8', versions: '0+' },
      },
    },
    upsertions: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        mechanism: { type: 'int8', versions: '0+' },
        iterations: { type: 'int32', versions: '0+' },
        salt: { type: 'bytes', versions: '0+' },
        saltedPassword: { type: 'bytes', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;

export const alterUserScramCredentialsResponse = {
  name: 'AlterUserScramCredentialsResponse',
  versions: '0',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    results: {
      type: 'array',
      versions: '0+',
      items: {
        user: { type: 'string', versions: '0+' },
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;
