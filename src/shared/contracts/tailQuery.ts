/** What a tail is asked for: from where, in which scope, by which filter, of which time. */
import * as v from 'valibot';
import { seekLengthMax } from '../seek.ts';
import { filterLengthMax } from '../tailFilter.ts';
import { text } from './common.ts';

/** A seek expression, such as `latest` or `last 100`. */
export const seekText = text(seekLengthMax);

/** Which of the records in the log are read. */
export const tailScope = v.object({
  isolation: v.picklist(['read_uncommitted', 'read_committed']),
  /** Whether a transaction's end, a record of the broker's own, is a row. */
  markers: v.boolean(),
});
export type TailScope = v.InferOutput<typeof tailScope>;
export const defaultTailScope: TailScope = { isolation: 'read_uncommitted', markers: false };

/** What passes the filter, or what it failed on. */
export const filterShow = v.picklist(['matched', 'failed']);
export type FilterShow = v.InferOutput<typeof filterShow>;

export const filterText = text(filterLengthMax);

/** Times in milliseconds since the epoch, up to one that is not included. */
export const timeSpan = v.pipe(
  v.object({ fromMs: v.pipe(v.number(), v.finite()), toMs: v.pipe(v.number(), v.finite()) }),
  v.check(({ fromMs, toMs }) => fromMs < toMs, 'ends before it begins'),
);
export type TimeSpan = v.InferOutput<typeof timeSpan>;

export const sortBy = v.picklist(['time', 'partition', 'offset', 'key', 'value', 'size']);
export type SortBy = v.InferOutput<typeof sortBy>;

/** Another order of the rows than that of their arrival. */
export const tailOrder = v.object({ by: sortBy, descending: v.boolean() });
export type TailOrder = v.InferOutput<typeof tailOrder>;
