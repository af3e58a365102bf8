/** The rows of a tail, as its panel lists them. */
import * as v from 'valibot';
import { int64, list, partitionIndex, payloadPreview, text, words } from './common.ts';

/** A key or value in a row; read by a chosen decoder, or why that could not. */
export const tailPayload = v.variant('kind', [
  ...payloadPreview.options,
  v.object({
    kind: v.literal('decoded'),
    text: text(10_000),
    size: v.number(),
    truncated: v.boolean(),
  }),
  /** With the first bytes in hex. */
  v.object({ kind: v.literal('failed'), problem: words, hex: text(1000), size: v.number() }),
]);
export type TailPayload = v.InferOutput<typeof tailPayload>;

/** A record's place in its topic. */
export const recordPlace = v.object({ partition: partitionIndex, offset: int64 });
export type RecordPlace = v.InferOutput<typeof recordPlace>;

/** Asked for together. */
export const rowsAtOnceMax = 2000;
/** Columns of one's own. */
const partsMax = 10;

export const tailRow = v.object({
  partition: partitionIndex,
  offset: int64,
  /** Milliseconds since the epoch; -1 is no timestamp. */
  timestamp: int64,
  key: tailPayload,
  value: tailPayload,
  headerCount: v.number(),
  /** Bytes of key, value and headers. */
  size: v.number(),
  /** What was asked for beside, in that order; null where the record has none of it. */
  parts: v.optional(list(v.nullable(tailPayload), partsMax)),
  /** Of a record that was written in a transaction: how it ended, as far as the tail has read. */
  transaction: v.optional(v.picklist(['open', 'committed', 'aborted'])),
  /** The row is no record: something to know at this place of the partition. */
  note: v.optional(words),
  /** Why the filter could not judge the record. */
  failure: v.optional(words),
  /** Why the record could not be read; key and value then say nothing, and the offset is its batch's. */
  problem: v.optional(words),
});
export type TailRow = v.InferOutput<typeof tailRow>;

export const headerPart = v.object({
  kind: v.literal('header'),
  name: text(200),
});
export const jsonPart = v.object({
  kind: v.literal('json'),
  /** Names and indexes from the value down, as in `customer.id` or `lines.0.sku`. */
  path: text(200),
});
/** A header or part of a JSON value that has a column of its own. */
export const rowPart = v.variant('kind', [headerPart, jsonPart]);
export type RowPart = v.InferOutput<typeof rowPart>;
export const rowParts = list(rowPart, partsMax);
