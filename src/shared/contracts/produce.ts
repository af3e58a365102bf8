/** The produce panel and its host. */
import * as v from 'valibot';
import { bringUp, clusterStatus } from './clusterStatus.ts';
import {
  clusterRef,
  copiedText,
  int64,
  list,
  name,
  partitionIndex,
  payloadText,
  text,
  topicChoices,
  userError,
  words,
} from './common.ts';

/** More headers than any client writes. */
const headersMax = 10_000;

/** What a person typed for a key, value or header value. */
export const payloadInput = v.variant('kind', [
  v.object({ kind: v.literal('null') }),
  v.object({ kind: v.picklist(['text', 'json', 'hex', 'base64']), text: payloadText }),
]);
export type PayloadInput = v.InferOutput<typeof payloadInput>;

/** A text area lays all of its text out at once, and a longer one would stop the window for seconds. */
const longestInForm = 1024 * 1024;

export function isTooLargeForForm(text: string): boolean {
  return text.length > longestInForm;
}

/** A payload that is too large for a form: the host keeps it, and the page only names it. */
const heldPayload = v.object({
  kind: v.literal('held'),
  id: text(100),
  sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type HeldPayload = v.InferOutput<typeof heldPayload>;

/** What a field of the page stands for. */
const formPayload = v.variant('kind', [payloadInput, heldPayload]);
export type FormPayload = v.InferOutput<typeof formPayload>;

/** Something wrong with a draft. */
export const draftProblem = v.object({
  /**
   * `topic`, `partition`, `timestamp`, `delivery`, `key`, `value`, or `headers.N.key`, `headers.N.value` with N from 0.
   */
  field: text(100),
  message: words,
});
export type DraftProblem = v.InferOutput<typeof draftProblem>;

/** Goes away without an edit, once somebody creates the topic or the partition. */
export function isOfDestination({ field }: DraftProblem): boolean {
  return field === 'topic' || field === 'partition';
}

export const produceDraft = v.object({
  topic: name,
  /** Null: chosen from the key as Java and kafkajs choose (murmur2), or at random without a key. */
  partition: v.nullable(partitionIndex),
  key: payloadInput,
  value: payloadInput,
  headers: list(
    v.object({
      key: payloadText,
      /** How the key is written; left out: as text. */
      keyForm: v.optional(v.picklist(['hex', 'base64'])),
      value: payloadInput,
    }),
    headersMax,
  ),
  /** Milliseconds since the epoch; null: the time of sending. */
  timestamp: v.optional(v.nullable(int64), null),
  acks: v.optional(v.picklist(['all', '1', '0']), 'all'),
  compression: v.optional(v.picklist(['none', 'gzip', 'snappy', 'lz4', 'zstd']), 'none'),
  /** Plain, idempotent, or in a transaction of its own that ends like this. The latter three need acks all. */
  delivery: v.optional(v.picklist(['plain', 'idempotent', 'commit', 'abort']), 'plain'),
  /** The record that it was made of, in words. */
  origin: v.exactOptional(words),
});
export type ProduceDraft = v.InferOutput<typeof produceDraft>;

/** A draft as the page has it: its host keeps a key or a value that is too large for a form. */
export const formDraft = v.object({
  ...produceDraft.entries,
  key: formPayload,
  value: formPayload,
});
export type FormDraft = v.InferOutput<typeof formDraft>;

/** A record to begin with. */
export function emptyDraft(topic: string, partition: number | null): ProduceDraft {
  return {
    topic,
    partition,
    key: { kind: 'null' },
    value: { kind: 'text', text: '' },
    headers: [],
    timestamp: null,
    acks: 'all',
    compression: 'none',
    delivery: 'plain',
  };
}

const draftProblems = list(draftProblem, 2 * headersMax + 100);

/** A draft as a template of many records. */
const templateOutlook = v.object({
  /** Fields that hold placeholders. */
  fields: list(draftProblem.entries.field, 2 * headersMax + 2),
  /** What keeps it from being sent many times. */
  problems: draftProblems,
});
export type TemplateOutlook = v.InferOutput<typeof templateOutlook>;

/** What will happen when a draft is sent. */
export const producePreview = v.object({
  /** Absent where the broker or chance decides: no partition chosen and no key. */
  partition: v.optional(partitionIndex),
  /** The partition that each kind of client would choose for the key; null: at random. */
  choices: list(
    v.object({ clients: words, hash: words, partition: v.nullable(partitionIndex) }),
    20,
  ),
  keySize: v.optional(v.number()),
  valueSize: v.optional(v.number()),
  /** The batch as it goes over the wire: its size, and its beginning in base64. Absent for a large record. */
  batch: v.optional(v.object({ size: v.number(), beginning: text(100_000) })),
  /** The same record by other tools, or why they cannot send it. */
  commands: list(
    v.object({ tool: words, text: v.optional(payloadText), problem: v.optional(words) }),
    20,
  ),
  /** What keeps it from being sent as it is. */
  problems: draftProblems,
  /** Absent where it holds no `{{…}}` for `sendMany` to fill in. */
  template: v.optional(templateOutlook),
  /** It can only be sent as a template: all of this but `problems` is of the first record that it makes. */
  isFirstOfMany: v.optional(v.boolean()),
});
export type ProducePreview = v.InferOutput<typeof producePreview>;

/** How many records to send, and how fast. */
export const manyOptions = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000_000)),
  /** Records a second; null: as fast as the cluster takes them. */
  perSecond: v.nullable(v.pipe(v.number(), v.minValue(0.1), v.maxValue(1_000_000))),
});
export type ManyOptions = v.InferOutput<typeof manyOptions>;

export const manyProgress = v.object({
  sent: v.number(),
  /** Null: not known before the file's end is read. */
  total: v.nullable(v.number()),
  perSecond: v.number(),
});
export type ManyProgress = v.InferOutput<typeof manyProgress>;

/** How sending many ended. */
export const manyResult = v.object({
  sent: v.number(),
  /** Lines of the file that are no record, the first of them in words. */
  skipped: v.number(),
  firstSkipped: v.optional(words),
  cancelled: v.boolean(),
  error: v.optional(userError),
});
export type ManyResult = v.InferOutput<typeof manyResult>;

export const produceSetup = v.object({
  cluster: clusterRef,
  topics: topicChoices,
  draft: formDraft,
  /** Counts the drafts that the panel was opened with: a page keeps what was written to one, not to another. */
  draftNumber: v.number(),
  /** Many are being sent already: the page that asked for it was hidden meanwhile. */
  sending: v.optional(manyProgress),
});
export type ProduceSetup = v.InferOutput<typeof produceSetup>;

export const sentRecord = v.object({
  topic: name,
  partition: partitionIndex,
  /** -1 where nobody has said it. */
  offset: int64,
  timestamp: int64,
});
export type SentRecord = v.InferOutput<typeof sentRecord>;

/** Of what was sent, so much is there again when a page is. */
export const sentKeptMax = 20;

/** What the panel keeps with `setState` and the host gets back when it restores the panel. */
export const produceState = v.object({
  panel: v.literal('produce'),
  cluster: clusterRef,
  draft: formDraft,
  draftNumber: v.optional(v.number(), 0),
  /** What is typed for sending many, as it is typed. */
  many: v.optional(v.object({ isOpen: v.boolean(), count: text(100), rate: text(100) })),
  /** What was sent last, newest first. */
  sent: v.optional(list(sentRecord, sentKeptMax), []),
});

/** Served by the host. */
export const produceHost = {
  ready: { params: v.object({}), result: produceSetup },
  /** What will happen, found without asking the cluster, and what is wrong with the draft. */
  preview: { params: formDraft, result: producePreview },
  send: {
    params: formDraft,
    result: v.object({
      sent: v.optional(sentRecord),
      error: v.optional(userError),
    }),
  },
  /** Keeps what of a draft is too large for a form; the draft then names it. */
  hold: { params: formDraft, result: formDraft },
  /** Sends the draft many times; `{{…}}` in it is filled in for each. Progress comes as notifications. */
  sendMany: {
    params: v.object({ draft: formDraft, options: manyOptions }),
    result: manyResult,
  },
  /** Asks for a file of JSON lines or CSV and sends its records to the topic. */
  sendFile: {
    params: v.object({ draft: formDraft, perSecond: manyOptions.entries.perSecond }),
    result: v.optional(manyResult),
  },
  /** Waits for the end of what `setup` said is being sent. */
  awaitMany: { params: v.object({}), result: v.optional(manyResult) },
  /** Ends what `sendMany` or `sendFile` has under way; those then answer how far they came. */
  cancelMany: { params: v.object({}), result: v.object({}) },
  /** What a template comes to for the first few records. */
  sample: {
    params: formDraft,
    result: v.object({ values: list(payloadText, 100), error: v.optional(userError) }),
  },
  /** Keeps the draft under a name that is asked for. */
  saveDraft: { params: formDraft, result: v.object({ saved: v.boolean() }) },
  /** Lets the person choose among what was kept; nothing chosen, nothing answered. */
  chooseDraft: { params: v.object({}), result: v.object({ draft: v.optional(formDraft) }) },
  /** The topics that there are now. */
  topics: { params: v.object({}), result: v.object({ topics: topicChoices }) },
  copy: { params: v.object({ text: copiedText }), result: v.object({}) },
  /** Opens the tail panel at a record. */
  openRecord: {
    params: v.object({ topic: name, partition: partitionIndex, offset: int64 }),
    result: v.object({}),
  },
  bringUp,
};

/** Served by the panel. */
export const produceView = {
  setup: { params: produceSetup },
  progress: { params: manyProgress },
  status: { params: clusterStatus },
};
