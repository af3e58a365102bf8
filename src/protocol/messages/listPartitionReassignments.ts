import type { MessageSchema } from '../schema.ts';

export const listPartitionReassignmentsRequest = {
  name: 'ListPartitionReassignmentsRequest',
  versions: '0',
  flexible: '0+',
  fields: {
    timeoutMs: { type: 'int32', versions: '0+', default: 60000 },
    topics: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      default: null,
      items: {
        name: { type: 'string', versions: '0+' },
        partitionIndexes: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
  },
} as const satisfies MessageSchema;

export const listPartitionReassignmentsResponse = {
  name: 'ListPartitionReassignmentsResponse',
  versions: '0',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            replicas: { type: 'array', versions: '0+', items: 'int32' },
            addingReplicas: { type: 'array', versions: '0+', items: 'int32' },
            removingReplicas: { type: 'array', versions: '0+', items: 'int32' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
