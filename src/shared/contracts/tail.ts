/** The tail panel and its host. Rows stay in the host; the panel asks for the page that it shows. */
import * as v from 'valibot';
import {
  clusterRef,
  int64,
  partitionIndex,
  payloadBytes,
  payloadPreview,
  userError,
} from './common.ts';

export const tailRow = v.object({
  partition: partitionIndex,
  offset: int64,
  /** Milliseconds since the epoch; -1 is no timestamp. */
  timestamp: int64,
  key: payloadPreview,
  value: payloadPreview,
  headerCount: v.number(),
  /** Why the record could not be read; key and value then say nothing, and the offset is its batch's. */
  problem: v.optional(v.string()),
});
export type TailRow = v.InferOutput<typeof tailRow>;

export const tailSetup = v.object({
  cluster: clusterRef,
  topic: v.string(),
  partitionCount: v.number(),
  /** The partitions looked at, ascending. */
  partitions: v.array(partitionIndex),
  /** The seek expression in force, such as `latest` or `last 100`. */
  from: v.string(),
  paused: v.boolean(),
  /** A record to select and open as soon as its row is read. */
  open: v.optional(v.object({ partition: partitionIndex, offset: int64 })),
});
export type TailSetup = v.InferOutput<typeof tailSetup>;

/** Counts of a session; sent when they change, at most ten times a second. */
export const tailProgress = v.object({
  /** Session number: rows of an earlier one are gone. */
  session: v.number(),
  /**
   * Rows are numbered from 0 as the session reads them and keep their number. Those held now are
   * `dropped` (oldest) to `dropped + held - 1` (newest).
   */
  held: v.number(),
  /** Rows dropped at the old end to keep within the memory bound. */
  dropped: v.number(),
  perSecond: v.number(),
  /** Reading, waiting at the end of every partition, paused, reached the seek expression's end, or failed. */
  state: v.picklist(['reading', 'live', 'paused', 'ended', 'failed']),
  error: v.optional(userError),
  /** While paused: how many records lie beyond the last one read. */
  behind: int64,
});
export type TailProgress = v.InferOutput<typeof tailProgress>;

export const recordDetails = v.object({
  topic: v.string(),
  partition: partitionIndex,
  offset: int64,
  timestamp: int64,
  timestampType: v.picklist(['CreateTime', 'LogAppendTime']),
  key: payloadBytes,
  value: payloadBytes,
  headers: v.array(v.object({ key: payloadBytes, value: payloadBytes })),
  batch: v.object({
    baseOffset: int64,
    lastOffset: int64,
    recordCount: v.number(),
    sizeInBytes: v.number(),
    compression: v.string(),
    leaderEpoch: v.number(),
    producerId: int64,
    producerEpoch: v.number(),
    baseSequence: v.number(),
    isTransactional: v.boolean(),
  }),
});
export type RecordDetails = v.InferOutput<typeof recordDetails>;

/** What the panel keeps with `setState` and the host gets back when it restores the panel. */
export const tailState = v.object({
  panel: v.literal('tail'),
  cluster: clusterRef,
  topic: v.string(),
  from: v.string(),
  partitions: v.array(partitionIndex),
});

/** Served by the host. */
export const tailHost = {
  ready: { params: v.object({}), result: tailSetup },
  /** Starts over from a seek expression; answers with what is wrong with it, if anything. */
  seek: {
    params: v.object({ from: v.string(), partitions: v.array(partitionIndex) }),
    result: v.object({ error: v.optional(userError) }),
  },
  setPaused: { params: v.object({ paused: v.boolean() }), result: v.object({}) },
  /**
   * Rows numbered `first` to `first + count - 1`. Those that are not held are left out at either end;
   * the answer's `first` is the number of its first row.
   */
  rows: {
    params: v.object({
      session: v.number(),
      first: v.pipe(v.number(), v.integer(), v.minValue(0)),
      count: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2000)),
    }),
    result: v.object({ session: v.number(), first: v.number(), rows: v.array(tailRow) }),
  },
  details: {
    params: v.object({ partition: partitionIndex, offset: int64 }),
    result: v.object({ record: v.optional(recordDetails), error: v.optional(userError) }),
  },
  copy: { params: v.object({ text: v.string() }), result: v.object({}) },
};

/** Served by the panel. */
export const tailView = {
  progress: { params: tailProgress },
  setup: { params: tailSetup },
};
