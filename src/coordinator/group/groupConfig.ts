/** Which groups may change their protocol while they have members. [ConsumerGroupMigrationPolicy] */
export const migrationPolicies = {
  bidirectional: { mayUpgrade: true, mayDowngrade: true },
  upgrade: { mayUpgrade: true, mayDowngrade: false },
  downgrade: { mayUpgrade: false, mayDowngrade: true },
  disabled: { mayUpgrade: false, mayDowngrade: false },
} as const;

/** Settings of groups of the consumer protocol. */
export interface ConsumerGroupConfig {
  /** `group.consumer.session.timeout.ms`. */
  readonly sessionTimeoutMs: number;
  /** `group.consumer.heartbeat.interval.ms`. */
  readonly heartbeatIntervalMs: number;
  /** `group.consumer.max.size`. */
  readonly maxGroupSize: number;
  /** `group.consumer.assignors`; the first is the default. */
  readonly assignors: readonly string[];
  /** `group.consumer.migration.policy`. */
  readonly migrationPolicy: keyof typeof migrationPolicies;
  /** `group.consumer.assignment.interval.ms`: what happens in between is assigned together. */
  readonly assignmentIntervalMs: number;
  /** `group.consumer.regex.refresh.interval.ms`. */
  readonly regexRefreshIntervalMs: number;
}

/** What the group coordinator is told; each names Kafka's broker setting (GroupCoordinatorConfig). */
export interface GroupConfig {
  /** `offsets.topic.num.partitions`. */
  readonly offsetsTopicPartitions: number;
  /** `group.min.session.timeout.ms`. */
  readonly minSessionTimeoutMs: number;
  /** `group.max.session.timeout.ms`. */
  readonly maxSessionTimeoutMs: number;
  /** `group.initial.rebalance.delay.ms`; Kafka's own default is 3000, its quickstart and we use 0. */
  readonly initialRebalanceDelayMs: number;
  /** `group.max.size`. */
  readonly maxGroupSize: number;
  /** Ids given out with MEMBER_ID_REQUIRED and not used yet, per group. Ours: Kafka has no such bound. */
  readonly maxPendingJoins: number;
  /** `offset.metadata.max.bytes`. */
  readonly maxOffsetMetadataBytes: number;
  /** `offsets.retention.minutes`, in milliseconds. */
  readonly offsetsRetentionMs: number;
  /** `offsets.commit.timeout.ms`: how long an answer waits for its records to be committed. */
  readonly offsetsCommitTimeoutMs: number;
  readonly consumer: ConsumerGroupConfig;
  /** What is set for a group itself; asked each time, as it may change. [GroupConfigManager] */
  readonly overridesOf?: (groupId: string) => ConsumerGroupOverrides;
}

/** The settings that one group can have for itself. [GroupConfig] */
export type ConsumerGroupOverrides = Partial<
  Pick<ConsumerGroupConfig, 'sessionTimeoutMs' | 'heartbeatIntervalMs' | 'assignmentIntervalMs'>
>;

/** What holds for a group: its own settings over those of all groups. */
export function consumerConfigOf(
  { consumer, overridesOf }: GroupConfig,
  groupId: string,
): ConsumerGroupConfig {
  return { ...consumer, ...overridesOf?.(groupId) };
}

export const defaultGroupConfig: GroupConfig = {
  offsetsTopicPartitions: 50,
  minSessionTimeoutMs: 6_000,
  maxSessionTimeoutMs: 1_800_000,
  initialRebalanceDelayMs: 0,
  maxGroupSize: 2 ** 31 - 1,
  maxPendingJoins: 10_000,
  maxOffsetMetadataBytes: 4096,
  offsetsRetentionMs: 7 * 24 * 60 * 60 * 1000,
  offsetsCommitTimeoutMs: 5_000,
  consumer: {
    sessionTimeoutMs: 45_000,
    heartbeatIntervalMs: 5_000,
    maxGroupSize: 2 ** 31 - 1,
    assignors: ['uniform', 'range'],
    migrationPolicy: 'bidirectional',
    assignmentIntervalMs: 1_000,
    regexRefreshIntervalMs: 10 * 60 * 1000,
  },
};
