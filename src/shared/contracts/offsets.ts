/** The offsets panel and its host: load, plan, apply, read back. */
import * as v from 'valibot';
import {
  clusterRef,
  int64,
  partitionIndex,
  topicChoice,
  topicPartition,
  userError,
} from './common.ts';

export const groupPartition = v.object({
  topic: v.string(),
  partition: partitionIndex,
  /** Null: the group has no commit on this partition. */
  committed: v.nullable(int64),
  metadata: v.string(),
  logStart: int64,
  /** High watermark: what `--to-latest` means. */
  end: int64,
  /** `end - committed`, not floored; null without a commit. */
  lag: v.nullable(int64),
  /** Why this partition's figures are missing, if they are; they are then -1. */
  error: v.optional(userError),
});
export type GroupPartition = v.InferOutput<typeof groupPartition>;

export const groupMember = v.object({
  memberId: v.string(),
  clientId: v.string(),
  host: v.string(),
  partitions: v.array(topicPartition),
});

export const groupSnapshot = v.object({
  cluster: clusterRef,
  group: v.string(),
  /** Kafka's state name; `Dead` where the group does not exist. */
  state: v.string(),
  /** Whether Kafka would accept a reset now (Empty or Dead). */
  resettable: v.boolean(),
  members: v.array(groupMember),
  partitions: v.array(groupPartition),
  /** Topics that can be added to the table though the group has no commit on them. */
  topics: v.array(topicChoice),
});
export type GroupSnapshot = v.InferOutput<typeof groupSnapshot>;

export const resetScenario = v.variant('kind', [
  v.object({ kind: v.picklist(['earliest', 'latest']) }),
  v.object({ kind: v.literal('offset'), offset: int64 }),
  /** Milliseconds since the epoch. */
  v.object({ kind: v.literal('time'), timestamp: int64 }),
]);
export type ResetScenario = v.InferOutput<typeof resetScenario>;

export const planRow = v.object({
  topic: v.string(),
  partition: partitionIndex,
  committed: v.nullable(int64),
  end: int64,
  target: int64,
  /** `target - committed`; null without a commit. */
  delta: v.nullable(int64),
  /** What it means, in a sentence: "skips up to 550 records". */
  effect: v.string(),
  /** A clamp or another thing to know before agreeing. */
  warning: v.optional(v.string()),
});
export type PlanRow = v.InferOutput<typeof planRow>;

export const resetResult = v.object({
  topic: v.string(),
  partition: partitionIndex,
  /** The committed offset as read back afterwards; null where there is none. */
  committed: v.nullable(int64),
  error: v.optional(userError),
});
export type ResetResult = v.InferOutput<typeof resetResult>;

/** What the panel keeps with `setState` and the host gets back when it restores the panel. */
export const offsetsState = v.object({
  panel: v.literal('offsets'),
  cluster: clusterRef,
  group: v.string(),
  scenario: v.optional(resetScenario),
});

/** Served by the host. */
export const offsetsHost = {
  ready: {
    params: v.object({}),
    result: v.object({ group: v.optional(groupSnapshot), error: v.optional(userError) }),
  },
  load: {
    params: v.object({}),
    result: v.object({ group: v.optional(groupSnapshot), error: v.optional(userError) }),
  },
  plan: {
    params: v.object({ scenario: resetScenario, scope: v.array(topicPartition) }),
    result: v.object({ rows: v.array(planRow), error: v.optional(userError) }),
  },
  /** Asks for confirmation, checks the group's state again, commits, reads back. */
  apply: {
    params: v.object({
      rows: v.array(
        v.object({
          topic: v.string(),
          partition: partitionIndex,
          committed: v.nullable(int64),
          target: int64,
        }),
      ),
    }),
    result: v.object({
      cancelled: v.boolean(),
      results: v.array(resetResult),
      error: v.optional(userError),
    }),
  },
};

/** Served by the panel. */
export const offsetsView = {
  group: { params: groupSnapshot },
};
