import type { MessageSchema } from '../schema.ts';

export const describeClientQuotasRequest = {
  name: 'DescribeClientQuotasRequest',
  versions: '0-1',
  flexible: '1+',
  fields: {
    components: {
      type: 'array',
      versions: '0+',
      items: {
        entityType: { type: 'string', versions: '0+' },
        matchType: { type: 'int8', versions: '0+' },
        match: { type: 'string', versions: '0+', nullable: '0+' },
      },
    },
    strict: { type: 'bool', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const describeClientQuotasResponse = {
  name: 'DescribeClientQuotasResponse',
  versions: '0-1',
  flexible: '1+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
    entries: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      items: {
        entity: {
          type: 'array',
          versions: '0+',
          items: {
            entityType: { type: 'string', versions: '0+' },
            entityName: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
        values: {
          type: 'array',
          versions: '0+',
          items: {
            key: { type: 'string', versions: '0+' },
            value: { type: 'float64', versions: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
