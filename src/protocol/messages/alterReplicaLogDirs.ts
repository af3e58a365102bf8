import type { MessageSchema } from '../schema.ts';

export const alterReplicaLogDirsRequest = {
  name: 'AlterReplicaLogDirsRequest',
  versions: '1-2',
  flexible: '2+',
  fields: {
    dirs: {
      type: 'array',
      versions: '0+',
      items: {
        path: { type: 'string', versions: '0+' },
        topics: {
          type: 'array',
          versions: '0+',
          items: {
            name: { type: 'string', versions: '0+' },
            partitions: { type: 'array', versions: '0+', items: 'int32' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const alterReplicaLogDirsResponse = {
  name: 'AlterReplicaLogDirsResponse',
  versions: '1-2',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    results: {
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
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
