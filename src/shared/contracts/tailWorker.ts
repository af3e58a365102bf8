/** The editor's side of tails and the worker that runs them. Both are ours; what travels is checked all the same. */
import * as v from 'valibot';
import { int64, partitionIndex, userError } from './common.ts';
import { topicDecoders } from './decoders.ts';
import {
  filterShow,
  filterText,
  recordDetails,
  recordPlace,
  rowParts,
  tailHistogram,
  tailProgress,
  tailRow,
  tailScope,
  timeSpan,
} from './tail.ts';

/** Names a tail for as long as the worker lives. */
const tailId = v.pipe(v.number(), v.integer(), v.minValue(1));

/** How to reach the cluster. Travels in memory only, as it may hold secrets. */
const tailConnection = v.object({
  name: v.string(),
  bootstrap: v.array(v.string()),
  /** The client's own options, as they are. */
  security: v.looseObject({
    protocol: v.picklist(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL']),
  }),
});

const outcome = v.object({ error: v.optional(userError) });

export const openTail = v.object({
  tail: tailId,
  connection: tailConnection,
  topic: v.string(),
  partitions: v.array(partitionIndex),
  from: v.string(),
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
  /** The tail takes the session number where it has a filter: its rows are judged and numbered anew. */
  setDecoders: {
    params: v.object({ tail: tailId, decoders: topicDecoders, session: v.number() }),
    result: outcome,
  },
  /** The messages of a Protobuf schema. */
  protobufMessages: {
    params: v.object({ schema: v.string() }),
    result: v.object({ names: v.array(v.string()), error: v.optional(userError) }),
  },
  checkFilter: {
    params: v.object({ filter: filterText }),
    result: v.object({ problem: v.optional(v.string()) }),
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
    result: v.object({ first: v.number(), rows: v.array(tailRow) }),
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
      text: v.string(),
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
  log: { params: v.object({ level: v.picklist(['debug', 'info', 'warn']), message: v.string() }) },
};
