import type { MessageSchema } from '../schema.ts';

export const describeLogDirsRequest = {
  name: 'DescribeLogDirsRequest',
  versions: '1-5',
  flexible: '2+',
  fields: {
    topics: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      items: {
        topic: { type: 'string', versions: '0+' },
        partitions: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
  },
} as const satisfies MessageSchema;

export const describeLogDirsResponse = {
  name: 'DescribeLogDirsResponse',
  versions: '1-5',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '3+', ignorable: true },
    results: {
      type: 'array',
      versions: '0+',
      items: {
        errorCode: { type: 'int16', versions: '0+' },
        logDir: { type: 'string', versions: '0+' },
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
                partitionSize: { type: 'int64', versions: '0+' },
                offsetLag: { type: 'int64', versions: '0+' },
                isFutureKey: { type: 'bool', versions: '0+' },
              },
            },
          },
        },
        totalBytes: { type: 'int64', versions: '4+', default: -1n, ignorable: true },
        usableBytes: { type: 'int64', versions: '4+', default: -1n, ignorable: true },
        isCordoned: { type: 'bool', versions: '5+', ignorable: true },
      },
    },
  },
} as const satisfies MessageSchema;
