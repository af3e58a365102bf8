/** The lag panel and its host: samples as they are taken, how it went, what the lag is made of, alerts. */
import * as v from 'valibot';
import { bringUp, clusterStatus } from './clusterStatus.ts';
import {
  clusterRef,
  copiedText,
  int64,
  list,
  name,
  partitionIndex,
  partitionsMax,
  topicPartition,
  userError,
} from './common.ts';

export const isolationLevel = v.picklist(['read_uncommitted', 'read_committed']);
export type Isolation = v.InferOutput<typeof isolationLevel>;

/** How long the first record that the group has not read has been in the log. */
export const lagTime = v.variant('kind', [
  /** There is nothing to read. */
  v.object({ kind: v.literal('none') }),
  v.object({
    kind: v.literal('known'),
    lagMs: v.number(),
    /** The end was seen to pass it; the broker wrote it down; the producer said so. */
    source: v.picklist(['history', 'appendTime', 'createTime']),
    /** The record at the commit is gone: this is the age of the first that is left. */
    isAtLeast: v.boolean(),
  }),
  v.object({ kind: v.literal('unknown') }),
]);
export type LagTime = v.InferOutput<typeof lagTime>;

/** Offsets a second, over the last seconds; null: not known. */
export const rates = v.object({
  produced: v.nullable(v.number()),
  consumed: v.nullable(v.number()),
});

export const lagPartition = v.object({
  topic: name,
  partition: partitionIndex,
  /** Null: no commit, or `commitError`. */
  committed: v.nullable(int64),
  commitError: v.optional(userError),
  logStart: int64,
  /** The last stable offset, where read_committed consumers stop. */
  stable: int64,
  /** The high watermark. */
  end: int64,
  /** Why the partition's offsets are missing; they are then -1. */
  error: v.optional(userError),
  /** The member that it is assigned to. */
  member: v.optional(v.object({ memberId: name, clientId: name, host: name })),
  /** On the embedded cluster: up to where the member has been sent records. Not included. */
  served: v.optional(int64),
  time: lagTime,
  rates,
});
export type LagPartition = v.InferOutput<typeof lagPartition>;

const thresholds = {
  /** Null: not watched for. */
  records: v.nullable(v.pipe(int64, v.regex(/^[1-9]/, 'a threshold is above 0'))),
  seconds: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1e9))),
};

export const lagWatch = v.object({
  /** Sampled also while no panel shows it, and told of when it crosses a threshold. */
  isWatched: v.boolean(),
  ...thresholds,
});
export type LagWatch = v.InferOutput<typeof lagWatch>;

export const lagGroup = v.object({
  cluster: clusterRef,
  group: name,
  atMs: v.number(),
  /** Kafka's state name; `Dead` where the group does not exist. */
  state: name,
  memberCount: v.number(),
  partitions: list(lagPartition, partitionsMax),
  rates,
  watch: lagWatch,
  /** A threshold was crossed, and the lag has not come back since. */
  isAlarmed: v.boolean(),
  /** Why there is nothing newer. */
  problem: v.optional(userError),
});
export type LagGroup = v.InferOutput<typeof lagGroup>;

/** At a time: lag, produced and consumed a second. */
const lagPoint = v.tuple([
  v.number(),
  v.nullable(int64),
  v.nullable(v.number()),
  v.nullable(v.number()),
]);
export type LagPoint = v.InferOutput<typeof lagPoint>;
const points = list(lagPoint, 100_000);

const lagSeries = v.object({
  topic: name,
  partition: partitionIndex,
  points,
});
export type LagSeries = v.InferOutput<typeof lagSeries>;

/** What the offsets between commit and end are; the parts add up to `end - committed`. */
export const readablePartition = v.object({
  topic: name,
  partition: partitionIndex,
  committed: int64,
  end: int64,
  /** Deleted by retention before the group read them. */
  lost: int64,
  /** What a read_committed consumer gets. */
  records: int64,
  /** Transaction markers. */
  markers: int64,
  aborted: int64,
  gaps: int64,
  /** From the last stable offset on. */
  unstable: int64,
  /** Not looked at: the look was cut off. */
  unread: int64,
  /** What `unstable` waits for. */
  openTransaction: v.optional(
    v.object({ producerId: int64, firstOffset: int64, timestamp: int64 }),
  ),
  error: v.optional(userError),
});
export type ReadablePartition = v.InferOutput<typeof readablePartition>;

export const chartedPartitions = 5;

/** What a panel showed, thinned. */
const keptPoints = list(lagPoint, 1000);
const seenSeries = v.object({
  isolation: isolationLevel,
  total: keptPoints,
  partitions: list(v.object({ ...lagSeries.entries, points: keptPoints }), chartedPartitions),
});
export type SeenSeries = v.InferOutput<typeof seenSeries>;

/** What the panel keeps with `setState` and the host gets back when it restores the panel. */
export const lagState = v.object({
  panel: v.literal('lag'),
  cluster: clusterRef,
  group: name,
  isolation: v.optional(isolationLevel),
  windowMs: v.optional(v.number()),
  topic: v.optional(name),
  seen: v.optional(seenSeries),
});

const answer = { error: v.optional(userError) };
const loaded = v.object({
  group: v.optional(lagGroup),
  /** The topic that the panel was opened from. */
  topic: v.optional(name),
  ...answer,
});

/** Served by the host. */
export const lagHost = {
  ready: { params: v.object({}), result: loaded },
  /** Takes a sample now. */
  load: { params: v.object({}), result: loaded },
  series: {
    params: v.object({
      sinceMs: v.number(),
      isolation: isolationLevel,
      of: list(topicPartition, chartedPartitions),
    }),
    result: v.object({ total: points, partitions: list(lagSeries, chartedPartitions) }),
  },
  /** Reads the batches between commit and end. `lookProgress` says how far it is. */
  look: {
    params: v.object({ partitions: list(topicPartition, partitionsMax) }),
    result: v.object({ partitions: list(readablePartition, partitionsMax), ...answer }),
  },
  setWatch: { params: lagWatch, result: v.object(answer) },
  copy: {
    params: v.object({ text: copiedText }),
    result: v.object(answer),
  },
  resetOffsets: { params: v.object({}), result: v.object(answer) },
  /** Opens what the group has not read yet. */
  tail: { params: topicPartition, result: v.object(answer) },
  bringUp,
};

/** Served by the panel. */
export const lagView = {
  group: { params: lagGroup },
  /** Offsets looked at, and to look at. */
  lookProgress: { params: v.object({ done: int64, total: int64 }) },
  /** The panel was opened again from a topic. */
  topic: { params: v.object({ topic: name }) },
  status: { params: clusterStatus },
};
