import type { MessageSchema } from '../schema.ts';

export const describeClusterRequest = {
  name: 'DescribeClusterRequest',
  versions: '0-2',
  flexible: '0+',
  fields: {
    includeClusterAuthorizedOperations: { type: 'bool', versions: '0+' },
    endpointType: { type: 'int8', versions: '1+', default: 1 },
    includeFencedBrokers: { type: 'bool', versions: '2+' },
  },
} as const satisfies MessageSchema;

export const describeClusterResponse = {
  name: 'DescribeClusterResponse',
  versions: '0-2',
  flexible: '0+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '0+', nullable: '0+', default: null },
    endpointType: { type: 'int8', versions: '1+', default: 1 },
    clusterId: { type: 'string', versions: '0+' },
    controllerId: { type: 'int32', versions: '0+', default: -1 },
    brokers: {
      type: 'array',
      versions: '0+',
      items: {
        brokerId: { type: 'int32', versions: '0+' },
        host: { type: 'string', versions: '0+' },
        port: { type: 'int32', versions: '0+' },
        rack: { type: 'string', versions: '0+', nullable: '0+', default: null },
        isFenced: { type: 'bool', versions: '2+' },
      },
    },
    clusterAuthorizedOperations: { type: 'int32', versions: '0+', default: -2147483648 },
  },
} as const satisfies MessageSchema;
