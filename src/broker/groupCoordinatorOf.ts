import { defaultGroupConfig, type GroupConfig } from '../coordinator/group/groupConfig.ts';
import { GroupCoordinator } from '../coordinator/group/groupCoordinator.ts';
import type { BrokerView } from './brokerView.ts';
import { consumerGroupConfig } from './config/groupConfigs.ts';
import { groupOverrides } from './config/ownGroupConfigs.ts';
import { resourceTypes } from './controller/metadataImage.ts';
import { offsetsTopic } from './controller/topicNames.ts';
import { partitionWriter } from './coordinatorLog.ts';

/** The group coordinator of a broker, on its partitions, its metadata and its configs. */
export function groupCoordinatorOf(
  node: Pick<BrokerView, 'cluster' | 'image' | 'partition'>,
): GroupCoordinator {
  const { clock, random, logger, config } = node.cluster;
  return new GroupCoordinator({
    clock,
    random,
    logger,
    config: configOf(node),
    writer: partitionWriter({
      clock,
      partitionOf: (partition) => node.partition(offsetsTopic, partition),
      verifiesTransactions: config.boolean('transaction.partition.verification.enable'),
    }),
    topics: {
      topicId: (name) => node.image.topic(name)?.topicId,
      topicName: (topicId) => node.image.topicById(topicId)?.name,
      partitionCount: (name) => node.image.topic(name)?.partitions.length,
      names: () => node.image.topics.keys(),
      version: () => node.image.offset,
    },
  });
}

function configOf(node: Pick<BrokerView, 'cluster' | 'image'>): GroupConfig {
  const { config } = node.cluster;
  const present = node.image.topic(offsetsTopic)?.partitions.length;
  return {
    ...defaultGroupConfig,
    offsetsTopicPartitions: present ?? config.number('offsets.topic.num.partitions'),
    minSessionTimeoutMs: config.number('group.min.session.timeout.ms'),
    maxSessionTimeoutMs: config.number('group.max.session.timeout.ms'),
    initialRebalanceDelayMs: config.number('group.initial.rebalance.delay.ms'),
    maxGroupSize: config.number('group.max.size'),
    maxOffsetMetadataBytes: config.number('offset.metadata.max.bytes'),
    offsetsRetentionMs: config.number('offsets.retention.minutes') * 60_000,
    offsetsCommitTimeoutMs: config.number('offsets.commit.timeout.ms'),
    consumer: consumerGroupConfig(config),
    overridesOf: (groupId) => groupOverrides(node.image.configsOf(resourceTypes.group, groupId)),
  };
}
