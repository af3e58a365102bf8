/** A whole record with its batch, and what decoders make of it. */
import * as v from 'valibot';
import {
  int64,
  list,
  name,
  partitionIndex,
  payloadBytes,
  payloadText,
  text,
  words,
} from './common.ts';

/** The forms in which a payload is shown. */
export const payloadForm = v.picklist(['decoded', 'json', 'text', 'hex', 'base64']);
export type PayloadForm = v.InferOutput<typeof payloadForm>;

/** What a chosen decoder makes of a payload; undefined where none is chosen, or the payload is null or empty. */
const decodedPayload = v.optional(
  v.union([
    v.object({ text: payloadText, isJson: v.boolean(), note: v.optional(words) }),
    v.object({ problem: words }),
  ]),
);
export type DecodedPayload = v.InferOutput<typeof decodedPayload>;

/** Of a payload of which only the first part is here: what the whole is. */
const cutPayload = v.object({
  bytes: v.number(),
  /** It is UTF-8, and by its ends a JSON object or array. */
  isText: v.boolean(),
  isJson: v.boolean(),
});
export type CutPayload = v.InferOutput<typeof cutPayload>;

export const recordDetails = v.object({
  topic: name,
  partition: partitionIndex,
  offset: int64,
  timestamp: int64,
  timestampType: v.picklist(['CreateTime', 'LogAppendTime']),
  key: payloadBytes,
  value: payloadBytes,
  headers: list(
    v.object({
      key: payloadBytes,
      value: payloadBytes,
      decoded: decodedPayload,
      cutKey: v.optional(cutPayload),
      cutValue: v.optional(cutPayload),
    }),
    /** As many as a record of a hundred megabytes can hold is a little more. */
    10_000_000,
  ),
  decodedKey: decodedPayload,
  decodedValue: decodedPayload,
  cutKey: v.optional(cutPayload),
  cutValue: v.optional(cutPayload),
  batch: v.object({
    baseOffset: int64,
    lastOffset: int64,
    recordCount: v.number(),
    sizeInBytes: v.number(),
    compression: text(100),
    leaderEpoch: v.number(),
    producerId: int64,
    producerEpoch: v.number(),
    baseSequence: v.number(),
    isTransactional: v.boolean(),
  }),
});
export type RecordDetails = v.InferOutput<typeof recordDetails>;
