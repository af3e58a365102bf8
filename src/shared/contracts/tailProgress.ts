/** How far a tail is, and what holds it back. */
import * as v from 'valibot';
import { int64, list, name, partitionIndex, userError, words } from './common.ts';
import { filterShow, tailOrder } from './tailQuery.ts';

/** How far a filter is with the rows that are held. */
export const filterProgress = v.object({
  show: filterShow,
  matched: v.number(),
  rejected: v.number(),
  failed: v.number(),
  /** Not looked at, since they are of another time than is asked for. */
  elsewhen: v.number(),
  /** Rows that it has not looked at yet. */
  pending: v.number(),
  /** Of the first that it failed on. */
  failure: v.optional(words),
  /** Why it has stopped. */
  problem: v.optional(userError),
});
export type FilterProgress = v.InferOutput<typeof filterProgress>;

export const heldBack = v.object({
  partition: partitionIndex,
  lastStableOffset: int64,
  /** Offsets from there to the high watermark. */
  waiting: int64,
  /** Whose transaction began first; left out where the cluster does not say. */
  producer: v.optional(v.object({ id: int64, epoch: v.number() })),
  transaction: v.optional(v.object({ id: name, startTimeMs: v.number(), timeoutMs: v.number() })),
});
/** A partition on which an open transaction keeps read_committed consumers from records. */
export type HeldBack = v.InferOutput<typeof heldBack>;

/** An offset that a partition does not have, and the end or the beginning of what it has. */
const missedOffset = v.object({
  partition: partitionIndex,
  offset: int64,
  bound: int64,
  /** Partitions of which the same is to be said, this one included. */
  partitions: v.number(),
});
export type MissedOffset = v.InferOutput<typeof missedOffset>;

/** Where a tail could not start as it was asked to. */
export const missedStart = v.object({
  /** Beyond the end, which has not reached it yet: nothing before it is shown. */
  awaited: v.optional(missedOffset),
  /** All partitions are such. */
  awaitsAll: v.optional(v.boolean()),
  /** Before the beginning, which it starts at. */
  gone: v.optional(missedOffset),
  /** No partition had a record as late as the time: it started at their ends. */
  noneAsLate: v.optional(v.boolean()),
});
export type MissedStart = v.InferOutput<typeof missedStart>;

/** Counts of a session; sent when they change, at most ten times a second. */
export const tailProgress = v.object({
  /** Session number: rows of an earlier one are gone. A seek makes a new one, and so does a filter. */
  session: v.number(),
  /** The session that the tail began as: a filter makes later ones of the same tail. */
  began: v.number(),
  /** It began at a place in the log, and not at what is newest, and there was something from there on. */
  beganAtPlace: v.optional(v.boolean()),
  /**
   * Rows are numbered from 0 as the session reads them, or as its filter lets them through, and keep their
   * number. Those held now are `dropped` (oldest) to `dropped + held - 1` (newest).
   */
  held: v.number(),
  /** Rows dropped at the old end to keep within the memory bound. */
  dropped: v.number(),
  /** Memory that the rows take, and may take. */
  bytes: v.number(),
  bytesMax: v.number(),
  perSecond: v.number(),
  /** Reading, waiting at the end of every partition, paused, reached the seek expression's end, or failed. */
  state: v.picklist(['reading', 'live', 'paused', 'ended', 'failed']),
  error: v.optional(userError),
  /** While paused: how many records lie beyond the last one read. */
  behind: int64,
  /** Transactions whose end was read: what was said of their records before is out of date. */
  transactionsEnded: v.number(),
  /** At read_committed: offsets beyond the last stable one, which an open transaction holds back. */
  heldBack: int64,
  /** By which transactions, and where: as last looked at. */
  heldBy: list(heldBack, 1000),
  missed: v.optional(missedStart),
  /** What was there when it began is not in the order of time over all partitions: there is too much of it. */
  unordered: v.optional(v.boolean()),
  /** Of a tail of all partitions: how many the topic has. */
  partitionCount: v.optional(v.number()),
  /** The topic was deleted, and by now perhaps made again: the tail has failed. */
  topicGone: v.optional(v.picklist(['deleted', 'back'])),
  /** Where there is a filter. */
  filter: v.optional(filterProgress),
  /** Where the rows are those of a moment, in another order. */
  sorted: v.optional(
    v.object({
      order: tailOrder,
      /** Rows that would be shown and came since. */
      newer: v.number(),
      /** Reading waits, as it would drop some of what is sorted. */
      waits: v.boolean(),
    }),
  ),
});
export type TailProgress = v.InferOutput<typeof tailProgress>;

/** Of a tail that has read nothing yet. */
export const noProgress: TailProgress = {
  session: 0,
  began: 0,
  held: 0,
  dropped: 0,
  bytes: 0,
  bytesMax: 0,
  perSecond: 0,
  state: 'reading',
  behind: '0',
  transactionsEnded: 0,
  heldBack: '0',
  heldBy: [],
};
