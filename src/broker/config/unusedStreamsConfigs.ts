import type { ConfigTable } from './configType.ts';

// The configs of brokers for streams groups, which are not here.

/** [GroupCoordinatorConfig.RECONFIGURABLE_CONFIGS] */
export const dynamicStreamsConfigs = {
  'group.streams.assignment.interval.ms': {
    type: 'int',
    default: '1000',
    min: 0,
    documentation: 'How long a streams group waits between two assignments.',
  },
} as const satisfies ConfigTable;

/** [GroupCoordinatorConfig] */
export const fixedStreamsConfigs = {
  'group.streams.assignors': {
    type: 'list',
    isNotEmpty: true,
    default: 'sticky',
    documentation:
      'How tasks are given to the members of streams groups; the first is the default.',
  },
  'group.streams.heartbeat.interval.ms': {
    type: 'int',
    default: '5000',
    min: 1,
    documentation: 'How often members of a streams group are asked to send heartbeats.',
  },
  'group.streams.initial.rebalance.delay.ms': {
    type: 'int',
    default: '3000',
    min: 0,
    documentation: 'How long an empty streams group waits for more members.',
  },
  'group.streams.max.assignment.interval.ms': {
    type: 'int',
    default: '15000',
    min: 0,
    documentation: 'The longest assignment interval that a streams group may be given.',
  },
  'group.streams.max.heartbeat.interval.ms': {
    type: 'int',
    default: '15000',
    min: 1,
    documentation: 'The longest heartbeat interval that a streams group may be given.',
  },
  'group.streams.max.session.timeout.ms': {
    type: 'int',
    default: '60000',
    min: 1,
    documentation: 'The longest session timeout that a streams group may be given.',
  },
  'group.streams.max.size': {
    type: 'int',
    default: '2147483647',
    min: 1,
    documentation: 'The most members that a streams group may have.',
  },
  'group.streams.max.standby.replicas': {
    type: 'int',
    default: '2',
    min: 0,
    documentation: 'The most standby replicas of a task that a streams group may be given.',
  },
  'group.streams.min.assignment.interval.ms': {
    type: 'int',
    default: '0',
    min: 0,
    documentation: 'The shortest assignment interval that a streams group may be given.',
  },
  'group.streams.min.heartbeat.interval.ms': {
    type: 'int',
    default: '5000',
    min: 1,
    documentation: 'The shortest heartbeat interval that a streams group may be given.',
  },
  'group.streams.min.session.timeout.ms': {
    type: 'int',
    default: '45000',
    min: 1,
    documentation: 'The shortest session timeout that a streams group may be given.',
  },
  'group.streams.num.standby.replicas': {
    type: 'int',
    default: '0',
    min: 0,
    documentation: 'Standby replicas of each task of a streams group.',
  },
  'group.streams.rack.aware.assignment.tags': {
    type: 'list',
    default: '',
    documentation: 'Tags of clients that standby replicas of a task have to differ in.',
  },
  'group.streams.session.timeout.ms': {
    type: 'int',
    default: '45000',
    min: 1,
    documentation: 'After how long without heartbeat a member of a streams group is gone.',
  },
  'group.streams.topology.description.plugin.class': {
    type: 'class',
    default: null,
    documentation: 'The class that keeps descriptions of topologies.',
  },
} as const satisfies ConfigTable;
