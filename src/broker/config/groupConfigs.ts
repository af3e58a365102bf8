import {
  type ConsumerGroupConfig,
  defaultGroupConfig,
  migrationPolicies,
} from '../../coordinator/group/groupConfig.ts';
import { javaTrim, listItems, numberOf } from './configText.ts';
import type { ConfigTable } from './configType.ts';
import type { internalConfigs } from './internalConfigs.ts';

/** The configs of groups of the consumer protocol (KIP-848). [GroupCoordinatorConfig] */
export const consumerGroupConfigs = {
  'group.consumer.assignment.interval.ms': {
    type: 'int',
    default: '1000',
    min: 0,
    documentation: 'How long a consumer group waits between two assignments.',
  },
  'group.consumer.assignors': {
    type: 'list',
    isNotEmpty: true,
    default: defaultGroupConfig.consumer.assignors.join(','),
    oneOf: defaultGroupConfig.consumer.assignors,
    documentation:
      'The assignors that members of consumer groups may ask for; the first one is the default.',
  },
  'group.consumer.heartbeat.interval.ms': {
    type: 'int',
    default: '5000',
    min: 1,
    documentation: 'How often members of a consumer group are asked to send heartbeats.',
  },
  'group.consumer.max.assignment.interval.ms': {
    type: 'int',
    default: '15000',
    min: 0,
    documentation: 'The longest assignment interval that a group may be given.',
  },
  'group.consumer.max.heartbeat.interval.ms': {
    type: 'int',
    default: '15000',
    min: 1,
    documentation: 'The longest heartbeat interval that a group may be given.',
  },
  'group.consumer.max.session.timeout.ms': {
    type: 'int',
    default: '60000',
    min: 1,
    documentation: 'The longest session timeout that a group may be given.',
  },
  'group.consumer.min.assignment.interval.ms': {
    type: 'int',
    default: '0',
    min: 0,
    documentation: 'The shortest assignment interval that a group may be given.',
  },
  'group.consumer.min.heartbeat.interval.ms': {
    type: 'int',
    default: '5000',
    min: 1,
    documentation: 'The shortest heartbeat interval that a group may be given.',
  },
  'group.consumer.min.session.timeout.ms': {
    type: 'int',
    default: '45000',
    min: 1,
    documentation: 'The shortest session timeout that a group may be given.',
  },
  'group.consumer.max.size': {
    type: 'int',
    default: '2147483647',
    min: 1,
    documentation: 'The most members that a consumer group may have.',
  },
  'group.consumer.migration.policy': {
    type: 'string',
    default: 'bidirectional',
    oneOf: Object.keys(migrationPolicies),
    isAnyCase: true,
    documentation: 'Which groups change their protocol when members of the other one come or go.',
  },
  'group.consumer.session.timeout.ms': {
    type: 'int',
    default: '45000',
    min: 1,
    documentation: 'After how long without heartbeat a member of a consumer group is gone.',
  },
} as const satisfies ConfigTable;

const assignmentInterval = 'group.consumer.assignment.interval.ms';
const leastInterval = 'group.consumer.min.assignment.interval.ms';
const mostInterval = 'group.consumer.max.assignment.interval.ms';

interface ConfigValues {
  number(name: keyof typeof consumerGroupConfigs | keyof typeof internalConfigs): number;
  text(name: keyof typeof consumerGroupConfigs): string | null;
}

/** What the group coordinator is told of them. */
export function consumerGroupConfig(config: ConfigValues): ConsumerGroupConfig {
  const policy = javaTrim(config.text('group.consumer.migration.policy') ?? '').toLowerCase();
  return {
    // It can be changed while brokers run, and its limits when they start again.
    // [GroupCoordinatorConfig.clampDynamicConfigs]
    get assignmentIntervalMs() {
      const setMs = config.number(assignmentInterval);
      return Math.max(config.number(leastInterval), Math.min(setMs, config.number(mostInterval)));
    },
    assignors: listItems(config.text('group.consumer.assignors') ?? ''),
    heartbeatIntervalMs: config.number('group.consumer.heartbeat.interval.ms'),
    maxGroupSize: config.number('group.consumer.max.size'),
    migrationPolicy: isMigrationPolicy(policy) ? policy : 'disabled',
    regexRefreshIntervalMs: config.number('group.consumer.regex.refresh.interval.ms'),
    sessionTimeoutMs: config.number('group.consumer.session.timeout.ms'),
  };
}

/** What is wrong with the intervals that a running broker is to have. [GroupCoordinatorConfig] */
export function assignmentIntervalProblem(
  configs: ReadonlyMap<string, string>,
  textOf: (name: string) => string | null,
): string | undefined {
  for (const kind of ['consumer', 'share', 'streams']) {
    const name = `group.${kind}.assignment.interval.ms`;
    if (!configs.has(name)) continue;
    const value = textOf(name) ?? '';
    const [least, most] = ['min', 'max'].map(
      (limit) => `group.${kind}.${limit}.assignment.interval.ms`,
    ) as [string, string];
    if (numberOf(value) < numberOf(textOf(least) ?? ''))
      return `${name} must be no less than ${least}`;
    if (numberOf(value) > numberOf(textOf(most) ?? ''))
      return `${name} must be no more than ${most}`;
  }
  return undefined;
}

function isMigrationPolicy(name: string): name is keyof typeof migrationPolicies {
  return Object.hasOwn(migrationPolicies, name);
}
