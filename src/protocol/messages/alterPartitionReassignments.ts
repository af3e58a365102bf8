import type { MessageSchema } from '../schema.ts';

export const alterPartitionReassignmentsRequest = {
  name: 'AlterPartitionReassignmentsRequest',
  versions: '0-1',
  flexible: '0+',
  fields: {
    timeoutMs: { type: 'int32', versions: '0+', default: 60000 },
    allowReplicationFactorChange: { type: 'bool', versions: '1+', default: true },
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
            replicas: {
              type: 'array',
              versions: '0+',
              nullable: '0+',
              default: null,
              items: 'int32',
            },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const alterPartitionReassignmentsResponse = {
  name: 'AlterPartitionReassignmentsResponse',
  versions: '0-1',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    allowReplicationFactorChange: { type: 'bool', versions: '1+', default: true, ignorable: true },
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
    responses: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            errorCode: { type: 'int16', versions: '0+' },
            errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
