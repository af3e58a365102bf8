import * as v from 'valibot';
import { storedProfile } from '../connections/storedProfile.ts';

/** Of topics, connections and groups, which may be as long as a string of the protocol. */
const name = v.pipe(v.string(), v.maxLength(32_767));
const words = v.pipe(v.string(), v.maxLength(2000));
const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const int64 = v.pipe(v.string(), v.regex(/^-?\d{1,19}$/));

/** What is done, as data: its words are made where it is shown. Never what a record holds, never a secret. */
export const changeSchema = v.variant('kind', [
  v.object({
    kind: v.literal('createTopic'),
    topic: name,
    partitionCount: whole,
    replicationFactor: v.pipe(v.number(), v.integer(), v.minValue(-1)),
  }),
  v.object({ kind: v.literal('deleteTopics'), topics: v.array(name), count: whole }),
  v.object({ kind: v.literal('addPartitions'), topic: name, partitionCount: whole }),
  v.object({
    kind: v.literal('setConfig'),
    topic: name,
    config: name,
    before: v.nullable(words),
    value: v.nullable(words),
  }),
  v.object({ kind: v.literal('resetOffsets'), group: name, summary: words }),
  v.object({ kind: v.literal('deleteGroup'), group: name }),
  v.object({ kind: v.literal('removeMembers'), group: name }),
  v.object({
    kind: v.literal('produce'),
    topic: name,
    from: v.picklist(['form', 'template', 'file']),
  }),
  v.object({ kind: v.literal('replay'), topic: name }),
  v.object({ kind: v.literal('loadSample'), topic: name }),
  v.object({ kind: v.picklist(['startCluster', 'stopCluster', 'clusterFailed']) }),
  v.object({ kind: v.literal('advanceClock'), byMs: whole }),
  v.object({ kind: v.literal('runMaintenance'), tasks: v.array(name) }),
  v.object({ kind: v.picklist(['addConnection', 'editConnection', 'removeConnection']), name }),
  v.object({ kind: v.literal('exportRecords'), topic: name, file: words }),
  v.object({ kind: v.literal('exportOffsets'), group: name, file: words }),
]);
export type Change = v.InferOutput<typeof changeSchema>;
export type ChangeKind = Change['kind'];

export const changeKind = v.picklist(
  changeSchema.options.flatMap(({ entries: { kind } }): ChangeKind[] =>
    kind.type === 'picklist' ? [...kind.options] : [kind.literal],
  ),
);

/** A group's commit on a partition, before and after; null: there is none. */
const offsetChange = v.object({
  topic: name,
  partition: whole,
  before: v.nullable(int64),
  after: v.nullable(int64),
  problem: v.exactOptional(words),
});
export type OffsetChange = v.InferOutput<typeof offsetChange>;

/** What takes a change back. */
export const undoSchema = v.variant('kind', [
  /** Where the commits were, in the history of the group's resets. */
  v.object({ kind: v.literal('offsets'), clusterId: name, group: name, historyId: name }),
  /** The connection as it was; as it was left, where it is still there. */
  v.object({
    kind: v.literal('connection'),
    before: storedProfile,
    left: v.exactOptional(storedProfile),
  }),
]);
export type Undo = v.InferOutput<typeof undoSchema>;

/** What becomes known of a change while it runs. */
export const factsSchema = v.partial(
  v.object({
    /** Records so far, and in all where that is known. */
    progress: v.object({ done: whole, total: v.nullable(whole) }),
    /** Where the one record went. */
    place: v.object({ partition: whole, offset: int64 }),
    offsets: v.array(offsetChange),
    /** Partitions beyond those in `offsets`. */
    moreOffsets: whole,
    undo: undoSchema,
    /** The history's id of the commits that are all there again. */
    restores: name,
  }),
);
type Facts = v.InferOutput<typeof factsSchema>;
export type ChangeFacts = { readonly [K in keyof Facts]?: NonNullable<Facts[K]> };
/** Undefined takes a fact back. */
export type NewFacts = { readonly [K in keyof ChangeFacts]?: ChangeFacts[K] | undefined };
