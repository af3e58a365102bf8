/** What a row carries to where it is dropped. */
import { type DraggedRecord, recordMimeType } from '../../src/shared/contracts/recordDrag.ts';
import type { TailSetup } from '../../src/shared/contracts/tail.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';

/** Undefined: the row is no record, or none that can be read. */
export function draggedFrom(
  { cluster, topic }: TailSetup,
  { partition, offset, note, problem }: TailRow,
): Readonly<Record<string, string>> | undefined {
  if (note !== undefined || problem !== undefined) return undefined;
  const record: DraggedRecord = { cluster: cluster.id, topic, partition, offset };
  return {
    [recordMimeType]: JSON.stringify(record),
    // For an editor or a terminal.
    'text/plain': `${topic}/${partition}@${offset}`,
  };
}
