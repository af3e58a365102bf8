import type { MessageSchema } from '../schema.ts';

export const describeQuorumRequest = {
  name: 'DescribeQuorumRequest',
  versions: '0-2',
  flexible: '0+',
  fields: {
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        topicName: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: { partitionIndex: { type: 'int32', versions: '0+' } },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const describeQuorumResponse = {
  name: 'DescribeQuorumResponse',
  versions: '0-2',
  flexible: '0+',
  fields: {
    errorCode: { type: 'int16', versions: '0+' },
    errorMessage: { type: 'string', versions: '2+', nullable: '2+', ignorable: true },
    topics: {
      type: 'array',
      versions: '0+',
      items: {
        topicName: { type: 'string', versions: '0+' },
        partitions: {
          type: 'array',
          versions: '0+',
          items: {
            partitionIndex: { type: 'int32', versions: '0+' },
            errorCode: { type: 'int16', versions: '0+' },
            errorMessage: { type: 'string', versions: '2+', nullable: '2+', ignorable: true },
            leaderId: { type: 'int32', versions: '0+' },
            leaderEpoch: { type: 'int32', versions: '0+' },
            highWatermark: { type: 'int64', versions: '0+' },
            currentVoters: {
              type: 'array',
              versions: '0+',
              items: {
                replicaId: { type: 'int32', versions: '0+' },
                replicaDirectoryId: { type: 'uuid', versions: '2+' },
                logEndOffset: { type: 'int64', versions: '0+' },
                lastFetchTimestamp: {
                  type: 'int64',
                  versions: '1+',
                  default: -1n,
                  ignorable: true,
                },
                lastCaughtUpTimestamp: {
                  type: 'int64',
                  versions: '1+',
                  default: -1n,
                  ignorable: true,
                },
              },
            },
            observers: {
              type: 'array',
              versions: '0+',
              items: {
                replicaId: { type: 'int32', versions: '0+' },
                replicaDirectoryId: { type: 'uuid', versions: '2+' },
                logEndOffset: { type: 'int64', versions: '0+' },
                lastFetchTimestamp: {
                  type: 'int64',
                  versions: '1+',
                  default: -1n,
                  ignorable: true,
                },
                lastCaughtUpTimestamp: {
                  type: 'int64',
                  versions: '1+',
                  default: -1n,
                  ignorable: true,
                },
              },
            },
          },
        },
      },
    },
    nodes: {
      type: 'array',
      versions: '2+',
      items: {
        nodeId: { type: 'int32', versions: '2+' },
        listeners: {
          type: 'array',
          versions: '2+',
          items: {
            name: { type: 'string', versions: '2+' },
            host: { type: 'string', versions: '2+' },
            port: { type: 'uint16', versions: '2+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
