import type { ConfigTable } from './configType.ts';

// The configs of brokers for share groups and their dead letter queues, which are not here.

/** [GroupCoordinatorConfig.RECONFIGURABLE_CONFIGS, ShareCoordinatorConfig.RECONFIGURABLE_CONFIGS] */
export const dynamicShareConfigs = {
  'errors.deadletterqueue.auto.create.topics.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether the topic of a dead letter queue is made when it is first needed.',
  },
  'errors.deadletterqueue.topic.name.prefix': {
    type: 'string',
    default: 'dlq.',
    documentation: 'What the names of topics made for dead letter queues begin with.',
  },
  'group.share.assignment.interval.ms': {
    type: 'int',
    default: '1000',
    min: 0,
    documentation: 'How long a share group waits between two assignments.',
  },
  'share.coordinator.cached.buffer.max.bytes': {
    type: 'int',
    default: '1048588',
    min: 524_288,
    documentation: 'The largest buffer that the share coordinator keeps for its next write.',
  },
} as const satisfies ConfigTable;

/** [GroupCoordinatorConfig, ShareGroupConfig, ShareCoordinatorConfig] */
export const fixedShareConfigs = {
  'group.share.assignors': {
    type: 'list',
    isNotEmpty: true,
    default: 'simple',
    documentation: 'How partitions are given to the members of share groups.',
  },
  'group.share.delivery.count.limit': {
    type: 'int',
    default: '5',
    min: 2,
    max: 10,
    documentation: 'How often a record is delivered to a share group before it is given up.',
  },
  'group.share.heartbeat.interval.ms': {
    type: 'int',
    default: '5000',
    min: 1,
    documentation: 'How often members of a share group are asked to send heartbeats.',
  },
  'group.share.max.assignment.interval.ms': {
    type: 'int',
    default: '15000',
    min: 0,
    documentation: 'The longest assignment interval that a share group may be given.',
  },
  'group.share.max.delivery.count.limit': {
    type: 'int',
    default: '10',
    min: 5,
    max: 25,
    documentation: 'The highest limit on deliveries that a share group may be given.',
  },
  'group.share.max.heartbeat.interval.ms': {
    type: 'int',
    default: '15000',
    min: 1,
    documentation: 'The longest heartbeat interval that a share group may be given.',
  },
  'group.share.max.partition.max.record.locks': {
    type: 'int',
    default: '4000',
    min: 2000,
    max: 10_000,
    documentation: 'The highest limit on locks that a share group may be given.',
  },
  'group.share.max.record.lock.duration.ms': {
    type: 'int',
    default: '60000',
    min: 30_000,
    max: 3_600_000,
    documentation: 'The longest lock on records that a share group may be given.',
  },
  'group.share.max.session.timeout.ms': {
    type: 'int',
    default: '60000',
    min: 1,
    documentation: 'The longest session timeout that a share group may be given.',
  },
  'group.share.max.share.sessions': {
    type: 'int',
    default: '2000',
    min: 1,
    documentation: 'The most sessions of share consumers that a broker keeps.',
  },
  'group.share.max.size': {
    type: 'int',
    default: '200',
    min: 1,
    max: 1000,
    documentation: 'The most members that a share group may have.',
  },
  'group.share.min.assignment.interval.ms': {
    type: 'int',
    default: '0',
    min: 0,
    documentation: 'The shortest assignment interval that a share group may be given.',
  },
  'group.share.min.delivery.count.limit': {
    type: 'int',
    default: '2',
    min: 2,
    max: 5,
    documentation: 'The lowest limit on deliveries that a share group may be given.',
  },
  'group.share.min.heartbeat.interval.ms': {
    type: 'int',
    default: '5000',
    min: 1,
    documentation: 'The shortest heartbeat interval that a share group may be given.',
  },
  'group.share.min.partition.max.record.locks': {
    type: 'int',
    default: '100',
    min: 100,
    max: 2000,
    documentation: 'The lowest limit on locks that a share group may be given.',
  },
  'group.share.min.record.lock.duration.ms': {
    type: 'int',
    default: '15000',
    min: 1000,
    max: 30_000,
    documentation: 'The shortest lock on records that a share group may be given.',
  },
  'group.share.min.session.timeout.ms': {
    type: 'int',
    default: '45000',
    min: 1,
    documentation: 'The shortest session timeout that a share group may be given.',
  },
  'group.share.partition.max.record.locks': {
    type: 'int',
    default: '2000',
    min: 100,
    max: 10_000,
    documentation: 'How many records of a partition may be locked for a share group at once.',
  },
  'group.share.record.lock.duration.ms': {
    type: 'int',
    default: '30000',
    min: 1000,
    max: 3_600_000,
    documentation: 'How long a record is locked for the member of a share group that has it.',
  },
  'group.share.session.timeout.ms': {
    type: 'int',
    default: '45000',
    min: 1,
    documentation: 'After how long without heartbeat a member of a share group is gone.',
  },
  'share.coordinator.append.linger.ms': {
    type: 'int',
    default: '-1',
    min: -1,
    documentation: 'How long the share coordinator gathers writes; -1 is as long as it is busy.',
  },
  'share.coordinator.load.buffer.size': {
    type: 'int',
    default: '5242880',
    min: 1,
    documentation: 'Memory with which the share coordinator reads its topic when it starts.',
  },
  'share.coordinator.snapshot.update.records.per.snapshot': {
    type: 'int',
    default: '500',
    min: 0,
    max: 500,
    documentation: 'How many updates the share coordinator writes until it writes all again.',
  },
  'share.coordinator.state.topic.compression.codec': {
    type: 'int',
    default: '0',
    min: 0,
    max: 4,
    documentation: 'With what the topic of the share coordinator is compressed.',
  },
  'share.coordinator.threads': {
    type: 'int',
    default: '1',
    min: 1,
    documentation: 'Threads of the share coordinator.',
  },
  'share.coordinator.write.timeout.ms': {
    type: 'int',
    default: '5000',
    min: 1,
    documentation: 'How long the share coordinator waits for a write.',
  },
  'share.fetch.purgatory.purge.interval.requests': {
    type: 'int',
    default: '1000',
    documentation:
      'After how many fetches of share consumers those that are done are cleared away.',
  },
} as const satisfies ConfigTable;
