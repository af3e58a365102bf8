/** What contracts have in common. No string and no array is without a bound. */
import * as v from 'valibot';

/** Kafka refuses longer strings, in bytes, in whatever it reads and writes (`MessageDataGenerator`). */
export const nameLengthMax = 32_767;
/** Of what is said to people. */
export const wordsLengthMax = 100_000;
/** 100 MiB, the most that a batch may come to, written as `ff ff …`. */
export const payloadLengthMax = 320 * 1024 * 1024;
/** Of what goes to the clipboard. */
export const copiedLengthMax = 64 * 1024 * 1024;
/** More than any cluster known has; what a file or a page sends beyond it is refused before it is read. */
export const partitionsMax = 300_000;

/** A string of at most so many UTF-16 code units. */
export function text(lengthMax: number) {
  return v.pipe(v.string(), v.maxLength(lengthMax));
}

/** At most so many of a kind. */
export function list<const Item extends v.GenericSchema>(item: Item, countMax: number) {
  return v.pipe(v.array(item), v.maxLength(countMax));
}

/** Of a topic, a group, a member, a connection. */
export const name = text(nameLengthMax);
export const words = text(wordsLengthMax);
export const payloadText = text(payloadLengthMax);
export const copiedText = text(copiedLengthMax);

/** An int64 as a decimal string. */
export const int64 = v.pipe(v.string(), v.maxLength(20), v.regex(/^-?\d{1,19}$/, 'not an int64'));

export const partitionIndex = v.pipe(v.number(), v.integer(), v.minValue(0));
export const partitionIndexes = list(partitionIndex, partitionsMax);

/** Which cluster a panel looks at; `id` is the profile's, `name` is for people. */
export const clusterRef = v.object({ id: name, name, readOnly: v.boolean() });

/** An error in words for people: what failed, and what to do next. */
export const userError = v.object({ message: words, hint: v.optional(words) });
export type UserError = v.InferOutput<typeof userError>;

/** What is said, cut to what a contract carries: a decoder may quote all that it could not read. */
export function cutWords(said: string): string {
  return said.length > wordsLengthMax ? `${said.slice(0, wordsLengthMax - 1)}…` : said;
}

/** The beginning of a payload: some hundred bytes. */
const preview = text(10_000);

/** A key, value or header value as shown in a row: null, empty and text are three different things. */
export const payloadPreview = v.variant('kind', [
  v.object({ kind: v.literal('null') }),
  v.object({ kind: v.literal('empty') }),
  /** Valid UTF-8; `truncated` when `text` is only its beginning. */
  v.object({
    kind: v.literal('text'),
    text: preview,
    size: v.number(),
    truncated: v.boolean(),
  }),
  /** Not UTF-8: its first bytes in hex. */
  v.object({
    kind: v.literal('binary'),
    hex: preview,
    size: v.number(),
    truncated: v.boolean(),
  }),
]);
export type PayloadPreview = v.InferOutput<typeof payloadPreview>;

/** A whole key, value or header value: null, or its bytes in base64. */
export const payloadBytes = v.nullable(payloadText);

export const topicPartition = v.object({ topic: name, partition: partitionIndex });

/** A topic that a person can choose, with as much as is needed to list its partitions. */
export const topicChoice = v.object({ name, partitionCount: v.number() });
export type TopicChoice = v.InferOutput<typeof topicChoice>;
export const topicChoices = list(topicChoice, 1_000_000);
