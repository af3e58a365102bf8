import type { ConfigTable } from './configType.ts';

// The configs of brokers for tiered storage, which is not here; those that topics have too are with topics'.

/** [DynamicBrokerConfig.DynamicRemoteLogConfig] */
export const dynamicTieredConfigs: ConfigTable = {
  'remote.fetch.max.wait.ms': {
    type: 'int',
    default: '500',
    min: 1,
    documentation: 'How long a fetch waits for what is in tiered storage.',
  },
  'remote.list.offsets.request.timeout.ms': {
    type: 'long',
    default: '30000',
    min: 1,
    documentation: 'How long a search for an offset in tiered storage may take.',
  },
  'remote.log.index.file.cache.total.size.bytes': {
    type: 'long',
    default: '1073741824',
    min: 1,
    documentation: 'Space for the indexes of segments in tiered storage.',
  },
  'remote.log.manager.copier.thread.pool.size': {
    type: 'int',
    default: '10',
    min: 1,
    documentation: 'Threads that copy segments to tiered storage.',
  },
  'remote.log.manager.copy.max.bytes.per.second': {
    type: 'long',
    default: '9223372036854775807',
    min: 1,
    documentation: 'How fast segments may be copied to tiered storage.',
  },
  'remote.log.manager.expiration.thread.pool.size': {
    type: 'int',
    default: '10',
    min: 1,
    documentation: 'Threads that delete old segments from tiered storage.',
  },
  'remote.log.manager.fetch.max.bytes.per.second': {
    type: 'long',
    default: '9223372036854775807',
    min: 1,
    documentation: 'How fast segments may be fetched from tiered storage.',
  },
  'remote.log.manager.follower.thread.pool.size': {
    type: 'int',
    default: '2',
    min: 1,
    documentation: 'Threads that follow what leaders have put into tiered storage.',
  },
  'remote.log.reader.threads': {
    type: 'int',
    default: '10',
    min: 1,
    documentation: 'Threads that read from tiered storage.',
  },
};

/** [RemoteLogManagerConfig] */
export const fixedTieredConfigs: ConfigTable = {
  'remote.log.manager.copy.quota.window.num': {
    type: 'int',
    default: '11',
    min: 1,
    documentation: 'Samples kept for the limit on copies to tiered storage.',
  },
  'remote.log.manager.copy.quota.window.size.seconds': {
    type: 'int',
    default: '1',
    min: 1,
    documentation: 'How long a sample for the limit on copies to tiered storage is.',
  },
  'remote.log.manager.fetch.quota.window.num': {
    type: 'int',
    default: '11',
    min: 1,
    documentation: 'Samples kept for the limit on fetches from tiered storage.',
  },
  'remote.log.manager.fetch.quota.window.size.seconds': {
    type: 'int',
    default: '1',
    min: 1,
    documentation: 'How long a sample for the limit on fetches from tiered storage is.',
  },
  'remote.log.manager.task.interval.ms': {
    type: 'long',
    default: '30000',
    min: 1,
    documentation: 'How often it is checked what there is to copy to tiered storage or to delete.',
  },
  'remote.log.manager.thread.pool.size': {
    type: 'int',
    default: '2',
    min: 1,
    documentation: 'As remote.log.manager.follower.thread.pool.size, where that is not set.',
  },
  'remote.log.metadata.custom.metadata.max.bytes': {
    type: 'int',
    default: '128',
    min: 0,
    documentation: 'The most that a plugin may note about a segment in tiered storage.',
  },
  'remote.log.metadata.manager.class.name': {
    type: 'string',
    isNotEmpty: true,
    default:
      'org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager',
    documentation: 'The class that keeps what is known about segments in tiered storage.',
  },
  'remote.log.metadata.manager.class.path': {
    type: 'string',
    default: null,
    documentation: 'Where the class of remote.log.metadata.manager.class.name is.',
  },
  'remote.log.metadata.manager.impl.prefix': {
    type: 'string',
    isNotEmpty: true,
    default: 'rlmm.config.',
    documentation: 'What the names of configs for the manager of that metadata begin with.',
  },
  'remote.log.metadata.manager.listener.name': {
    type: 'string',
    isNotEmpty: true,
    default: null,
    documentation: 'The listener that the manager of that metadata connects to.',
  },
  'remote.log.reader.max.pending.tasks': {
    type: 'int',
    default: '100',
    min: 1,
    documentation: 'How many reads from tiered storage may wait for a thread.',
  },
  'remote.log.storage.manager.class.name': {
    type: 'string',
    isNotEmpty: true,
    default: null,
    documentation: 'The class that stores segments elsewhere.',
  },
  'remote.log.storage.manager.class.path': {
    type: 'string',
    default: null,
    documentation: 'Where the class of remote.log.storage.manager.class.name is.',
  },
  'remote.log.storage.manager.impl.prefix': {
    type: 'string',
    isNotEmpty: true,
    default: 'rsm.config.',
    documentation: 'What the names of configs for the manager of that storage begin with.',
  },
  'remote.log.storage.system.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether topics can be kept in tiered storage.',
  },
};
