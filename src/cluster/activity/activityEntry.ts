import * as v from 'valibot';
import type { Problem } from '../model.ts';
import {
  type ChangeFacts,
  changeKind,
  changeSchema,
  factsSchema,
  type NewFacts,
} from './change.ts';

/** `interrupted`: the window in which it ran is gone. */
const states = ['running', 'done', 'partly', 'failed', 'cancelled', 'interrupted'] as const;

const text = v.pipe(v.string(), v.maxLength(4000));
const time = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Begins with the time, so that names of files are in order of it. */
export const activityId = v.pipe(v.string(), v.regex(/^\d{15}-[\w-]{1,64}$/));

export const activityEntry = v.object({
  version: v.literal(1),
  id: activityId,
  /** Of the process that ran it. */
  pid: v.number(),
  startedAtMs: time,
  endedAtMs: v.exactOptional(time),
  state: v.picklist(states),
  cluster: v.object({ id: text, name: text }),
  change: changeSchema,
  facts: factsSchema,
  problem: v.exactOptional(v.object({ message: text, hint: v.exactOptional(text) })),
  /** The id of the undo. */
  undoneBy: v.exactOptional(activityId),
  undoes: v.exactOptional(
    v.object({
      id: activityId,
      kind: v.exactOptional(changeKind),
      title: text,
      isRedo: v.exactOptional(v.boolean()),
    }),
  ),
});
export type ActivityEntry = Omit<v.InferOutput<typeof activityEntry>, 'facts'> & {
  readonly facts: ChangeFacts;
};

/** Partitions that an entry names. An undo knows all of them, from the history of resets. */
export const offsetsKept = 500;

/** Facts that became known, added to those that were. */
export function withFacts(known: ChangeFacts, added: NewFacts): ChangeFacts {
  const { offsets } = added;
  const bounded =
    offsets && offsets.length > offsetsKept
      ? { offsets: offsets.slice(0, offsetsKept), moreOffsets: offsets.length - offsetsKept }
      : {};
  const facts = Object.entries({ ...known, ...added, ...bounded });
  return Object.fromEntries(facts.filter(([, fact]) => fact !== undefined));
}

/** How a change ended that threw nothing: a group's partitions may each have been refused. */
export function endOf({ offsets = [] }: ChangeFacts): Pick<ActivityEntry, 'state' | 'problem'> {
  const [first, ...more] = offsets.flatMap(({ problem }) => problem ?? []);
  if (first === undefined) return { state: 'done' };
  const isAll = more.length + 1 === offsets.length;
  return { state: isAll ? 'failed' : 'partly', problem: problemOf({ message: first }) };
}

export function problemOf({ message, hint }: Problem): NonNullable<ActivityEntry['problem']> {
  const short = (words: string): string => words.slice(0, 2000);
  return { message: short(message), ...(hint !== undefined && { hint: short(hint) }) };
}

/** Whether something is kept that takes it back, and nobody has. */
export function isUndoable({ state, facts, undoneBy }: ActivityEntry): boolean {
  return facts.undo !== undefined && undoneBy === undefined && state !== 'running';
}
