/** What a person made of the rows, over the time that the tab is left. Nothing here touches the page. */
import type {
  GroupSnapshot,
  OffsetsState,
  ResetScenario,
} from '../../src/shared/contracts/offsets.ts';
import { keyOf, type OffsetRow, withTopic } from './model.ts';

/** Of a file, so many are kept while the tab is left: the state of a page is written at every change. */
const KEPT_OFFSETS_MAX = 5000;

type KeptRows = Pick<OffsetsState, 'topics' | 'rows'>;

export function keptOf(rows: readonly OffsetRow[], group: GroupSnapshot): KeptRows {
  const own = new Set(group.partitions.map(({ topic }) => topic));
  return {
    topics: [...new Set(rows.map(({ topic }) => topic))].filter((topic) => !own.has(topic)),
    rows: rows
      .filter(({ selected, edited }) => !selected || edited !== undefined)
      .map(({ topic, partition, selected, edited }) => {
        return { topic, partition, selected, ...(edited !== undefined && { edited }) };
      }),
  };
}

/** The content of a large file is read again from the file. */
export function isKept(chosen: ResetScenario | undefined): boolean {
  return chosen?.kind !== 'offsets' || chosen.offsets.length <= KEPT_OFFSETS_MAX;
}

/** Makes of the rows what a person had made of them. */
export function withKept(
  rows: readonly OffsetRow[],
  kept: KeptRows,
  partitionCounts: ReadonlyMap<string, number>,
): OffsetRow[] {
  const all = kept.topics.reduce<OffsetRow[]>(
    (before, topic) => withTopic(before, topic, partitionCounts.get(topic) ?? 0),
    [...rows],
  );
  const byKey = new Map(all.map((row) => [keyOf(row), row]));
  for (const { selected, edited, ...of } of kept.rows) {
    const row = byKey.get(keyOf(of));
    if (row) Object.assign(row, { selected, edited });
  }
  return all;
}
