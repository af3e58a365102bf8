import type { ConfigTable } from './configType.ts';
import { unusedInternalConfigs } from './internalConfigs.ts';

// Configs of brokers that are told of only once they are set, and that nothing here goes by.

/** Limits on replication, which brokers know of as soon as they are set. [QuotaConfig.brokerQuotaConfigs] */
const throttles: ConfigTable = {
  'follower.replication.throttled.rate': { type: 'long', default: null, min: 0, documentation: '' },
  'leader.replication.throttled.rate': { type: 'long', default: null, min: 0, documentation: '' },
  'replica.alter.log.dirs.io.max.bytes.per.second': {
    type: 'long',
    default: null,
    min: 0,
    documentation: '',
  },
};

const assignedElsewhere = (groups: string) =>
  ({
    type: 'boolean',
    default: 'true',
    documentation: `Whether members of ${groups} groups get their assignments from a thread of its own.`,
  }) as const;

/** [GroupCoordinatorConfig.RECONFIGURABLE_CONFIGS] */
export const hiddenGroupConfigs = {
  'group.consumer.assignor.offload.enable': assignedElsewhere('consumer'),
  'group.share.assignor.offload.enable': assignedElsewhere('share'),
  'group.streams.assignor.offload.enable': assignedElsewhere('streams'),
} as const satisfies ConfigTable;

/** Those that can be changed while a broker runs. [DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS] */
export const hiddenDynamicConfigs: ConfigTable = { ...throttles, ...hiddenGroupConfigs };

/** Those that a broker reads at its start only. [GroupCoordinatorConfig, internalConfigs.ts] */
export const hiddenFixedConfigs = {
  ...unusedInternalConfigs,
  'group.streams.acceptable.recovery.lag': {
    type: 'long',
    default: '10000',
    min: 0,
    documentation: 'How many offsets a member may lag behind to count as caught up with a task.',
  },
  'group.streams.max.warmup.replicas': {
    type: 'int',
    default: '20',
    min: 0,
    documentation: 'The most warm-up replicas that a streams group may be given.',
  },
  'group.streams.min.task.offset.interval.ms': {
    type: 'int',
    default: '15000',
    min: 1,
    documentation: 'The shortest interval for offsets of tasks that a streams group may be given.',
  },
  'group.streams.num.warmup.replicas': {
    type: 'int',
    default: '2',
    min: 0,
    documentation: 'How many replicas of tasks of a streams group warm up at once.',
  },
  'group.streams.task.offset.interval.ms': {
    type: 'int',
    default: '60000',
    min: 1,
    documentation: 'How often members of a streams group tell the offsets of their tasks.',
  },
} as const satisfies ConfigTable;
