import type { Emulation } from './emulation.ts';

/**
 * Confluent Cloud (Basic and Standard), from its documentation and from what its users report. Not compared with it.
 */
export const confluentCloud: Emulation = {
  server: 'Confluent Cloud',
  defaults: {
    'auto.create.topics.enable': 'false',
    'log.segment.bytes': '104857600',
    'message.max.bytes': '2097164',
    'min.insync.replicas': '2',
    'num.partitions': '6',
  },
  brokerConfigs: 'POLICY_VIOLATION',
  replication: { error: 'POLICY_VIOLATION', accepted: [3] },
  topicConfigs: {
    error: 'POLICY_VIOLATION',
    settable: [
      'cleanup.policy',
      'delete.retention.ms',
      'max.compaction.lag.ms',
      'max.message.bytes',
      'message.timestamp.after.max.ms',
      'message.timestamp.before.max.ms',
      'message.timestamp.type',
      'min.compaction.lag.ms',
      'min.insync.replicas',
      'retention.bytes',
      'retention.ms',
      'segment.bytes',
      'segment.ms',
    ],
    ignoresOthers: true,
    maxima: { 'delete.retention.ms': 60_566_400_000, 'max.message.bytes': 8_388_608 },
    minima: { 'segment.bytes': 52_428_800 },
  },
};
