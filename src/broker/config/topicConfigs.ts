import type { CleanupPolicy, CompressionType, LogConfig } from '../../storage/logConfig.ts';
import { booleanOf, listItems, numberOf, wholeNumberOf } from './configText.ts';
import { type ConfigDefinition, type ConfigTable, configProblem } from './configType.ts';
import { internalTopicConfigs } from './internalConfigs.ts';
import { unusedTopicConfigs } from './unusedTopicConfigs.ts';
import { withoutEffect } from './withoutEffect.ts';

export const longMax = '9223372036854775807';

/** Every config of a topic, by name. [LogConfig] */
export const topicConfigs = {
  'cleanup.policy': {
    type: 'list',
    default: 'delete',
    oneOf: ['compact', 'delete'],
    documentation:
      'What happens to old data: delete removes whole segments by age and size, compact keeps the latest record of each key.',
  },
  'compression.gzip.level': {
    type: 'int',
    default: '-1',
    min: -1,
    max: 9,
    except: 0,
    documentation: 'Level used where the topic compresses with gzip.',
  },
  'compression.lz4.level': {
    type: 'int',
    default: '9',
    min: 1,
    max: 17,
    documentation: 'Level used where the topic compresses with lz4.',
  },
  'compression.type': {
    type: 'string',
    default: 'producer',
    oneOf: ['uncompressed', 'zstd', 'lz4', 'snappy', 'gzip', 'producer'],
    documentation:
      'How batches are stored. producer keeps them as they were sent; anything else compresses again.',
  },
  'compression.zstd.level': {
    type: 'int',
    default: '3',
    min: -131072,
    max: 22,
    documentation: 'Level used where the topic compresses with zstd.',
  },
  'delete.retention.ms': {
    type: 'long',
    default: '86400000',
    min: 0,
    documentation: 'How long a compacted topic keeps a tombstone, so that readers can see it.',
  },
  'file.delete.delay.ms': {
    type: 'long',
    default: '60000',
    min: 0,
    documentation: 'How long a deleted segment stays on disk under another name.',
  },
  'flush.messages': {
    type: 'long',
    default: longMax,
    min: 1,
    documentation: 'After how many records the log is forced to disk.',
  },
  'flush.ms': {
    type: 'long',
    default: longMax,
    min: 0,
    documentation: 'After how long the log is forced to disk.',
  },
  'index.interval.bytes': {
    type: 'int',
    default: '4096',
    min: 0,
    documentation: 'About how many bytes of log lie between two entries of the offset index.',
  },
  'max.compaction.lag.ms': {
    type: 'long',
    default: longMax,
    min: 1,
    documentation: 'The longest time that a record stays out of reach of compaction.',
  },
  'max.decompressed.message.bytes': {
    type: 'int',
    default: '2147483639',
    min: 1,
    max: 2_147_483_639,
    documentation: 'The largest record taken in a compressed batch, once it is decompressed.',
  },
  'max.message.bytes': {
    type: 'int',
    default: '1048588',
    min: 0,
    documentation: 'The largest batch taken, after compression.',
  },
  'message.timestamp.after.max.ms': {
    type: 'long',
    default: '3600000',
    min: 0,
    documentation: "How far ahead of the broker's clock a record's timestamp may be.",
  },
  'message.timestamp.before.max.ms': {
    type: 'long',
    default: longMax,
    min: 0,
    documentation: "How far behind the broker's clock a record's timestamp may be.",
  },
  'message.timestamp.type': {
    type: 'string',
    default: 'CreateTime',
    oneOf: ['CreateTime', 'LogAppendTime'],
    documentation: "Whether records keep the producer's timestamp or get the broker's.",
  },
  'min.cleanable.dirty.ratio': {
    type: 'double',
    default: '0.5',
    min: 0,
    max: 1,
    documentation: 'The share of uncompacted log from which compaction is worth its while.',
  },
  'min.compaction.lag.ms': {
    type: 'long',
    default: '0',
    min: 0,
    documentation: 'The shortest time that a record stays out of reach of compaction.',
  },
  'min.insync.replicas': {
    type: 'int',
    default: '1',
    min: 1,
    documentation: 'How many replicas must be in sync for a write with acks=all to be taken.',
  },
  'retention.bytes': {
    type: 'long',
    default: '-1',
    documentation:
      'The size that a partition is cut back to, oldest segments first; -1 is no limit.',
  },
  'retention.ms': {
    type: 'long',
    default: '604800000',
    min: -1,
    documentation: 'The age from which segments are deleted; -1 is no limit.',
  },
  'segment.bytes': {
    type: 'int',
    default: '1073741824',
    min: 1_048_576,
    documentation: 'The size at which a new segment is started. Retention removes whole segments.',
  },
  'segment.index.bytes': {
    type: 'int',
    default: '10485760',
    min: 4,
    documentation: 'The largest size of a segment index.',
  },
  'segment.jitter.ms': {
    type: 'long',
    default: '0',
    min: 0,
    documentation: 'Random part taken off segment.ms, so that segments do not all roll at once.',
  },
  'segment.ms': {
    type: 'long',
    default: '604800000',
    min: 1,
    documentation:
      'The age at which a new segment is started, so that retention can take the old one.',
  },
  ...withoutEffect(unusedTopicConfigs),
} as const satisfies ConfigTable;

export type TopicConfigName = keyof typeof topicConfigs;

/** The broker config that a topic config takes its default from, where there is one. [ServerTopicConfigSynonyms] */
export const brokerSynonyms: Readonly<Partial<Record<TopicConfigName, string>>> = {
  'cleanup.policy': 'log.cleanup.policy',
  'compression.gzip.level': 'compression.gzip.level',
  'compression.lz4.level': 'compression.lz4.level',
  'compression.type': 'compression.type',
  'compression.zstd.level': 'compression.zstd.level',
  'delete.retention.ms': 'log.cleaner.delete.retention.ms',
  'file.delete.delay.ms': 'log.segment.delete.delay.ms',
  'flush.messages': 'log.flush.interval.messages',
  'flush.ms': 'log.flush.interval.ms',
  'index.interval.bytes': 'log.index.interval.bytes',
  'local.retention.bytes': 'log.local.retention.bytes',
  'local.retention.ms': 'log.local.retention.ms',
  'max.compaction.lag.ms': 'log.cleaner.max.compaction.lag.ms',
  'max.decompressed.message.bytes': 'max.decompressed.message.bytes',
  'max.message.bytes': 'message.max.bytes',
  'message.timestamp.after.max.ms': 'log.message.timestamp.after.max.ms',
  'message.timestamp.before.max.ms': 'log.message.timestamp.before.max.ms',
  'message.timestamp.type': 'log.message.timestamp.type',
  'min.cleanable.dirty.ratio': 'log.cleaner.min.cleanable.ratio',
  'min.compaction.lag.ms': 'log.cleaner.min.compaction.lag.ms',
  'min.insync.replicas': 'min.insync.replicas',
  preallocate: 'log.preallocate',
  'remote.copy.lag.bytes': 'log.remote.copy.lag.bytes',
  'remote.copy.lag.ms': 'log.remote.copy.lag.ms',
  'retention.bytes': 'log.retention.bytes',
  'retention.ms': 'log.retention.ms',
  'segment.bytes': 'log.segment.bytes',
  'segment.index.bytes': 'log.index.size.max.bytes',
  'segment.jitter.ms': 'log.roll.jitter.ms',
  'segment.ms': 'log.roll.ms',
  'unclean.leader.election.enable': 'unclean.leader.election.enable',
};

export const topicConfigNames = Object.keys(topicConfigs) as TopicConfigName[];

const knownConfigs: ConfigTable = { ...topicConfigs, ...internalTopicConfigs };

export function topicConfigDefinition(name: string): ConfigDefinition | undefined {
  return Object.hasOwn(knownConfigs, name) ? knownConfigs[name] : undefined;
}

const leastLag = 'min.compaction.lag.ms';
const mostLag = 'max.compaction.lag.ms';
const tiered = 'remote.storage.enable';

/** What is wrong with a topic's own configs, in words; undefined if nothing is. [LogConfig.validate] */
export function topicConfigProblem(
  configs: ReadonlyMap<string, string>,
  defaultOf: (name: TopicConfigName) => string,
): string | undefined {
  for (const [name, value] of configs) {
    const definition = topicConfigDefinition(name);
    if (!definition) return `Unknown topic config name: ${name}`;
    const problem = configProblem(name, definition, value);
    if (problem) return problem;
  }
  if (booleanOf(configs.get(tiered) ?? 'false') === true) {
    return `${tiered} cannot be true: there is no tiered storage`;
  }
  const lag = (name: TopicConfigName): bigint =>
    wholeNumberOf(configs.get(name) ?? defaultOf(name)) ?? 0n;
  return lag(leastLag) > lag(mostLag) ? `${leastLag} is more than ${mostLag}` : undefined;
}

/** The effective configs as storage reads them; `valueOf` gives each config's text. */
export function logConfigOf(valueOf: (name: TopicConfigName) => string): LogConfig {
  const number = (name: TopicConfigName): number => numberOf(valueOf(name));
  return {
    cleanupPolicy: new Set(listItems(valueOf('cleanup.policy')) as CleanupPolicy[]),
    compressionLevels: {
      gzip: number('compression.gzip.level'),
      lz4: number('compression.lz4.level'),
      zstd: number('compression.zstd.level'),
    },
    compressionType: valueOf('compression.type') as CompressionType,
    deleteRetentionMs: number('delete.retention.ms'),
    fileDeleteDelayMs: number('file.delete.delay.ms'),
    flushMessages: number('flush.messages'),
    flushMs: number('flush.ms'),
    indexIntervalBytes: number('index.interval.bytes'),
    maxCompactionLagMs: number('max.compaction.lag.ms'),
    maxDecompressedMessageBytes: number('max.decompressed.message.bytes'),
    maxMessageBytes: number('max.message.bytes'),
    messageTimestampAfterMaxMs: number('message.timestamp.after.max.ms'),
    messageTimestampBeforeMaxMs: number('message.timestamp.before.max.ms'),
    messageTimestampType: valueOf('message.timestamp.type') as LogConfig['messageTimestampType'],
    minCleanableDirtyRatio: number('min.cleanable.dirty.ratio'),
    minCompactionLagMs: number('min.compaction.lag.ms'),
    minInsyncReplicas: number('min.insync.replicas'),
    retentionBytes: number('retention.bytes'),
    retentionMs: number('retention.ms'),
    segmentBytes: number('segment.bytes'),
    segmentIndexBytes: number('segment.index.bytes'),
    segmentJitterMs: number('segment.jitter.ms'),
    segmentMs: number('segment.ms'),
  };
}
