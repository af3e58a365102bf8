/** The list of a tail's records. */
import type { TailRow } from '../../src/shared/contracts/tail.ts';
import { setAttribute, setText } from '../kit/dom.ts';
import { formatInt64, formatTimestamp, groupThousands, showPayload } from '../kit/format.ts';
import { VirtualList, type VirtualListOptions } from '../kit/virtualList.ts';

const COLUMNS = [
  { title: 'Time', class: 'time' },
  { title: 'P', class: 'partition number' },
  { title: 'Offset', class: 'offset number' },
  { title: 'Key', class: 'key' },
  { title: 'Value', class: 'value' },
  { title: 'Headers', class: 'headers number' },
] as const;

type Options = Pick<VirtualListOptions, 'onView' | 'onSelect' | 'onOpen' | 'onFollow'> & {
  /** The record of a row; undefined while it is not here yet. */
  readonly record: (row: number) => TailRow | undefined;
};

export function recordList(options: Options): VirtualList {
  return new VirtualList({
    ...options,
    label: 'Records, oldest first',
    columns: COLUMNS,
    renderRow: (cells, row, element) => {
      const record = options.record(row);
      setAttribute(element, 'aria-busy', record ? undefined : true);
      if (record) renderRecord(cells, record);
      else renderMissing(cells);
    },
  });
}

function renderMissing(cells: readonly HTMLElement[]): void {
  for (const cell of cells) {
    setText(cell, '');
    cell.removeAttribute('title');
  }
}

function renderRecord(cells: readonly HTMLElement[], record: TailRow): void {
  const [time, partition, offset, key, value, headers] = cells;
  if (!time || !partition || !offset || !key || !value || !headers) return;
  const { short, long } = formatTimestamp(record.timestamp);
  setText(time, short);
  time.title = long;
  setText(partition, groupThousands(record.partition));
  setText(offset, formatInt64(record.offset));
  renderPayload(key, record.key, 'null');
  renderPayload(value, record.value, 'null (tombstone)');
  setText(headers, groupThousands(record.headerCount));
}

function renderPayload(cell: HTMLElement, payload: TailRow['key'], meaningOfNull: string): void {
  const shown = showPayload(payload, meaningOfNull);
  setText(cell, shown.text);
  setAttribute(cell, 'data-kind', shown.kind);
}
