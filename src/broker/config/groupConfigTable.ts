import type { ConfigDefinition, ConfigTable } from './configType.ts';
import { consumerGroupConfigs } from './groupConfigs.ts';
import { hiddenFixedConfigs, hiddenGroupConfigs } from './hiddenConfigs.ts';
import { dynamicShareConfigs, fixedShareConfigs } from './unusedShareConfigs.ts';
import { dynamicStreamsConfigs, fixedStreamsConfigs } from './unusedStreamsConfigs.ts';
import { withoutEffect } from './withoutEffect.ts';

const brokers = {
  ...consumerGroupConfigs,
  ...dynamicShareConfigs,
  ...fixedShareConfigs,
  ...dynamicStreamsConfigs,
  ...fixedStreamsConfigs,
  ...hiddenFixedConfigs,
  ...hiddenGroupConfigs,
};

type BrokerName = keyof typeof brokers;

/** What a group may be given is bounded by its broker's limits, not by what the broker itself may be given. */
function ofGroup(name: BrokerName): ConfigDefinition {
  const { type, default: standard, min, documentation }: ConfigDefinition = brokers[name];
  return { type, default: standard, ...(min !== undefined && { min }), documentation };
}

/** Configs of groups of the consumer protocol that groups go by. */
export const usedGroupConfigs = {
  'consumer.assignment.interval.ms': brokers['group.consumer.assignment.interval.ms'],
  'consumer.heartbeat.interval.ms': brokers['group.consumer.heartbeat.interval.ms'],
  'consumer.session.timeout.ms': brokers['group.consumer.session.timeout.ms'],
} as const satisfies ConfigTable;

/** Those of share and streams groups and of dead letter queues, which are not here, and of another thread. */
const unusedGroupConfigs = withoutEffect({
  'consumer.assignor.offload.enable': ofGroup('group.consumer.assignor.offload.enable'),
  'errors.deadletterqueue.copy.record.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether a dead letter queue gets the records, not only where they are.',
  },
  'errors.deadletterqueue.topic.name': {
    type: 'string',
    default: '',
    documentation: 'The topic for records that a share group could not process.',
  },
  'share.assignment.interval.ms': ofGroup('group.share.assignment.interval.ms'),
  'share.assignor.offload.enable': ofGroup('group.share.assignor.offload.enable'),
  'share.auto.offset.reset': {
    type: 'string',
    default: 'latest',
    documentation: 'Where a share group starts: earliest, latest, or by_duration:P1DT2H.',
  },
  'share.delivery.count.limit': ofGroup('group.share.delivery.count.limit'),
  'share.heartbeat.interval.ms': ofGroup('group.share.heartbeat.interval.ms'),
  'share.isolation.level': {
    type: 'string',
    default: 'read_uncommitted',
    oneOf: ['read_committed', 'read_uncommitted'],
    documentation:
      'Whether a share group gets records of transactions only once they are committed.',
  },
  'share.partition.max.record.locks': ofGroup('group.share.partition.max.record.locks'),
  'share.record.lock.duration.ms': ofGroup('group.share.record.lock.duration.ms'),
  'share.renew.acknowledge.enable': {
    type: 'boolean',
    default: 'true',
    documentation: 'Whether a member of a share group may keep a record for longer.',
  },
  'share.session.timeout.ms': ofGroup('group.share.session.timeout.ms'),
  'streams.acceptable.recovery.lag': ofGroup('group.streams.acceptable.recovery.lag'),
  'streams.assignment.interval.ms': ofGroup('group.streams.assignment.interval.ms'),
  'streams.assignor.name': {
    type: 'string',
    default: null,
    documentation: 'How tasks are given to the members of a streams group.',
  },
  'streams.assignor.offload.enable': ofGroup('group.streams.assignor.offload.enable'),
  'streams.heartbeat.interval.ms': ofGroup('group.streams.heartbeat.interval.ms'),
  'streams.initial.rebalance.delay.ms': ofGroup('group.streams.initial.rebalance.delay.ms'),
  'streams.num.standby.replicas': ofGroup('group.streams.num.standby.replicas'),
  'streams.num.warmup.replicas': ofGroup('group.streams.num.warmup.replicas'),
  'streams.rack.aware.assignment.tags': ofGroup('group.streams.rack.aware.assignment.tags'),
  'streams.session.timeout.ms': ofGroup('group.streams.session.timeout.ms'),
  'streams.task.offset.interval.ms': ofGroup('group.streams.task.offset.interval.ms'),
} as const satisfies ConfigTable);

/** Configs of a single group, under the names that a resource of type GROUP has for them. [GroupConfig] */
export const groupConfigs = { ...usedGroupConfigs, ...unusedGroupConfigs };

export type GroupConfigName = keyof typeof groupConfigs;

export const groupConfigNames = Object.keys(groupConfigs) as GroupConfigName[];

export function isGroupConfig(name: string): name is GroupConfigName {
  return Object.hasOwn(groupConfigs, name);
}

/** Brokers have most of them under the name with `group.` before it. [GroupConfig.ALL_GROUP_CONFIG_SYNONYMS] */
export function brokerSynonymOf(name: GroupConfigName): string | undefined {
  if (name === 'streams.assignor.name') return 'group.streams.assignors';
  const ofBroker = `group.${name}`;
  return Object.hasOwn(brokers, ofBroker) ? ofBroker : undefined;
}

/** The broker's limits on a group's config, by the broker's names. [GroupConfig.validateValues] */
export function limitsOf(name: GroupConfigName): { atLeast?: string; atMost?: string } {
  const [kind = '', ...rest] = name.split('.');
  const [atLeast, atMost] = ['min', 'max'].map((limit) => {
    const standard = `group.${kind}.${limit}.${rest.join('.')}`;
    return Object.hasOwn(brokers, standard) ? standard : shorterLimits[`${limit} ${name}`];
  });
  return { ...(atLeast !== undefined && { atLeast }), ...(atMost !== undefined && { atMost }) };
}

const shorterLimits: Readonly<Record<string, string>> = {
  'max streams.num.standby.replicas': 'group.streams.max.standby.replicas',
  'max streams.num.warmup.replicas': 'group.streams.max.warmup.replicas',
};

/** Of brokers that were not given them either, only those that a group has itself are told of. */
export const isHiddenGroupConfig = (name: GroupConfigName): boolean => {
  const ofBroker = brokerSynonymOf(name) ?? '';
  return Object.hasOwn(hiddenFixedConfigs, ofBroker) || Object.hasOwn(hiddenGroupConfigs, ofBroker);
};
