/** A filter's thread, which runs people's expressions, and the worker that started it. */
import * as v from 'valibot';

/**
 * Records for an expression, many in one call: all their text one after the other, and numbers that say how it is
 * cut. Of each record, in the order of `scriptFields`, only the fields that the expression names: a length of text
 * for key and value, -1 for null, or less before properties that were picked from it; of headers their count, and two
 * lengths for each; the offset and the timestamp themselves, as a string where a JavaScript number cannot hold them;
 * the partition.
 */
export const scriptRecords = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  texts: v.string(),
  /** A JSON array. */
  cuts: v.string(),
});
export type ScriptRecords = v.InferOutput<typeof scriptRecords>;

/** Served by the filter's thread. */
export const tailScript = {
  /** Compiles an expression, which is then in force. Answers with what is wrong with it, if anything. */
  compile: {
    params: v.object({ source: v.string() }),
    result: v.object({ problem: v.optional(v.string()) }),
  },
  /** Judges records, as many as the time allows and one at least. */
  judge: {
    params: scriptRecords,
    result: v.object({
      /** A JSON array, as the expression's surroundings wrote it: true, false, or why it failed. */
      verdicts: v.string(),
      /** The first of them took all the time there is. */
      tookTooLong: v.boolean(),
    }),
  },
};

/** What is in an answer's verdicts. */
export const scriptVerdicts = v.array(v.union([v.boolean(), v.string()]));

export const scriptFields = [
  'key',
  'value',
  'headers',
  'offset',
  'partition',
  'timestamp',
] as const;
export type ScriptField = (typeof scriptFields)[number];

/** A word of the expression is enough: a field that is passed for nothing costs a little time. */
export function fieldsNamedIn(source: string): ScriptField[] {
  return scriptFields.filter((field) => new RegExp(`\\b${field}\\b`).test(source));
}
