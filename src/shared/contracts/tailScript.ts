/** A filter's thread, which runs people's expressions, and the worker that started it. */
import * as v from 'valibot';

/** Served by the filter's thread. */
export const tailScript = {
  /** Compiles an expression, which is then in force. Answers with what is wrong with it, if anything. */
  compile: {
    params: v.object({ source: v.string() }),
    result: v.object({ problem: v.optional(v.string()) }),
  },
  /**
   * Judges records (JSON, see `scriptRecord`), as many as the time allows and one at least. True, false,
   * or why it failed.
   */
  judge: {
    params: v.object({ records: v.string() }),
    result: v.object({
      verdicts: v.array(v.union([v.boolean(), v.string()])),
      /** The first of them took all the time there is. */
      tookTooLong: v.boolean(),
    }),
  },
};

/** A record for an expression: only the fields that it names. Text is UTF-8; int64 is a decimal string. */
export interface ScriptRecord {
  key?: string | null;
  value?: string | null;
  headers?: readonly { readonly key: string; readonly value: string | null }[];
  offset?: string;
  partition?: number;
  timestamp?: string;
}

export const scriptFields = [
  'key',
  'value',
  'headers',
  'offset',
  'partition',
  'timestamp',
] as const satisfies readonly (keyof ScriptRecord)[];
