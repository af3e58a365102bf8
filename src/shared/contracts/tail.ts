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
import { filterLengthMax } from '../tailFilter.ts';
import { decoderKind, payloadField } from './decoders.ts';

/** The forms in which a payload is shown. */
export const payloadForm = v.picklist(['decoded', 'json', 'text', 'hex', 'base64']);
export type PayloadForm = v.InferOutput<typeof payloadForm>;

/** A key or value in a row; read by a chosen decoder, or why that could not. */
export const tailPayload = v.variant('kind', [
  ...payloadPreview.options,
  v.object({
    kind: v.literal('decoded'),
    text: v.string(),
    size: v.number(),
    truncated: v.boolean(),
  }),
  /** With the first bytes in hex. */
  v.object({ kind: v.literal('failed'), problem: v.string(), hex: v.string(), size: v.number() }),
]);
export type TailPayload = v.InferOutput<typeof tailPayload>;

/** A record's place in its topic. */
export const recordPlace = v.object({ partition: partitionIndex, offset: int64 });
export type RecordPlace = v.InferOutput<typeof recordPlace>;

export const tailRow = v.object({
  partition: partitionIndex,
  offset: int64,
  /** Milliseconds since the epoch; -1 is no timestamp. */
  timestamp: int64,
  key: tailPayload,
  value: tailPayload,
  headerCount: v.number(),
  /** What was asked for beside, in that order; null where the record has none of it. */
  parts: v.optional(v.array(v.nullable(tailPayload))),
  /** Of a record that was written in a transaction: how it ended, as far as the tail has read. */
  transaction: v.optional(v.picklist(['open', 'committed', 'aborted'])),
  /** The row is no record: something to know at this place of the partition. */
  note: v.optional(v.string()),
  /** Why the filter could not judge the record. */
  failure: v.optional(v.string()),
  /** Why the record could not be read; key and value then say nothing, and the offset is its batch's. */
  problem: v.optional(v.string()),
});
export type TailRow = v.InferOutput<typeof tailRow>;

/** Which of the records in the log are read. */
export const tailScope = v.object({
  isolation: v.picklist(['read_uncommitted', 'read_committed']),
  /** Whether a transaction's end, a record of the broker's own, is a row. */
  markers: v.boolean(),
});
export type TailScope = v.InferOutput<typeof tailScope>;
export const defaultTailScope: TailScope = { isolation: 'read_uncommitted', markers: false };

/** What passes the filter, or what it failed on. */
export const filterShow = v.picklist(['matched', 'failed']);
export type FilterShow = v.InferOutput<typeof filterShow>;

export const filterText = v.pipe(v.string(), v.maxLength(filterLengthMax));

/** Times in milliseconds since the epoch, up to one that is not included. */
export const timeSpan = v.pipe(
  v.object({ fromMs: v.pipe(v.number(), v.finite()), toMs: v.pipe(v.number(), v.finite()) }),
  v.check(({ fromMs, toMs }) => fromMs < toMs, 'ends before it begins'),
);
export type TimeSpan = v.InferOutput<typeof timeSpan>;

/** How many rows are of which time: bins of one width, side by side. */
export const tailHistogram = v.object({
  fromMs: v.number(),
  binMs: v.number(),
  /** All that are held. */
  all: v.array(v.number()),
  /** Those that the filter lets through, where there is one. */
  shown: v.optional(v.array(v.number())),
  /** Rows without a time. */
  untimed: v.number(),
});
export type TailHistogram = v.InferOutput<typeof tailHistogram>;

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
  /** Why it has stopped. */
  problem: v.optional(userError),
});
export type FilterProgress = v.InferOutput<typeof filterProgress>;

/** The decoders in force: of each its kind, and what it is called. */
const decoderLabel = v.object({ kind: decoderKind, label: v.string() });
export const decoderLabels = v.object({
  key: decoderLabel,
  value: decoderLabel,
  headers: decoderLabel,
});
export type DecoderLabels = v.InferOutput<typeof decoderLabels>;

export const tailSetup = v.object({
  cluster: clusterRef,
  topic: v.string(),
  partitionCount: v.number(),
  /** The partitions looked at, ascending. */
  partitions: v.array(partitionIndex),
  /** The seek expression in force, such as `latest` or `last 100`. */
  from: v.string(),
  scope: tailScope,
  filter: filterText,
  /** Rows of other times are left out. */
  within: v.optional(timeSpan),
  decoders: decoderLabels,
  paused: v.boolean(),
  /** A record to select and open as soon as its row is read. */
  open: v.optional(recordPlace),
});
export type TailSetup = v.InferOutput<typeof tailSetup>;

export const heldBack = v.object({
  partition: partitionIndex,
  lastStableOffset: int64,
  /** Offsets from there to the high watermark. */
  waiting: int64,
  /** Whose transaction began first; left out where the cluster does not say. */
  producer: v.optional(v.object({ id: int64, epoch: v.number() })),
  transaction: v.optional(
    v.object({ id: v.string(), startTimeMs: v.number(), timeoutMs: v.number() }),
  ),
});
/** A partition on which an open transaction keeps read_committed consumers from records. */
export type HeldBack = v.InferOutput<typeof heldBack>;

/** Counts of a session; sent when they change, at most ten times a second. */
export const tailProgress = v.object({
  /** Session number: rows of an earlier one are gone. A seek makes a new one, and so does a filter. */
  session: v.number(),
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
  heldBy: v.array(heldBack),
  /** Where there is a filter. */
  filter: v.optional(filterProgress),
});
export type TailProgress = v.InferOutput<typeof tailProgress>;

/** Of a tail that has read nothing yet. */
export const noProgress: TailProgress = {
  session: 0,
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

/** What a chosen decoder makes of a payload; undefined where none is chosen, or the payload is null or empty. */
const decodedPayload = v.optional(
  v.union([
    v.object({ text: v.string(), isJson: v.boolean(), note: v.optional(v.string()) }),
    v.object({ problem: v.string() }),
  ]),
);
export type DecodedPayload = v.InferOutput<typeof decodedPayload>;

export const recordDetails = v.object({
  topic: v.string(),
  partition: partitionIndex,
  offset: int64,
  timestamp: int64,
  timestampType: v.picklist(['CreateTime', 'LogAppendTime']),
  key: payloadBytes,
  value: payloadBytes,
  headers: v.array(v.object({ key: payloadBytes, value: payloadBytes, decoded: decodedPayload })),
  decodedKey: decodedPayload,
  decodedValue: decodedPayload,
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

const headerPart = v.object({
  kind: v.literal('header'),
  name: v.pipe(v.string(), v.maxLength(200)),
});
const jsonPart = v.object({
  kind: v.literal('json'),
  /** Names and indexes from the value down, as in `customer.id` or `lines.0.sku`. */
  path: v.pipe(v.string(), v.maxLength(200)),
});
/** A header or part of a JSON value that has a column of its own. */
export const rowPart = v.variant('kind', [headerPart, jsonPart]);
export type RowPart = v.InferOutput<typeof rowPart>;
export const rowParts = v.pipe(v.array(rowPart), v.maxLength(10));

const columnLook = {
  width: v.optional(v.pipe(v.number(), v.minValue(24), v.maxValue(2000))),
  hidden: v.optional(v.boolean()),
};
const columnId = v.variant('kind', [
  v.object({
    kind: v.picklist(['time', 'partition', 'offset', 'key', 'value', 'headers']),
    ...columnLook,
  }),
  v.object({ ...headerPart.entries, ...columnLook }),
  v.object({ ...jsonPart.entries, ...columnLook }),
]);
/** The columns from left to right; the widths that were not chosen are the panel's. */
export const tailColumns = v.pipe(v.array(columnId), v.maxLength(16));
export type TailColumn = v.InferOutput<typeof columnId>;

/** What the panel keeps with `setState` and the host gets back when it restores the panel. */
export const tailState = v.object({
  panel: v.literal('tail'),
  cluster: clusterRef,
  topic: v.string(),
  from: v.string(),
  partitions: v.array(partitionIndex),
  scope: v.optional(tailScope, defaultTailScope),
  filter: v.optional(filterText, ''),
  within: v.optional(timeSpan),
  columns: v.optional(tailColumns),
  /** The record at the top of the list; left out where the list follows its end. */
  at: v.optional(recordPlace),
});

/** Served by the host. */
export const tailHost = {
  ready: { params: v.object({}), result: tailSetup },
  /** Starts over from a seek expression; answers with what is wrong with it, if anything. */
  seek: {
    params: v.object({
      from: v.string(),
      partitions: v.array(partitionIndex),
      scope: tailScope,
    }),
    result: v.object({ error: v.optional(userError) }),
  },
  /**
   * Shows only what a filter lets through, or what it failed on, and of one span of time where that is given;
   * answers with what is wrong with the filter.
   */
  setFilter: {
    params: v.object({ filter: filterText, show: filterShow, within: v.optional(timeSpan) }),
    result: v.object({ error: v.optional(userError) }),
  },
  /** What is wrong with a filter, while it is typed. */
  checkFilter: {
    params: v.object({ filter: filterText }),
    result: v.object({ problem: v.optional(v.string()) }),
  },
  /**
   * Chooses how a field of this topic is read, from now on; asks for a schema where one is needed. Answers
   * with nothing where the person thought better of it.
   */
  setDecoder: {
    params: v.object({ field: payloadField, kind: decoderKind }),
    result: v.object({ decoders: v.optional(decoderLabels), error: v.optional(userError) }),
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
      parts: v.optional(rowParts),
    }),
    result: v.object({ session: v.number(), first: v.number(), rows: v.array(tailRow) }),
  },
  /** The number of the row of a record, where it is held and shown. */
  findRow: {
    params: v.object({ session: v.number(), ...recordPlace.entries }),
    result: v.object({ row: v.optional(v.number()) }),
  },
  /** Opens two records beside each other. */
  compare: {
    params: v.object({ left: recordPlace, right: recordPlace }),
    result: v.object({ error: v.optional(userError) }),
  },
  /** Copies a link that opens what is shown, and a record in it. */
  copyLink: {
    params: v.object({ record: v.optional(recordPlace) }),
    result: v.object({ error: v.optional(userError) }),
  },
  /** Of what is held, or of the span of time that is looked at; nothing where no row has a time. */
  histogram: {
    params: v.object({}),
    result: v.object({ histogram: v.optional(tailHistogram) }),
  },
  details: {
    params: v.object({ partition: partitionIndex, offset: int64 }),
    result: v.object({ record: v.optional(recordDetails), error: v.optional(userError) }),
  },
  /** Opens the produce panel with the record as its draft; the forms are those that the person looked at. */
  produceAgain: {
    params: v.object({
      partition: partitionIndex,
      offset: int64,
      keyForm: v.optional(payloadForm),
      valueForm: v.optional(payloadForm),
    }),
    result: v.object({ error: v.optional(userError) }),
  },
  /** Writes a record again, or all that are shown, to a topic that the person chooses. */
  replay: {
    params: v.object({
      record: v.optional(v.object({ partition: partitionIndex, offset: int64 })),
    }),
    result: v.object({ error: v.optional(userError) }),
  },
  /** Writes records to a file that the person chooses. */
  exportRecords: { params: v.object({}), result: v.object({ error: v.optional(userError) }) },
  copy: { params: v.object({ text: v.string() }), result: v.object({}) },
};

/** Served by the panel. */
export const tailView = {
  progress: { params: tailProgress },
  setup: { params: tailSetup },
};
