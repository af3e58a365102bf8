import type { MessageSchema } from '../schema.ts';

export const createTopicsRequest = {
  name: 'CreateTopicsRequest',
  versions: '2-7',
  flexible: '5+',
  fields: {
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        numPartitions: { type: 'int32', versions: '0+' },
        replicationFactor: { type: 'int16', versions: '0+' },
        assignments: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            brokerIds: { type: 'array', versions: '0+', items: 'int32' },
          },
        },
        configs: {
          type: 'array',
          versions: '0+',
          items: {
            name: { type: 'string', versions: '0+' },
            value: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
    timeoutMs: { type: 'int32', versions: '0+', default: 60000 },
    validateOnly: { type: 'bool', versions: '1+' },
  },
} as const satisfies MessageSchema;

export const createTopicsResponse = {
  name: 'CreateTopicsResponse',
  versions: '2-7',
  flexible: '5+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '2+', ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        topicId: { type: 'uuid', versions: '7+', ignorable: true },
        errorCode: { type: 'int16', versions: '0+' },
        errorMessage: { type: 'string', versions: '1+', nullable: '0+', ignorable: true },
        topicConfigErrorCode: { type: 'int16', versions: '5+', tag: 0, ignorable: true },
        numPartitions: { type: 'int32', versions: '5+', default: -1, ignorable: true },
        replicationFactor: { type: 'int16', versions: '5+', default: -1, ignorable: true },
        configs: {
          type: 'array',
          versions: '5+',
          nullable: '5+',
          ignorable: true,
          items: {
            name: { type: 'string', versions: '5+' },
            value: { type: 'string', versions: '5+', nullable: '5+' },
            readOnly: { type: 'bool', versions: '5+' },
            configSource: { type: 'int8', versions: '5+', default: -1, ignorable: true },
            isSensitive: { type: 'bool', versions: '5+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
