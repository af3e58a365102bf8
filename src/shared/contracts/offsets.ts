/** The offsets panel and its host: load, plan, look, apply, read back, undo. */
import * as v from 'valibot';
import { bringUp, clusterStatus } from './clusterStatus.ts';
import {
  clusterRef,
  int64,
  list,
  name,
  partitionIndex,
  partitionsMax,
  payloadPreview,
  text,
  topicChoices,
  topicPartition,
  userError,
  words,
} from './common.ts';

/** More groups, and members of one, than any cluster known has. */
const groupsMax = 100_000;

const partitions = list(topicPartition, partitionsMax);

export const groupPartition = v.object({
  topic: name,
  partition: partitionIndex,
  /** Null: the group has no commit on this partition. */
  committed: v.nullable(int64),
  metadata: name,
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
  memberId: name,
  clientId: name,
  host: name,
  partitions,
});

export const groupSnapshot = v.object({
  cluster: clusterRef,
  group: name,
  /** Kafka's state name; `Dead` where the group does not exist. */
  state: name,
  /** Whether Kafka would accept a reset now (Empty or Dead). */
  resettable: v.boolean(),
  members: list(groupMember, groupsMax),
  partitions: list(groupPartition, partitionsMax),
  /** Topics that can be added to the table though the group has no commit on them. */
  topics: topicChoices,
  /** Whether its members can be removed from here: on the embedded cluster. */
  canRemoveMembers: v.boolean(),
});
export type GroupSnapshot = v.InferOutput<typeof groupSnapshot>;

export const givenOffset = v.object({
  topic: name,
  partition: partitionIndex,
  offset: int64,
});
export type GivenOffset = v.InferOutput<typeof givenOffset>;

const givenOffsets = list(givenOffset, partitionsMax);

export const resetScenario = v.variant('kind', [
  /** `delete`: the group is left without commits. */
  v.object({ kind: v.picklist(['earliest', 'latest', 'current', 'delete']) }),
  v.object({ kind: v.literal('offset'), offset: int64 }),
  v.object({ kind: v.literal('shift'), by: int64 }),
  /** Milliseconds since the epoch. */
  v.object({ kind: v.literal('time'), timestamp: int64 }),
  v.object({ kind: v.literal('duration'), agoMs: int64 }),
  /** From a file, of which the name is known, or typed row by row. */
  v.object({ kind: v.literal('offsets'), offsets: givenOffsets, file: v.optional(name) }),
  /** Where another group is. */
  v.object({ kind: v.literal('group'), group: name }),
  /** As before an earlier reset: a `historyEntry`. */
  v.object({ kind: v.literal('restore'), id: name }),
]);
export type ResetScenario = v.InferOutput<typeof resetScenario>;

const scenarioKind = v.picklist([
  ...(['earliest', 'latest', 'current', 'delete', 'offset', 'shift'] as const),
  ...(['time', 'duration', 'offsets', 'group', 'restore'] as const),
]);

export const planRow = v.object({
  topic: name,
  partition: partitionIndex,
  committed: v.nullable(int64),
  end: int64,
  /** Null: the commit is deleted. */
  target: v.nullable(int64),
  /** `target - committed`; null without a commit before or after. */
  delta: v.nullable(int64),
  /** What it means, in a sentence: "skips up to 550 records". */
  effect: words,
  /** A clamp or another thing to know before agreeing. */
  warning: v.optional(words),
});
export type PlanRow = v.InferOutput<typeof planRow>;

export const refusedRow = v.object({
  topic: name,
  partition: partitionIndex,
  reason: words,
});
export type RefusedRow = v.InferOutput<typeof refusedRow>;

/** Where the group was before a reset. */
export const historyEntry = v.object({
  id: name,
  savedAtMs: v.number(),
  /** What was done then: "to earliest". */
  summary: words,
  partitionCount: v.number(),
});
export type HistoryEntry = v.InferOutput<typeof historyEntry>;

/** The record that a group would read first, and what lies between its old place and its new one. */
export const targetFacts = v.object({
  record: v.optional(
    v.object({ offset: int64, timestamp: int64, key: payloadPreview, value: payloadPreview }),
  ),
  /** Records between, counted; undefined: too many to count. */
  count: v.optional(v.number()),
  firstTimestamp: v.optional(int64),
  lastTimestamp: v.optional(int64),
});
export type TargetFacts = v.InferOutput<typeof targetFacts>;

export const resetResult = v.object({
  topic: name,
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
  group: name,
  scenario: v.optional(resetScenario),
  /** What is typed while that is no scenario yet. */
  typed: v.exactOptional(v.object({ kind: scenarioKind, text: text(100) })),
  /** What undoes the last reset. */
  undo: v.optional(historyEntry),
  /** Topics that were added, and the rows that a person left out or gave an offset of their own. */
  topics: v.optional(list(name, partitionsMax), []),
  rows: v.optional(
    list(
      v.object({
        ...topicPartition.entries,
        selected: v.boolean(),
        edited: v.optional(int64),
      }),
      partitionsMax,
    ),
    [],
  ),
});
export type OffsetsState = v.InferOutput<typeof offsetsState>;

const answer = { error: v.optional(userError) };
const loaded = v.object({ group: v.optional(groupSnapshot), ...answer });

/** Served by the host. */
export const offsetsHost = {
  ready: { params: v.object({}), result: loaded },
  load: { params: v.object({}), result: loaded },
  plan: {
    params: v.object({ scenario: resetScenario, scope: partitions }),
    result: v.object({
      rows: list(planRow, partitionsMax),
      refused: list(refusedRow, partitionsMax),
      ...answer,
    }),
  },
  /** What a row's new offset stands for; read when a person looks at it. */
  look: {
    params: v.object({
      topic: name,
      partition: partitionIndex,
      committed: v.nullable(int64),
      target: int64,
    }),
    result: v.object({ facts: v.optional(targetFacts), ...answer }),
  },
  /** Asks for confirmation, checks the group's state again, keeps what was, changes it, reads back. */
  apply: {
    params: v.object({
      scenario: resetScenario,
      rows: list(
        v.object({
          topic: name,
          partition: partitionIndex,
          committed: v.nullable(int64),
          target: v.nullable(int64),
        }),
        partitionsMax,
      ),
      /** It takes the last reset back, and is asked about in those words. */
      isUndo: v.optional(v.boolean(), false),
    }),
    result: v.object({
      cancelled: v.boolean(),
      results: list(resetResult, partitionsMax),
      /** What undoes it. */
      undo: v.optional(historyEntry),
      ...answer,
    }),
  },
  history: {
    params: v.object({}),
    result: v.object({ entries: list(historyEntry, 1000), ...answer }),
  },
  /** The topics that there are now. */
  topics: { params: v.object({}), result: v.object({ topics: topicChoices }) },
  /** Other groups, to copy from. */
  groups: {
    params: v.object({}),
    result: v.object({
      groups: list(v.object({ name, state: name }), groupsMax),
      ...answer,
    }),
  },
  /** Asks for a file of `kafka-consumer-groups --export`. No offsets: the person chose none. */
  importCsv: {
    params: v.object({}),
    result: v.object({
      offsets: v.optional(givenOffsets),
      /** Its name, without the folder. */
      file: v.optional(name),
      /** What of the file was left out, in words. */
      note: v.optional(words),
      ...answer,
    }),
  },
  /** Asks where to, and writes what `--from-file` reads. */
  exportCsv: { params: v.object({ offsets: givenOffsets }), result: v.object(answer) },
  copyCommand: {
    params: v.object({
      scenario: resetScenario,
      rows: list(
        v.object({
          topic: name,
          partition: partitionIndex,
          target: v.nullable(int64),
          isEdited: v.boolean(),
        }),
        partitionsMax,
      ),
    }),
    result: v.object(answer),
  },
  /** Asks, and has the embedded cluster remove every member of the group. */
  removeMembers: { params: v.object({}), result: v.object(answer) },
  /** Asks, keeps the commits for undo, and deletes the group. */
  deleteGroup: { params: v.object({}), result: v.object(answer) },
  bringUp,
};

/** Served by the panel. */
export const offsetsView = {
  group: { params: groupSnapshot },
  /** The person has agreed to what `apply` asks for: it is under way. */
  resetting: { params: v.object({}) },
  status: { params: clusterStatus },
};
