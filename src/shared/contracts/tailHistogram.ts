/** How many rows of a tail are of which time. */
import * as v from 'valibot';
import { list } from './common.ts';

const counts = list(v.number(), 1000);

/** How many rows are of which time: bins of one width, side by side. */
export const tailHistogram = v.object({
  fromMs: v.number(),
  binMs: v.number(),
  /** All that are held. */
  all: counts,
  /** Those that the filter lets through, where there is one. */
  shown: v.optional(counts),
  /** Rows without a time. */
  untimed: v.number(),
});
export type TailHistogram = v.InferOutput<typeof tailHistogram>;
