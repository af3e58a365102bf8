import type { MessageSchema } from '../schema.ts';

export const alterClientQuotasRequest = {
  name: 'AlterClientQuotasRequest',
  versions: '0-1',
  flexible: '1+',
  fields: {
    entries: {
      type: 'array',
      versions: '0+',
      items: {
        entity: {
          type: 'array',
          versions: '0+',
          items: {
            entityType: { type: 'string', versions: '0+' },
            entityName: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
        ops: {
          type: 'array',
          versions: '0+',
          items: {
            key: { type: 'string', versions: '0+' },
            value: { type: 'float64', versions: '0+' },
            remove: { type: 'bool', versions: '0+' },
          },
        },
      },
    },
    validateOnly: { type: 'bool', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const alterClientQuotasResponse = {
  name: 'AlterClientQuotasResponse',
  versions: '0-1',
  flexible: '1+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    entries: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
        entity: {
          type: 'array',
          versions: '0+',
          items: {
            entityType: { type: 'string', versions: '0+' },
            entityName: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
