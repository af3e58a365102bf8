/** The produce panel and its host. */
import * as v from 'valibot';
import { clusterRef, int64, partitionIndex, topicChoice, userError } from './common.ts';

/** What a person typed for a key, value or header value. */
export const payloadInput = v.variant('kind', [
  v.object({ kind: v.literal('null') }),
  v.object({ kind: v.picklist(['text', 'json', 'hex', 'base64']), text: v.string() }),
]);
export type PayloadInput = v.InferOutput<typeof payloadInput>;

export const produceDraft = v.object({
  topic: v.string(),
  /** Null: chosen from the key as Java and kafkajs choose (murmur2), or at random without a key. */
  partition: v.nullable(partitionIndex),
  key: payloadInput,
  value: payloadInput,
  headers: v.array(v.object({ key: v.string(), value: payloadInput })),
});
export type ProduceDraft = v.InferOutput<typeof produceDraft>;

export const produceSetup = v.object({
  cluster: clusterRef,
  topics: v.array(topicChoice),
  draft: produceDraft,
});
export type ProduceSetup = v.InferOutput<typeof produceSetup>;

/** What the panel keeps with `setState` and the host gets back when it restores the panel. */
export const produceState = v.object({
  panel: v.literal('produce'),
  cluster: clusterRef,
  draft: produceDraft,
});

/** Something wrong with a draft. */
export const draftProblem = v.object({
  /** `topic`, `partition`, `key`, `value`, or `headers.N.key`, `headers.N.value` with N from 0. */
  field: v.string(),
  message: v.string(),
});
export type DraftProblem = v.InferOutput<typeof draftProblem>;

/** Served by the host. */
export const produceHost = {
  ready: { params: v.object({}), result: produceSetup },
  /** What will happen: the partition, the encoded sizes, and what is wrong with the draft. */
  preview: {
    params: produceDraft,
    result: v.object({
      /** Absent where the broker or chance decides: no partition chosen and no key. */
      partition: v.optional(partitionIndex),
      keySize: v.optional(v.number()),
      valueSize: v.optional(v.number()),
      problems: v.array(draftProblem),
    }),
  },
  send: {
    params: produceDraft,
    result: v.object({
      sent: v.optional(
        v.object({ topic: v.string(), partition: partitionIndex, offset: int64, timestamp: int64 }),
      ),
      error: v.optional(userError),
    }),
  },
  /** Opens the tail panel at a record. */
  openRecord: {
    params: v.object({ topic: v.string(), partition: partitionIndex, offset: int64 }),
    result: v.object({}),
  },
};

/** Served by the panel. */
export const produceView = {
  setup: { params: produceSetup },
};
