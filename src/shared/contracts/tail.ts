/** The tail panel and its host. Rows stay in the host; the panel asks for the page that it shows. */
import * as v from 'valibot';
import { bringUp, clusterStatus } from './clusterStatus.ts';
import {
  clusterRef,
  copiedText,
  int64,
  list,
  name,
  partitionIndex,
  partitionIndexes,
  userError,
  words,
} from './common.ts';
import { decoderKind, payloadField } from './decoders.ts';
import { payloadForm, recordDetails } from './recordDetails.ts';
import { tailColumns } from './tailColumns.ts';
import { tailHistogram } from './tailHistogram.ts';
import { tailProgress } from './tailProgress.ts';
import {
  defaultTailScope,
  filterShow,
  filterText,
  seekText,
  tailOrder,
  tailScope,
  timeSpan,
} from './tailQuery.ts';
import { recordPlace, rowParts, rowsAtOnceMax, tailRow } from './tailRows.ts';

/** The decoders in force: of each its kind, and what it is called. */
const decoderLabel = v.object({ kind: decoderKind, label: words });
export const decoderLabels = v.object({
  key: decoderLabel,
  value: decoderLabel,
  headers: decoderLabel,
});
export type DecoderLabels = v.InferOutput<typeof decoderLabels>;

export const tailSetup = v.object({
  cluster: clusterRef,
  topic: name,
  partitionCount: v.number(),
  /** The partitions looked at, ascending. */
  partitions: partitionIndexes,
  from: seekText,
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

/** The record at the top of the list, and when it is from: it may be sought by that. */
export const keptPosition = v.object({ ...recordPlace.entries, timestamp: v.optional(int64) });
export type KeptPosition = v.InferOutput<typeof keptPosition>;

/** How an open record is looked at. */
const recordLook = v.object({
  keyForm: v.optional(payloadForm),
  valueForm: v.optional(payloadForm),
  /** What is long and shown to its end. */
  whole: v.optional(list(v.picklist(['key', 'value']), 2)),
  /** How many headers are shown. */
  headers: v.optional(v.number()),
  /** How far its parts are scrolled, in pixels. */
  tops: v.optional(list(v.number(), 10)),
});
export type RecordLook = v.InferOutput<typeof recordLook>;

/** The record that is selected, and whether it is open. */
const keptRecord = v.object({
  ...recordPlace.entries,
  isOpen: v.boolean(),
  look: v.optional(recordLook),
});
export type KeptRecord = v.InferOutput<typeof keptRecord>;

/** What the panel keeps with `setState` and the host gets back when it restores the panel. */
export const tailState = v.object({
  panel: v.literal('tail'),
  cluster: clusterRef,
  topic: name,
  from: seekText,
  /** None: all of them. */
  partitions: partitionIndexes,
  scope: v.optional(tailScope, defaultTailScope),
  filter: v.optional(filterText, ''),
  within: v.optional(timeSpan),
  columns: v.optional(tailColumns),
  /** Left out where the list follows its end, or stands where the tail starts. */
  at: v.optional(keptPosition),
  /** The list follows its end; left out where it was not known yet. */
  follows: v.optional(v.boolean()),
  record: v.optional(keptRecord),
  /** Height of the pane below the list, in pixels, where the person has chosen it. */
  paneHeight: v.optional(v.number()),
  /** The record that the host has asked for last: an older wish than what was done since. */
  asked: v.optional(recordPlace),
});
export type TailState = v.InferOutput<typeof tailState>;

/** What is taken of a record, whole, where the page has only the first part of it. */
const takenPart = v.union([
  v.object({
    record: recordPlace,
    /** A header's value is named by its place among the headers. */
    of: v.union([v.picklist(['key', 'value']), v.object({ header: partitionIndex })]),
    form: payloadForm,
    /** A file gets the bytes as they are, whatever the form. */
    to: v.picklist(['clipboard', 'editor', 'file']),
  }),
  v.object({ record: recordPlace, of: v.literal('record'), to: v.literal('clipboard') }),
]);
export type TakenPart = v.InferOutput<typeof takenPart>;

/** Served by the host. */
export const tailHost = {
  bringUp,
  ready: { params: v.object({}), result: tailSetup },
  /** Starts over from a seek expression; answers with what is wrong with it, if anything. */
  seek: {
    params: v.object({
      from: seekText,
      partitions: partitionIndexes,
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
  /**
   * Sorts what is shown now, in a session of another number; left out: as they arrive. Answers when that is done,
   * or not wanted any more: by another filter or seek the order ends.
   */
  setOrder: {
    params: v.object({ order: v.optional(tailOrder) }),
    result: v.object({ error: v.optional(userError) }),
  },
  /** What is wrong with a filter, while it is typed. */
  checkFilter: {
    params: v.object({ filter: filterText }),
    result: v.object({ problem: v.optional(words) }),
  },
  /**
   * Chooses how a field of this topic is read, from now on; asks for a schema where one is needed. Answers
   * with nothing where the person thought better of it.
   */
  setDecoder: {
    params: v.object({ field: payloadField, kind: decoderKind }),
    result: v.object({ decoders: v.optional(decoderLabels), error: v.optional(userError) }),
  },
  /** Groups whose commits it may start from: the first that hold a text. */
  groups: {
    params: v.object({ like: seekText }),
    result: v.object({ groups: list(words, 50) }),
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
      count: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(rowsAtOnceMax)),
      parts: v.optional(rowParts),
    }),
    result: v.object({
      session: v.number(),
      first: v.number(),
      rows: list(tailRow, rowsAtOnceMax),
    }),
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
  /** A record, of whose large payloads the first part. */
  details: {
    params: v.object({ partition: partitionIndex, offset: int64 }),
    result: v.object({ record: v.optional(recordDetails), error: v.optional(userError) }),
  },
  takePart: { params: takenPart, result: v.object({ error: v.optional(userError) }) },
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
  copy: { params: v.object({ text: copiedText }), result: v.object({}) },
};

/** Served by the panel. */
export const tailView = {
  status: { params: clusterStatus },
  progress: { params: tailProgress },
  setup: { params: tailSetup },
};
