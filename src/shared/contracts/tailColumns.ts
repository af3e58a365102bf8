/** The columns of a tail's list. */
import * as v from 'valibot';
import { list } from './common.ts';
import { headerPart, jsonPart } from './tailRows.ts';

const columnLook = {
  width: v.optional(v.pipe(v.number(), v.minValue(24), v.maxValue(2000))),
  hidden: v.optional(v.boolean()),
};
const columnId = v.variant('kind', [
  v.object({
    kind: v.picklist(['time', 'partition', 'offset', 'key', 'value', 'headers', 'size']),
    ...columnLook,
  }),
  v.object({ ...headerPart.entries, ...columnLook }),
  v.object({ ...jsonPart.entries, ...columnLook }),
]);
/** The columns from left to right; the widths that were not chosen are the panel's. */
export const tailColumns = list(columnId, 17);
export type TailColumn = v.InferOutput<typeof columnId>;
