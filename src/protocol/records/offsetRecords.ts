import type { MessageSchema } from '../schema.ts';

export const offsetCommitKey = {
  name: 'OffsetCommitKey',
  versions: '0',
  flexible: 'none',
  fields: {
    group: { type: 'string', versions: '0' },
    topic: { type: 'string', versions: '0' },
    partition: { type: 'int32', versions: '0' },
  },
} as const satisfies MessageSchema;

export const offsetCommitValue = {
  name: 'OffsetCommitValue',
  versions: '0-4',
  flexible: '4+',
  fields: {
    offset: { type: 'int64', versions: '0+' },
    leaderEpoch: { type: 'int32', versions: '3+', default: -1, ignorable: true },
    metadata: { type: 'string', versions: '0+' },
    commitTimestamp: { type: 'int64', versions: '0+' },
    expireTimestamp: { type: 'int64', versions: '1', default: -1n, ignorable: true },
    topicId: { type: 'uuid', versions: '4+', tag: 0, ignorable: true },
  },
} as const satisfies MessageSchema;

export const groupMetadataKey = {
  name: 'GroupMetadataKey',
  versions: '0',
  flexible: 'none',
  fields: { group: { type: 'string', versions: '0' } },
} as const satisfies MessageSchema;

export const groupMetadataValue = {
  name: 'GroupMetadataValue',
  versions: '0-4',
  flexible: '4+',
  fields: {
    protocolType: { type: 'string', versions: '0+' },
    generation: { type: 'int32', versions: '0+' },
    protocol: { type: 'string', versions: '0+', nullable: '0+' },
    leader: { type: 'string', versions: '0+', nullable: '0+' },
    currentStateTimestamp: { type: 'int64', versions: '2+', default: -1n, ignorable: true },
    members: {
      type: 'array',
      versions: '0+',
      items: {
        memberId: { type: 'string', versions: '0+' },
        groupInstanceId: {
          type: 'string',
          versions: '3+',
          nullable: '3+',
          default: null,
          ignorable: true,
        },
        clientId: { type: 'string', versions: '0+' },
        clientHost: { type: 'string', versions: '0+' },
        rebalanceTimeout: { type: 'int32', versions: '1+', default: -1, ignorable: true },
        sessionTimeout: { type: 'int32', versions: '0+' },
        subscription: { type: 'bytes', versions: '0+' },
        assignment: { type: 'bytes', versions: '0+' },
      },
    },
  },
} as const satisfies MessageSchema;
