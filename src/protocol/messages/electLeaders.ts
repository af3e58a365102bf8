import type { MessageSchema } from '../schema.ts';

export const electLeadersRequest = {
  name: 'ElectLeadersRequest',
  versions: '0-2',
  flexible: '2+',
  fields: {
    electionType: { type: 'int8', versions: '1+' },
    topicPartitions: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      items: {
        topic: { type: 'string', versions: '0+' },
        partitions: { type: 'array', versions: '0+', items: 'int32' },
      },
    },
    timeoutMs: { type: 'int32', versions: '0+', default: 60000 },
  },
} as const satisfies MessageSchema;

export const electLeadersResponse = {
  name: 'ElectLeadersResponse',
  versions: '0-2',
  flexible: '2+',
  fields: {
    throttleTimeMs: { type: 'int32', versions: '0+' },
    errorCode: { type: 'int16', versions: '1+' },
    replicaElectionResults: {
      type: 'array',
      versions: '0+',
      items: {
        topic: { type: 'string', versions: '0+' },
        partitionResult: {
          type: 'array',
          versions: '0+',
          items: {
            partitionId: { type: 'int32', versions: '0+' },
            errorCode: { type: 'int16', versions: '0+' },
            errorMessage: { type: 'string', versions: '0+', nullable: '0+' },
          },
        },
      },
    },
  },
} as const satisfies MessageSchema;
