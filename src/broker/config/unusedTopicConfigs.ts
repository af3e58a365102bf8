import type { ConfigTable } from './configType.ts';

/**
 * Configs of a topic for what is not here: tiered storage, dead letter queues, followers, files of a size given ahead.
 * Topics can have them all the same: tools set them, and copy them from one cluster to another. [LogConfig]
 */
export const unusedTopicConfigs = {
  'errors.deadletterqueue.group.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether share groups may put into the topic what they could not process.',
  },
  'follower.replication.throttled.replicas': {
    type: 'list',
    default: '',
    isReplicas: true,
    documentation: 'Replicas whose replication is throttled on the follower.',
  },
  'leader.replication.throttled.replicas': {
    type: 'list',
    default: '',
    isReplicas: true,
    documentation: 'Replicas whose replication is throttled on the leader.',
  },
  'local.retention.bytes': {
    type: 'long',
    default: '-2',
    min: -2,
    documentation:
      'With tiered storage: the size of what a partition keeps on the broker; -2 is retention.bytes.',
  },
  'local.retention.ms': {
    type: 'long',
    default: '-2',
    min: -2,
    documentation:
      'With tiered storage: for how long segments stay on the broker; -2 is retention.ms.',
  },
  preallocate: {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether a new segment gets its whole size on disk at once.',
  },
  'remote.copy.lag.bytes': {
    type: 'long',
    default: '-1',
    min: -1,
    documentation:
      'With tiered storage: how much may be written after a segment until it is copied; -1 is local.retention.bytes.',
  },
  'remote.copy.lag.ms': {
    type: 'long',
    default: '0',
    min: -1,
    documentation:
      'With tiered storage: how old a segment may get until it is copied; -1 is local.retention.ms.',
  },
  'remote.log.copy.disable': {
    type: 'boolean',
    default: 'false',
    documentation:
      'With tiered storage: whether nothing more is copied, and what was copied can still be read.',
  },
  'remote.log.delete.on.disable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether what is in tiered storage is deleted when a topic leaves it.',
  },
  'remote.storage.enable': {
    type: 'boolean',
    default: 'false',
    documentation:
      'Whether the topic is kept in tiered storage too. There is none, so that it cannot be true.',
  },
  'unclean.leader.election.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether a replica that is out of sync may lead, at the price of lost records.',
  },
} as const satisfies ConfigTable;
