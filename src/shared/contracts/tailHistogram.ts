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
  /** Rows of times so far from all others that bins that hold them would show nothing of these; and how far. */
  earlier: v.optional(v.object({ count: v.number(), fromMs: v.number() })),
  later: v.optional(v.object({ count: v.number(), toMs: v.number() })),
  /** Rows without a time. */
  untimed: v.number(),
});
export type TailHistogram = v.InferOutput<typeof tailHistogram>;
