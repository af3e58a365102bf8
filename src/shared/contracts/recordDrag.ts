/** What a row of a tail carries when it is dragged: where its record is, so that every byte of it arrives. */
import * as v from 'valibot';
import { int64, name, partitionIndex } from './common.ts';

export const recordMimeType = 'application/vnd.kafka-workbench.record';

export const draggedRecord = v.object({
  /** The connection's id. */
  cluster: name,
  topic: name,
  partition: partitionIndex,
  offset: int64,
});
export type DraggedRecord = v.InferOutput<typeof draggedRecord>;

/** Whatever dropped it, it may be anything. */
export function readDraggedRecord(text: string): DraggedRecord | undefined {
  try {
    const parsed = v.safeParse(draggedRecord, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
