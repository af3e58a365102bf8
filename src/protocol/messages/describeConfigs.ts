import type { MessageSchema } from '../schema.ts';

export const describeConfigsRequest = {
  name: 'DescribeConfigsRequest',
  versions: '1-4',
  flexible: '4+',
  fields: {
    resources: {
      type: 'array',
      versions: '0+',
      items: {
        resourceType: { type: 'int8', versions: '0+' },
        resourceName: { type: 'string', versions: '0+' },
        configurationKeys: { type: 'array', versions: '0+', nullable: '0+', items: 'string' },
      },
    },
    includeSynonyms: { type: 'bool', versions: '1+' },
    includeDocumentation: { type: 'bool', versions: '3+' },
  },
} as const satisfies MessageSchema;

export const describeConfigsResponse = {
  name: 'DescribeConfigsResponse',
  versions: '1-4',
  flexible: '4+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    results: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
        resourceType: { type: 'int8', versions: '0+' },
        resourceName: { type: 'string', versions: '0+' },
        configs: {
          type: 'array',
          versions: '0+',
          items: {
            name: { type: 'string', versions: '0+' },
            value: { type: 'string', versions: '0+', nullable: '0+' },
            readOnly: { type: 'bool', versions: '0+' },
            configSource: { type: 'int8', versions: '1+', default: -1, ignorable: true },
            isSensitive: { type: 'bool', versions: '0+' },
            synonyms: {
              type: 'array',
              versions: '1+',
              ignorable: true,
              items: {
                name: { type: 'string', versions: '1+' },
                value: { type: 'string', versions: '1+', nullable: '0+' },
                source: { type: 'int8', versions: '1+' },
              },
            },
            configType: { type: 'int8', versions: '3+', ignorable: true },
            documentation: { type: 'string', versions: '3+', nullable: '0+', ignorable: true },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
