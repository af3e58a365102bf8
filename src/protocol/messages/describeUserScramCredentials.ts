import type { MessageSchema } from '../schema.ts';

export const describeUserScramCredentialsRequest = {
  name: 'DescribeUserScramCredentialsRequest',
  versions: '0',
  flexible: '0+',
  fields: {
    users: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      items: { name: { type: 'string', versions: '0+' } },
    },
  },
} as const satisfies MessageSchema;

export const describeUserScramCredentialsResponse = {
  name: 'DescribeUserScramCredentialsResponse',
  versions: '0',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
    results: {
      type: 'array',
      versions: '0+',
      items: {
        user: { type: 'string', versions: '0+' },
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
        credentialInfos: {
          type: 'array',
          versions: '0+',
          items: {
            mechanism: { type: 'int8', versions: '0+' },
            iterations: { type: 'int32', versions: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
