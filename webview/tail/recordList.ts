/** The list of a tail's records. */
import { t } from '../../src/base/l10n.ts';
import type { TailRow } from '../../src/shared/contracts/tail.ts';
import { setAttribute, setText } from '../kit/dom.ts';
import { formatInt64, formatTimestamp, groupThousands, showPayload } from '../kit/format.ts';
import { VirtualList, type VirtualListOptions } from '../kit/virtualList.ts';

const COLUMNS = [
  { title: t('Time'), class: 'time' },
  { title: t('P'), class: 'partition number' },
  { title: t('Offset'), class: 'offset number' },
  { title: t('Key'), class: 'key' },
  { title: t('Value'), class: 'value' },
  { title: t('Headers'), class: 'headers number' },
] as const;

type Options = Pick<VirtualListOptions, 'onView' | 'onSelect' | 'onOpen' | 'onFollow'> & {
  /** The record of a row; undefined while it is not here yet. */
  readonly record: (row: number) => TailRow | undefined;
};

export function recordList(options: Options): VirtualList {
  return new VirtualList({
    ...options,
    label: t('Records, oldest first'),
    columns: COLUMNS,
    renderRow: (cells, row, element) => {
      const record = options.record(row);
      setAttribute(element, 'aria-busy', record ? undefined : true);
      element.classList.toggle('says', record?.note !== undefined || record?.problem !== undefined);
      if (record) renderRow(cells, record);
      else renderMissing(cells);
    },
  });
}

function renderRow(cells: readonly HTMLElement[], row: TailRow): void {
  const said = row.note ?? (row.problem && t('This batch could not be read: {0}', row.problem));
  if (said === undefined) renderRecord(cells, row);
  else renderSaid(cells, row, said);
}

/** A row that says something, from the key's column to the end. */
function renderSaid(cells: readonly HTMLElement[], row: TailRow, said: string): void {
  renderMissing(cells);
  const [, partition, offset, key] = cells;
  if (!partition || !offset || !key) return;
  setText(partition, groupThousands(row.partition));
  setText(offset, formatInt64(row.offset));
  setText(key, said);
  key.title = said;
  setAttribute(key, 'data-kind', row.problem === undefined ? 'note' : 'problem');
}

function renderMissing(cells: readonly HTMLElement[]): void {
  for (const cell of cells) {
    setText(cell, '');
    cell.removeAttribute('title');
    cell.removeAttribute('data-kind');
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
  renderPayload(value, record.value, t('null (tombstone)'));
  if (record.failure !== undefined) {
    setText(value, t('the filter failed: {0}', record.failure));
    setAttribute(value, 'data-kind', 'problem');
  }
  const { transaction } = record;
  const isMarked = transaction === 'open' || transaction === 'aborted';
  if (isMarked) setText(value, `${transaction} · ${value.textContent}`);
  setAttribute(value, 'data-transaction', isMarked ? transaction : undefined);
  key.removeAttribute('title');
  setText(headers, groupThousands(record.headerCount));
}

function renderPayload(cell: HTMLElement, payload: TailRow['key'], meaningOfNull: string): void {
  const shown = showPayload(payload, meaningOfNull);
  setText(cell, shown.text);
  setAttribute(cell, 'data-kind', shown.kind);
}
