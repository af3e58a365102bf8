import type { ConsumerGroupOverrides } from '../../coordinator/group/groupConfig.ts';
import type { BrokerConfig } from './brokerConfigs.ts';
import { javaTrim, listItems, numberOf } from './configText.ts';
import { configProblem } from './configType.ts';
import {
  brokerSynonymOf,
  type GroupConfigName,
  groupConfigs,
  isGroupConfig,
  limitsOf,
  type usedGroupConfigs,
} from './groupConfigTable.ts';
import { offsetResetProblem } from './offsetReset.ts';

/** What is wrong with a group's own configs, in words; undefined if nothing is. [GroupConfig.validate] */
export function groupConfigProblem(
  broker: BrokerConfig,
  configs: ReadonlyMap<string, string>,
): string | undefined {
  for (const [name, value] of configs) {
    if (!isGroupConfig(name)) return `Unknown group config name: ${name}`;
    const problem =
      configProblem(name, groupConfigs[name], value) ??
      limitProblem(broker, name, value) ??
      problems[name]?.(javaTrim(value), broker);
    if (problem) return problem;
  }
  return ['consumer', 'share', 'streams']
    .map((kind) => sessionProblem(broker, kind, configs))
    .find(Boolean);
}

function limitProblem(
  broker: BrokerConfig,
  name: GroupConfigName,
  value: string,
): string | undefined {
  const { atLeast, atMost } = limitsOf(name);
  const [min, max] = [atLeast, atMost].map((limit) => limit && numberOf(broker.text(limit) ?? ''));
  if (typeof min === 'number' && numberOf(value) < min) {
    return `${name} must be at least ${min}, which is ${atLeast}`;
  }
  return typeof max === 'number' && numberOf(value) > max
    ? `${name} must be no more than ${max}, which is ${atMost}`
    : undefined;
}

type ProblemOf = (value: string, broker: BrokerConfig) => string | undefined;

/** What Kafka asks of some beyond their types and limits. */
const problems: Readonly<Partial<Record<GroupConfigName, ProblemOf>>> = {
  'errors.deadletterqueue.topic.name': (value) =>
    value.startsWith('__') ? 'The topic of a dead letter queue must not start with __' : undefined,
  'share.auto.offset.reset': offsetResetProblem,
  'streams.assignor.name': (value, broker) =>
    streamsAssignors(broker).includes(value)
      ? undefined
      : `${value} is none of the task assignors: ${streamsAssignors(broker).join(', ')}`,
  'streams.rack.aware.assignment.tags': (value) =>
    new Set(listItems(value)).size === listItems(value).length
      ? undefined
      : 'The tags must not be repeated',
};

const streamsAssignors = (broker: BrokerConfig): readonly string[] =>
  listItems(broker.text('group.streams.assignors') ?? '');

/** [GroupConfig.validateSessionExceedsHeartbeat] */
function sessionProblem(
  broker: BrokerConfig,
  kind: string,
  configs: ReadonlyMap<string, string>,
): string | undefined {
  const [session, heartbeat] = [`${kind}.session.timeout.ms`, `${kind}.heartbeat.interval.ms`];
  if (!configs.has(session) && !configs.has(heartbeat)) return undefined;
  const numberFor = (name: string): number =>
    numberOf(configs.get(name) ?? broker.text(`group.${name}`) ?? '');
  return numberFor(session) > numberFor(heartbeat)
    ? undefined
    : `${session} must be more than ${heartbeat}`;
}

/** The value of a group that was given none itself: of its broker, or Kafka's default. */
export function groupDefault(broker: BrokerConfig, name: GroupConfigName): string | null {
  if (name === 'streams.assignor.name') return streamsAssignors(broker)[0] ?? null;
  const synonym = brokerSynonymOf(name);
  return synonym === undefined ? groupConfigs[name].default : broker.text(synonym);
}

/** What the group coordinator goes by. */
export function groupOverrides(configs: ReadonlyMap<string, string>): ConsumerGroupOverrides {
  const ownNumber = (name: keyof typeof usedGroupConfigs): number | undefined => {
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
