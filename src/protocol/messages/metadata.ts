import type { MessageSchema } from '../schema.ts';

export const metadataRequest = {
  name: 'MetadataRequest',
  versions: '0-13',
  flexible: '9+',
  fields: {
    topics: {
      type: 'array',
      versions: '0+',
      nullable: '1+',
      items: {
        topicId: { type: 'uuid', versions: '10+', ignorable: true },
        name: { type: 'string', versions: '0+', nullable: '10+' },
      },
    },
    allowAutoTopicCreation: { type: 'bool', versions: '4+', default: true },
    includeClusterAuthorizedOperations: { type: 'bool', versions: '8-10' },
    includeTopicAuthorizedOperations: { type: 'bool', versions: '8+' },
  },
} as const satisfies MessageSchema;

export const metadataResponse = {
  name: 'MetadataResponse',
  versions: '0-13',
  flexible: '9+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '3+', ignorable: true },
    brokers: {
      type: 'array',
      versions: '0+',
      items: {
        nodeId: { type: 'int32', versions: '0+' },
        host: { type: 'string', versions: '0+' },
        port: { type: 'int32', versions: '0+' },
        rack: { type: 'string', versions: '1+', nullable: '1+', default: null, ignorable: true },
      },
    },
    clusterId: { type: 'string', versions: '2+', nullable: '2+', default: null, ignorable: true },
    controllerId: { type: 'int32', versions: '1+', default: -1, ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        name: { type: 'string', versions: '0+', nullable: '12+' },
        topicId: { type: 'uuid', versions: '10+', ignorable: true },
        isInternal: { type: 'bool', versions: '1+', ignorable: true },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            errorCode: { type: 'int16', versions: '0+' },
            partitionIndex: { type: 'int32', versions: '0+' },
            leaderId: { type: 'int32', versions: '0+' },
            leaderEpoch: { type: 'int32', versions: '7+', default: -1, ignorable: true },
            replicaNodes: { type: 'array', versions: '0+', items: 'int32' },
            isrNodes: { type: 'array', versions: '0+', items: 'int32' },
            offlineReplicas: { type: 'array', versions: '5+', ignorable: true, items: 'int32' },
          },
        },
        topicAuthorizedOperations: { type: 'int32', versions: '8+', default: -2147483648 },
      },
    },
    clusterAuthorizedOperations: { type: 'int32', versions: '8-10', default: -2147483648 },
    errorCode: { type: 'int16', versions: '13+', ignorable: true },
  },
} as const satisfies MessageSchema;
