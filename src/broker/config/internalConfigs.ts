import type { ConfigTable } from './configType.ts';

// Configs that Kafka keeps for its own tests and developers: it takes them, and tells of them only once they are set.
// [ConfigDef.defineInternal]

/** Of a topic. [LogConfig] */
export const internalTopicConfigs = {
  'internal.segment.bytes': {
    type: 'int',
    default: null,
    documentation: 'As segment.bytes, which it goes before, and without its lower bound.',
  },
} as const satisfies ConfigTable;

/** Of a broker, which reads them at its start only. */
export const internalConfigs = {
  'group.consumer.regex.refresh.interval.ms': {
    type: 'int',
    default: '600000',
    min: 10_000,
    documentation: 'How often a consumer group looks for topics that match its patterns.',
  },
  'producer.id.expiration.check.interval.ms': {
    type: 'int',
    default: '600000',
    min: 1,
    documentation: 'How often producers are looked for that have been idle for too long.',
  },
} as const satisfies ConfigTable;

/** Those that nothing here goes by. */
export const unusedInternalConfigs = {
  'controller.performance.always.log.threshold.ms': {
    type: 'long',
    default: '2000',
    min: 0,
    documentation: 'From how long on an event of the controller is logged.',
  },
  'controller.performance.sample.period.ms': {
    type: 'long',
    default: '60000',
    min: 100,
    documentation: 'How often the controller logs how it performs.',
  },
  'group.share.dlq.manager.class.name': {
    type: 'string',
    default: 'org.apache.kafka.server.share.dlq.DefaultShareGroupDLQManager',
    documentation: 'The class that puts records of share groups into dead letter queues.',
  },
  'group.share.initialize.retry.interval.ms': {
    type: 'int',
    default: '30000',
    min: 1,
    documentation: 'After how long the state of a share group is asked for again.',
  },
  'group.share.persister.class.name': {
    type: 'string',
    default: 'org.apache.kafka.server.share.persister.DefaultStatePersister',
    documentation: 'The class that keeps the state of share groups.',
  },
  'internal.metadata.delete.delay.millis': {
    type: 'long',
    default: '60000',
    documentation: 'How long a deleted file of the metadata stays on disk.',
  },
  'internal.metadata.log.segment.bytes': {
    type: 'int',
    default: null,
    documentation: 'The size at which the metadata goes on in a new segment.',
  },
  'internal.metadata.max.batch.size.in.bytes': {
    type: 'int',
    default: '8388608',
    documentation: 'The largest batch of the metadata.',
  },
  'log.initial.task.delay.ms': {
    type: 'long',
    default: '30000',
    min: 0,
    documentation: 'How long after the start the chores of logs begin.',
  },
  'remote.log.index.file.cache.ttl.ms': {
    type: 'long',
    default: '900000',
    min: -1,
    documentation: 'How long an index of tiered storage stays in the cache.',
  },
  'remote.log.manager.task.retry.backoff.max.ms': {
    type: 'long',
    default: '30000',
    min: 1,
    documentation: 'The longest pause until tiered storage is tried again.',
  },
  'remote.log.manager.task.retry.backoff.ms': {
    type: 'long',
    default: '500',
    min: 1,
    documentation: 'The first pause until tiered storage is tried again.',
  },
  'remote.log.manager.task.retry.jitter': {
    type: 'double',
    default: '0.2',
    min: 0,
    max: 0.5,
    documentation: 'The random part of the pauses of tiered storage.',
  },
  'server.max.startup.time.ms': {
    type: 'long',
    default: '9223372036854775807',
    min: 0,
    documentation: 'How long a server may take to start.',
  },
  'share.coordinator.cold.partition.snapshot.interval.ms': {
    type: 'int',
    default: '300000',
    min: 1,
    documentation: 'How often snapshots are taken of share partitions that do not change.',
  },
  'share.coordinator.state.topic.prune.interval.ms': {
    type: 'int',
    default: '300000',
    min: 1,
    documentation:
      'How often what nobody needs any more is deleted from the state of share groups.',
  },
  'unclean.leader.election.interval.ms': {
    type: 'long',
    default: '300000',
    min: 1,
    documentation: 'How often the controller looks for partitions that need an unclean leader.',
  },
  'unstable.api.versions.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether versions of APIs that are not finished are served.',
  },
  'unstable.feature.versions.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether versions of features that are not finished may be had.',
  },
} as const satisfies ConfigTable;
