/** The produce panel and its host. */
import * as v from 'valibot';
import { clusterRef, int64, partitionIndex, userError } from './common.ts';

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

export const topicChoice = v.object({ name: v.string(), partitionCount: v.number() });

export const produceSetup = v.object({
  cluster: clusterRef,
  topics: v.array(topicChoice),
  draft: produceDraft,
});
export type ProduceSetup = v.InferOutput<typeof produceSetup>;

/** Served by the host. */
export const produceHost = {
  ready: { params: v.object({}), result: produceSetup },
  /** What will happen: the partition, the encoded sizes, and what is wrong with the draft. */
  preview: {
    params: produceDraft,
    result: v.object({
      partition: v.optional(partitionIndex),
      keySize: v.optional(v.number()),
      valueSize: v.optional(v.number()),
      problems: v.array(v.object({ field: v.string(), message: v.string() })),
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
