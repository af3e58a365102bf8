import type { MessageSchema } from '../schema.ts';

export const topicRecord = {
  name: 'TopicRecord',
  versions: '0',
  flexible: '0+',
  fields: { name: { type: 'string', versions: '0+' }, topicId: { type: 'uuid', versions: '0+' } },
} as const satisfies MessageSchema;

export const partitionRecord = {
  name: 'PartitionRecord',
  versions: '0-2',
  flexible: '0+',
  fields: {
    partitionId: { type: 'int32', versions: '0+', default: -1 },
    topicId: { type: 'uuid', versions: '0+' },
    replicas: { type: 'array', versions: '0+', items: 'int32' },
    isr: { type: 'array', versions: '0+', items: 'int32' },
    removingReplicas: { type: 'array', versions: '0+', items: 'int32' },
    addingReplicas: { type: 'array', versions: '0+', items: 'int32' },
    leader: { type: 'int32', versions: '0+', default: -1 },
    leaderRecoveryState: { type: 'int8', versions: '0+', tag: 0 },
    leaderEpoch: { type: 'int32', versions: '0+', default: -1 },
    partitionEpoch: { type: 'int32', versions: '0+', default: -1 },
    directories: { type: 'array', versions: '1+', items: 'uuid' },
    eligibleLeaderReplicas: {
      type: 'array',
      versions: '2+',
      nullable: '2+',
      tag: 1,
      default: null,
      items: 'int32',
    },
    lastKnownElr: {
      type: 'array',
      versions: '2+',
      nullable: '2+',
      tag: 2,
      default: null,
      items: 'int32',
    },
  },
} as const satisfies MessageSchema;

export const partitionChangeRecord = {
  name: 'PartitionChangeRecord',
  versions: '0-2',
  flexible: '0+',
  fields: {
    partitionId: { type: 'int32', versions: '0+', default: -1 },
    topicId: { type: 'uuid', versions: '0+' },
    isr: { type: 'array', versions: '0+', nullable: '0+', tag: 0, default: null, items: 'int32' },
    leader: { type: 'int32', versions: '0+', tag: 1, default: -2 },
    replicas: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      tag: 2,
      default: null,
      items: 'int32',
    },
    removingReplicas: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      tag: 3,
      default: null,
      items: 'int32',
    },
    addingReplicas: {
      type: 'array',
      versions: '0+',
      nullable: '0+',
      tag: 4,
      default: null,
      items: 'int32',
    },
    leaderRecoveryState: { type: 'int8', versions: '0+', tag: 5, default: -1 },
    directories: {
      type: 'array',
      versions: '1+',
      nullable: '1+',
      tag: 8,
      default: null,
      items: 'uuid',
    },
    eligibleLeaderReplicas: {
      type: 'array',
      versions: '2+',
      nullable: '2+',
      tag: 6,
      default: null,
      items: 'int32',
    },
    lastKnownElr: {
      type: 'array',
      versions: '2+',
      nullable: '2+',
      tag: 7,
      default: null,
      items: 'int32',
    },
  },
} as const satisfies MessageSchema;

export const configRecord = {
  name: 'ConfigRecord',
  versions: '0',
  flexible: '0+',
  fields: {
    resourceType: { type: 'int8', versions: '0+' },
    resourceName: { type: 'string', versions: '0+' },
    name: { type: 'string', versions: '0+' },
    value: { type: 'string', versions: '0+', nullable: '0+' },
  },
} as const satisfies MessageSchema;

export const removeTopicRecord = {
  name: 'RemoveTopicRecord',
  versions: '0',
  flexible: '0+',
  fields: { topicId: { type: 'uuid', versions: '0+' } },
} as const satisfies MessageSchema;

export const featureLevelRecord = {
  name: 'FeatureLevelRecord',
  versions: '0',
  flexible: '0+',
  fields: {
    name: { type: 'string', versions: '0+' },
    featureLevel: { type: 'int16', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const producerIdsRecord = {
  name: 'ProducerIdsRecord',
  versions: '0',
  flexible: '0+',
  fields: {
    brokerId: { type: 'int32', versions: '0+' },
    brokerEpoch: { type: 'int64', versions: '0+', default: -1n },
    nextProducerId: { type: 'int64', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const userScramCredentialRecord = {
  name: 'UserScramCredentialRecord',
  versions: '0',
  flexible: '0+',
  fields: {
    name: { type: 'string', versions: '0+' },
    mechanism: { type: 'int8', versions: '0+' },
    salt: { type: 'bytes', versions: '0+' },
    storedKey: { type: 'bytes', versions: '0+' },
    serverKey: { type: 'bytes', versions: '0+' },
    iterations: { type: 'int32', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const removeUserScramCredentialRecord = {
  name: 'RemoveUserScramCredentialRecord',
  versions: '0',
  flexible: '0+',
  fields: {
    name: { type: 'string', versions: '0+' },
    mechanism: { type: 'int8', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const registerBrokerRecord = {
  name: 'RegisterBrokerRecord',
  versions: '0-4',
  flexible: '0+',
  fields: {
    brokerId: { type: 'int32', versions: '0+' },
    isMigratingZkBroker: { type: 'bool', versions: '2+' },
    incarnationId: { type: 'uuid', versions: '0+' },
    brokerEpoch: { type: 'int64', versions: '0+' },
    endPoints: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        host: { type: 'string', versions: '0+' },
        port: { type: 'uint16', versions: '0+' },
        securityProtocol: { type: 'int16', versions: '0+' },
      },
    },
    features: {
      type: 'array',
      versions: '0+',
      items: {
        name: { type: 'string', versions: '0+' },
        minSupportedVersion: { type: 'int16', versions: '0+' },
        maxSupportedVersion: { type: 'int16', versions: '0+' },
      },
    },
    rack: { type: 'string', versions: '0+', nullable: '0+' },
    fenced: { type: 'bool', versions: '0+', default: true },
    inControlledShutdown: { type: 'bool', versions: '1+' },
    logDirs: { type: 'array', versions: '3+', tag: 0, items: 'uuid' },
    cordonedLogDirs: {
      type: 'array',
      versions: '4+',
      nullable: '4+',
      tag: 1,
      default: null,
      items: 'uuid',
    },
  },
} as const satisfies MessageSchema;

export const clientQuotaRecord = {
  name: 'ClientQuotaRecord',
  versions: '0',
  flexible: '0+',
  fields: {
    entity: {
      type: 'array',
      versions: '0+',
      items: {
        entityType: { type: 'string', versions: '0+' },
        entityName: { type: 'string', versions: '0+', nullable: '0+' },
      },
    },
    key: { type: 'string', versions: '0+' },
    value: { type: 'float64', versions: '0+' },
    remove: { type: 'bool', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const accessControlEntryRecord = {
  name: 'AccessControlEntryRecord',
  versions: '0',
  flexible: '0+',
  fields: {
    id: { type: 'uuid', versions: '0+' },
    resourceType: { type: 'int8', versions: '0+' },
    resourceName: { type: 'string', versions: '0+' },
    patternType: { type: 'int8', versions: '0+' },
    principal: { type: 'string', versions: '0+' },
    host: { type: 'string', versions: '0+' },
    operation: { type: 'int8', versions: '0+' },
    permissionType: { type: 'int8', versions: '0+' },
  },
} as const satisfies MessageSchema;

export const removeAccessControlEntryRecord = {
  name: 'RemoveAccessControlEntryRecord',
  versions: '0',
  flexible: '0+',
  fields: { id: { type: 'uuid', versions: '0+' } },
} as const satisfies MessageSchema;
