/** The editor's side of tails and the worker that runs them. Both are ours; what travels is checked all the same. */
import * as v from 'valibot';
import {
  int64,
  list,
  name,
  partitionIndex,
  partitionIndexes,
  payloadText,
  userError,
  words,
} from './common.ts';
import { schemaText, topicDecoders } from './decoders.ts';
import { recordDetails } from './recordDetails.ts';
import { tailHistogram } from './tailHistogram.ts';
import { tailProgress } from './tailProgress.ts';
import { filterShow, filterText, seekText, tailScope, timeSpan, tailOrder } from './tailQuery.ts';
import { recordPlace, rowParts, rowsAtOnceMax, tailRow } from './tailRows.ts';

/** Names a tail for as long as the worker lives. */
const tailId = v.pipe(v.number(), v.integer(), v.minValue(1));

/** How to reach the cluster. Travels in memory only, as it may hold secrets. */
const tailConnection = v.object({
  name,
  bootstrap: list(name, 1000),
  /** The client's own options, as they are. */
  security: v.looseObject({
    protocol: v.picklist(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL']),
  }),
});

const outcome = v.object({ error: v.optional(userError) });

export const openTail = v.object({
  tail: tailId,
  connection: tailConnection,
  topic: name,
  partitions: partitionIndexes,
  /** They are all that there are: those that are added are read too. */
  isAll: v.optional(v.boolean()),
  from: seekText,
  scope: tailScope,
  filter: filterText,
  within: v.optional(timeSpan),
  decoders: topicDecoders,
  session: v.number(),
  limits: v.optional(v.object({ rows: v.number(), bytes: v.number() })),
});
export type OpenTail = v.InferOutput<typeof openTail>;

/** Served by the worker. */
export const tailWorker = {
  /** Answers once reading has begun, or with why it cannot; such a tail is closed. */
  open: { params: openTail, result: outcome },
  close: { params: v.object({ tail: tailId }), result: v.object({}) },
  /** Gives the tail another session number, since its rows are numbered anew. */
  setFilter: {
    params: v.object({
      tail: tailId,
      filter: filterText,
      show: filterShow,
      within: v.optional(timeSpan),
      session: v.number(),
    }),
    result: outcome,
  },
  /** The tail takes the session number once its rows are in that order. */
  setOrder: {
    params: v.object({ tail: tailId, order: v.optional(tailOrder), session: v.number() }),
    /** Not done without an error: something newer was asked for. */
    result: v.object({ isDone: v.boolean(), error: v.optional(userError) }),
  },
  /** The tail takes the session number where it has a filter: its rows are judged and numbered anew. */
  setDecoders: {
    params: v.object({ tail: tailId, decoders: topicDecoders, session: v.number() }),
    result: outcome,
  },
  /** The messages of a Protobuf schema. */
  protobufMessages: {
    params: v.object({ schema: schemaText }),
    result: v.object({ names: list(name, 100_000), error: v.optional(userError) }),
  },
  checkFilter: {
    params: v.object({ filter: filterText }),
    result: v.object({ problem: v.optional(words) }),
  },
  setPaused: { params: v.object({ tail: tailId, paused: v.boolean() }), result: v.object({}) },
  rows: {
    params: v.object({
      tail: tailId,
      session: v.number(),
      first: v.number(),
      count: v.number(),
      parts: v.optional(rowParts),
    }),
    result: v.object({ first: v.number(), rows: list(tailRow, rowsAtOnceMax) }),
  },
  findRow: {
    params: v.object({ tail: tailId, session: v.number(), ...recordPlace.entries }),
    result: v.object({ row: v.optional(v.number()) }),
  },
  histogram: {
    params: v.object({ tail: tailId }),
    result: v.object({ histogram: v.optional(tailHistogram) }),
  },
  /** Records as lines of a file: what is looked at or all that is held, a page at a time until `next` is `end`. */
  exportRows: {
    params: v.object({
      tail: tailId,
      format: v.picklist(['jsonl', 'csv']),
      all: v.boolean(),
      from: v.optional(v.number()),
      end: v.optional(v.number()),
      /** Of the first page's rows: with another filter they have other numbers. */
      session: v.optional(v.number()),
    }),
    result: v.object({
      text: payloadText,
      records: v.number(),
      session: v.number(),
      /** Number of the page's first row. */
      first: v.number(),
      next: v.number(),
      end: v.number(),
    }),
  },
  details: {
    params: v.object({ tail: tailId, partition: partitionIndex, offset: int64 }),
    result: v.object({ record: v.optional(recordDetails), error: v.optional(userError) }),
  },
  /** Asked now and then, to see that the worker still answers. */
  ping: { params: v.object({}), result: v.object({}) },
};

/** Served by the editor's side. */
export const tailWorkerHost = {
  progress: { params: v.object({ tail: tailId, progress: tailProgress }) },
  log: { params: v.object({ level: v.picklist(['debug', 'info', 'warn']), message: words }) },
};
