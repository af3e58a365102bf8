/** How many rows of a tail are of which time. */
import * as v from 'valibot';
import { list } from './common.ts';

const counts = list(v.number(), 1000);

/** From the first of them up to a time that is not included. */
const beyond = v.object({ count: v.number(), fromMs: v.number(), toMs: v.number() });

/** How many rows are of which time: bins of one width, side by side. */
export const tailHistogram = v.object({
  fromMs: v.number(),
  binMs: v.number(),
  /** When the first and the last of those in the bins are from, or the span that is looked at alone. */
  firstMs: v.number(),
  lastMs: v.number(),
  /** All that are held. */
  all: counts,
  /** Those that the filter lets through, where there is one. */
  shown: v.optional(counts),
  /** Rows of times so far from all others that bins that hold them would show nothing of these. */
  earlier: v.optional(beyond),
  later: v.optional(beyond),
  /** Rows without a time. */
  untimed: v.number(),
});
export type TailHistogram = v.InferOutput<typeof tailHistogram>;
