import type { MessageSchema } from '../schema.ts';

export const produceRequest = {
  name: 'ProduceRequest',
  versions: '3-13',
  flexible: '9+',
  fields: {
    transactionalId: { type: 'string', versions: '3+', nullable: '3+', default: null },
    acks: { type: 'int16', versions: '0+' },
    timeoutMs: { type: 'int32', versions: '0+' },
    topicData: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0-12', ignorable: true },
        topicId: { type: 'uuid', versions: '13+', ignorable: true },
        partitionData: {
          type: 'array',
          versions: '0+',
          items: {
            index: { type: 'int32', versions: '0+' },
            records: { type: 'records', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;

export const produceResponse = {
  name: 'ProduceResponse',
  versions: '3-13',
  flexible: '9+',
  fields: {
    responses: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0-12', ignorable: true },
        topicId: { type: 'uuid', versions: '13+', ignorable: true },
        partitionResponses: {
          type: 'array',
          versions: '0+',
          items: {
            index: { type: 'int32', versions: '0+' },
            errorCode: { type: 'int16', versions: '0+' },
            baseOffset: { type: 'int64', versions: '0+' },
            logAppendTimeMs: { type: 'int64', versions: '2+', default: -1n, ignorable: true },
            logStartOffset: { type: 'int64', versions: '5+', default: -1n, ignorable: true },
            recordErrors: {
              type: 'array',
              versions: '8+',
              ignorable: true,
              items: {
                batchIndex: { type: 'int32', versions: '8+' },
                batchIndexErrorMessage: {
                  type: 'string',
                  versions: '8+',
                  nullable: '8+',
                  default: null,
                },
              },
            },
            errorMessage: {
              type: 'string',
              versions: '8+',
              nullable: '8+',
              default: null,
              ignorable: true,
            },
            currentLeader: {
              type: 'struct',
              versions: '10+',
              tag: 0,
              fields: {
                leaderId: { type: 'int32', versions: '10+', default: -1 },
                leaderEpoch: { type: 'int32', versions: '10+', default: -1 },
              },
            },
          },
        },
      },
    },
    throttleTimeMs: { type: 'int32', versions: '1+', ignorable: true },
    nodeEndpoints: {
      type: 'array',
      versions: '10+',
      tag: 0,
      items: {
        nodeId: { type: 'int32', versions: '10+' },
        host: { type: 'string', versions: '10+' },
        port: { type: 'int32', versions: '10+' },
        rack: { type: 'string', versions: '10+', nullable: '10+', default: null },
      },
    },
  },
} as const satisfies MessageSchema;
