import type { ConsumerGroupOverrides } from '../../coordinator/group/groupConfig.ts';
import type { BrokerConfig } from './brokerConfigs.ts';
import { numberOf } from './configText.ts';
import { type ConfigTable, configProblem } from './configType.ts';
import { consumerGroupConfigs } from './groupConfigs.ts';

type BrokerName = keyof typeof consumerGroupConfigs;

/**
 * Configs of a single group, under the names that a resource of type GROUP has for them. Those of share and streams
 * groups are not here. [GroupConfig]
 */
export const groupConfigs = {
  'consumer.assignment.interval.ms': consumerGroupConfigs['group.consumer.assignment.interval.ms'],
  'consumer.heartbeat.interval.ms': consumerGroupConfigs['group.consumer.heartbeat.interval.ms'],
  'consumer.session.timeout.ms': consumerGroupConfigs['group.consumer.session.timeout.ms'],
} as const satisfies ConfigTable;

export type GroupConfigName = keyof typeof groupConfigs;

export const groupConfigNames = Object.keys(groupConfigs) as GroupConfigName[];

interface Inherited {
  /** The broker config that the default is taken from. */
  readonly from: BrokerName;
  readonly atLeast: BrokerName;
  readonly atMost: BrokerName;
}

export const groupConfigOrigins: Readonly<Record<GroupConfigName, Inherited>> = {
  'consumer.assignment.interval.ms': {
    from: 'group.consumer.assignment.interval.ms',
    atLeast: 'group.consumer.min.assignment.interval.ms',
    atMost: 'group.consumer.max.assignment.interval.ms',
  },
  'consumer.heartbeat.interval.ms': {
    from: 'group.consumer.heartbeat.interval.ms',
    atLeast: 'group.consumer.min.heartbeat.interval.ms',
    atMost: 'group.consumer.max.heartbeat.interval.ms',
  },
  'consumer.session.timeout.ms': {
    from: 'group.consumer.session.timeout.ms',
    atLeast: 'group.consumer.min.session.timeout.ms',
    atMost: 'group.consumer.max.session.timeout.ms',
  },
};

function isGroupConfig(name: string): name is GroupConfigName {
  return Object.hasOwn(groupConfigs, name);
}

/** What is wrong with a group's own configs, in words; undefined if nothing is. [GroupConfig.validate] */
export function groupConfigProblem(
  broker: BrokerConfig,
  configs: ReadonlyMap<string, string>,
): string | undefined {
  for (const [name, value] of configs) {
    if (!isGroupConfig(name)) return `Unknown group config name: ${name}`;
    const problem =
      configProblem(name, groupConfigs[name], value) ?? boundProblem(broker, name, value);
    if (problem) return problem;
  }
  return undefined;
}

function boundProblem(
  broker: BrokerConfig,
  name: GroupConfigName,
  value: string,
): string | undefined {
  const { atLeast, atMost } = groupConfigOrigins[name];
  const [min, max] = [broker.number(atLeast), broker.number(atMost)];
  if (numberOf(value) < min) return `${name} must be at least ${min}, which is ${atLeast}`;
  return numberOf(value) > max
    ? `${name} must be no more than ${max}, which is ${atMost}`
    : undefined;
}

/** What the group coordinator goes by. */
export function groupOverrides(configs: ReadonlyMap<string, string>): ConsumerGroupOverrides {
  const ownNumber = (name: GroupConfigName): number | undefined => {
    const value = configs.get(name);
    return value === undefined ? undefined : numberOf(value);
  };
  const [assignmentIntervalMs, heartbeatIntervalMs, sessionTimeoutMs] = [
    ownNumber('consumer.assignment.interval.ms'),
    ownNumber('consumer.heartbeat.interval.ms'),
    ownNumber('consumer.session.timeout.ms'),
  ];
  return {
    ...(assignmentIntervalMs !== undefined && { assignmentIntervalMs }),
    ...(heartbeatIntervalMs !== undefined && { heartbeatIntervalMs }),
    ...(sessionTimeoutMs !== undefined && { sessionTimeoutMs }),
  };
}
