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
};
