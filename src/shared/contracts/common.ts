import * as v from 'valibot';

/** An int64 as a decimal string. */
export const int64 = v.pipe(v.string(), v.regex(/^-?\d{1,19}$/, 'not an int64'));

export const partitionIndex = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Which cluster a panel looks at; `id` is the profile's, `name` is for people. */
export const clusterRef = v.object({ id: v.string(), name: v.string(), readOnly: v.boolean() });

/** An error in words for people: what failed, and what to do next. */
export const userError = v.object({ message: v.string(), hint: v.optional(v.string()) });
export type UserError = v.InferOutput<typeof userError>;

/** A key, value or header value as shown in a row: null, empty and text are three different things. */
export const payloadPreview = v.variant('kind', [
  v.object({ kind: v.literal('null') }),
  v.object({ kind: v.literal('empty') }),
  /** Valid UTF-8; `truncated` when `text` is only its beginning. */
  v.object({
    kind: v.literal('text'),
    text: v.string(),
    size: v.number(),
    truncated: v.boolean(),
  }),
  /** Not UTF-8: its first bytes in hex. */
  v.object({
    kind: v.literal('binary'),
    hex: v.string(),
    size: v.number(),
    truncated: v.boolean(),
  }),
]);
export type PayloadPreview = v.InferOutput<typeof payloadPreview>;

/** A whole key, value or header value: null, or its bytes in base64. */
export const payloadBytes = v.nullable(v.string());

export const topicPartition = v.object({ topic: v.string(), partition: partitionIndex });

/** A topic that a person can choose, with as much as is needed to list its partitions. */
export const topicChoice = v.object({ name: v.string(), partitionCount: v.number() });
export type TopicChoice = v.InferOutput<typeof topicChoice>;
