import type { MessageSchema } from '../schema.ts';

export const fetchRequest = {
  name: 'FetchRequest',
  versions: '4-18',
  flexible: '12+',
  fields: {
    clusterId: {
      type: 'string',
      versions: '12+',
      nullable: '12+',
      tag: 0,
      default: null,
      ignorable: true,
    },
    replicaId: { type: 'int32', versions: '0-14', default: -1 },
    replicaState: {
      type: 'struct',
      versions: '15+',
      tag: 1,
      fields: {
        replicaId: { type: 'int32', versions: '15+', default: -1 },
        replicaEpoch: { type: 'int64', versions: '15+', default: -1n },
      },
    },
    maxWaitMs: { type: 'int32', versions: '0+' },
    minBytes: { type: 'int32', versions: '0+' },
    maxBytes: { type: 'int32', versions: '3+', default: 2147483647, ignorable: true },
    isolationLevel: { type: 'int8', versions: '4+', ignorable: true },
    sessionId: { type: 'int32', versions: '7+', ignorable: true },
    sessionEpoch: { type: 'int32', versions: '7+', default: -1, ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        topic: { type: 'string', versions: '0-12', ignorable: true },
        topicId: { type: 'uuid', versions: '13+', ignorable: true },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partition: { type: 'int32', versions: '0+' },
            currentLeaderEpoch: { type: 'int32', versions: '9+', default: -1, ignorable: true },
            fetchOffset: { type: 'int64', versions: '0+' },
            lastFetchedEpoch: { type: 'int32', versions: '12+', default: -1 },
            logStartOffset: { type: 'int64', versions: '5+', default: -1n, ignorable: true },
            partitionMaxBytes: { type: 'int32', versions: '0+' },
            replicaDirectoryId: { type: 'uuid', versions: '17+', tag: 0, ignorable: true },
            highWatermark: {
              type: 'int64',
              versions: '18+',
              tag: 1,
              default: 9223372036854775807n,
              ignorable: true,
            },
          },
        },
      },
    },
    forgottenTopicsData: {
      type: 'array',
      versions: '7+',
      items: {
        topic: { type: 'string', versions: '7-12', ignorable: true },
        topicId: { type: 'uuid', versions: '13+', ignorable: true },
        partitions: { type: 'array', versions: '7+', items: 'int32' },
      },
    },
    rackId: { type: 'string', versions: '11+', ignorable: true },
  },
} as const satisfies MessageSchema;

export const fetchResponse = {
  name: 'FetchResponse',
  versions: '4-18',
  flexible: '12+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    errorCode: { type: 'int16', versions: '7+', ignorable: true },
    sessionId: { type: 'int32', versions: '7+' },
    responses: {
      type: 'array',
      versions: '0+',
      items: {
        topic: { type: 'string', versions: '0-12', ignorable: true },
        topicId: { type: 'uuid', versions: '13+', ignorable: true },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            errorCode: { type: 'int16', versions: '0+' },
            highWatermark: { type: 'int64', versions: '0+' },
            lastStableOffset: { type: 'int64', versions: '4+', default: -1n, ignorable: true },
            logStartOffset: { type: 'int64', versions: '5+', default: -1n, ignorable: true },
            divergingEpoch: {
              type: 'struct',
              versions: '12+',
              tag: 0,
              fields: {
                epoch: { type: 'int32', versions: '12+', default: -1 },
                endOffset: { type: 'int64', versions: '12+', default: -1n },
              },
            },
            currentLeader: {
              type: 'struct',
              versions: '12+',
              tag: 1,
              fields: {
                leaderId: { type: 'int32', versions: '12+', default: -1 },
                leaderEpoch: { type: 'int32', versions: '12+', default: -1 },
              },
            },
            snapshotId: {
              type: 'struct',
              versions: '12+',
              tag: 2,
              fields: {
                endOffset: { type: 'int64', versions: '0+', default: -1n },
                epoch: { type: 'int32', versions: '0+', default: -1 },
              },
            },
            abortedTransactions: {
              type: 'array',
              versions: '4+',
              nullable: '4+',
              ignorable: true,
              items: {
                producerId: { type: 'int64', versions: '4+' },
                firstOffset: { type: 'int64', versions: '4+' },
              },
            },
            preferredReadReplica: { type: 'int32', versions: '11+', default: -1 },
            records: { type: 'records', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
    nodeEndpoints: {
      type: 'array',
      versions: '16+',
      tag: 0,
      items: {
        nodeId: { type: 'int32', versions: '16+' },
        host: { type: 'string', versions: '16+' },
        port: { type: 'int32', versions: '16+' },
        rack: { type: 'string', versions: '16+', nullable: '16+', default: null },
      },
    },
  },
} as const satisfies MessageSchema;
