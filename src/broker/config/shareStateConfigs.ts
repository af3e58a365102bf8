import type { ConfigTable } from './configType.ts';

/** Of the topic `__share_group_state`, which who asks for it gets. */
export const shareStateConfigs = {
  'share.coordinator.state.topic.min.isr': {
    type: 'short',
    default: '2',
    min: 1,
    documentation:
      "Replicas of the share coordinator's topic that have to have what is written to it.",
  },
  'share.coordinator.state.topic.num.partitions': {
    type: 'int',
    default: '50',
    min: 1,
    documentation: "Partitions of the share coordinator's topic when it is made.",
  },
  'share.coordinator.state.topic.replication.factor': {
    type: 'short',
    default: '3',
    min: 1,
    documentation: "Replicas of the share coordinator's topic when it is made.",
  },
  'share.coordinator.state.topic.segment.bytes': {
    type: 'int',
    default: '104857600',
    min: 1,
    documentation: "Segment size of the share coordinator's topic when it is made.",
  },
} as const satisfies ConfigTable;
