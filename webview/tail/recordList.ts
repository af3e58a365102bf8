/** The list of a tail's records. */
import { t } from '../../src/base/l10n.ts';
import type { TailColumn } from '../../src/shared/contracts/tailColumns.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { setAttribute, setText } from '../kit/dom.ts';
import { formatInt64, formatSize, groupThousands, showPayload } from '../kit/format.ts';
import { VirtualList, type VirtualListOptions } from '../kit/virtualList.ts';
import { listColumns, shownColumns } from './columns.ts';
import { recordTime } from './recordTime.ts';

type Options = Pick<
  VirtualListOptions,
  'onView' | 'onSelect' | 'onOpen' | 'onFollow' | 'onResize' | 'onSort' | 'onEscape' | 'dragged'
> & {
  /** The record of a row; undefined while it is not here yet. */
  readonly record: (row: number) => TailRow | undefined;
  readonly columns: () => readonly TailColumn[];
  /** A row is of another day than today, and says which. */
  readonly onDay: () => void;
};

export function recordList(options: Options): VirtualList {
  return new VirtualList({
    ...options,
    label: t('Records, oldest first'),
    columns: listColumns(options.columns(), { hasDays: false }),
    renderRow: (cells, row, element) => {
      const record = options.record(row);
      const columns = shownColumns(options.columns());
      setAttribute(element, 'aria-busy', record ? undefined : true);
      const said = record && saidBy(record);
      element.classList.toggle('says', said !== undefined);
      if (record && said !== undefined) renderSaid(cells, columns, { record, said });
      else if (record) renderRecord(cells, columns, { record, onDay: options.onDay });
      else renderMissing(cells);
    },
  });
}

/** What a row says that is no record, or none that can be read. */
function saidBy({ note, problem }: TailRow): string | undefined {
  return note ?? (problem && t('This batch could not be read: {0}', problem));
}

const PLACE_KINDS = new Set<TailColumn['kind']>(['time', 'partition', 'offset']);

/** From the first column behind the place of the row to the end. */
function renderSaid(
  cells: readonly HTMLElement[],
  columns: readonly TailColumn[],
  { record, said }: { readonly record: TailRow; readonly said: string },
): void {
  renderMissing(cells);
  const found = columns.findIndex(({ kind }) => !PLACE_KINDS.has(kind));
  const place = found < 0 ? columns.length - 1 : found;
  columns.forEach(({ kind }, index) => {
    const cell = cells[index];
    if (!cell) return;
    if (kind === 'partition') setText(cell, groupThousands(record.partition));
    if (kind === 'offset') setText(cell, formatInt64(record.offset));
    if (index !== place) return;
    cell.classList.add('said');
    // Both lines have to be named: an item with an end alone is one track wide.
    cell.style.gridColumn = `${place + 1} / -1`;
    setText(cell, said);
    cell.title = said;
    setAttribute(cell, 'data-kind', record.problem === undefined ? 'note' : 'problem');
  });
}

function renderMissing(cells: readonly HTMLElement[]): void {
  for (const cell of cells) {
    setText(cell, '');
    clear(cell);
  }
}

function clear(cell: HTMLElement): void {
  cell.classList.remove('said');
  cell.style.gridColumn = '';
  for (const name of ['title', 'data-kind', 'data-transaction']) cell.removeAttribute(name);
}

function renderRecord(
  cells: readonly HTMLElement[],
  columns: readonly TailColumn[],
  { record, onDay }: { readonly record: TailRow; readonly onDay: () => void },
): void {
  let part = 0;
  columns.forEach((column, index) => {
    const cell = cells[index];
    if (!cell) return;
    clear(cell);
    if (column.kind === 'header' || column.kind === 'json') {
      renderPart(cell, record.parts?.[part++]);
    } else if (column.kind === 'time') {
      if (renderTime(cell, record.timestamp)) onDay();
    } else {
      renderers[column.kind](cell, record);
    }
  });
}

/** Whether it says the day. */
function renderTime(cell: HTMLElement, timestamp: string): boolean {
  const { text, hasDay, title } = recordTime(timestamp, Date.now());
  setText(cell, text);
  cell.title = title;
  return hasDay;
}

const renderers: Readonly<
  Record<
    Exclude<TailColumn['kind'], 'time' | 'header' | 'json'>,
    (cell: HTMLElement, row: TailRow) => void
  >
> = {
  partition: (cell, { partition }) => setText(cell, groupThousands(partition)),
  offset: (cell, { offset }) => setText(cell, formatInt64(offset)),
  key: (cell, { key }) => {
    renderPayload(cell, key, t('null'));
    cell.title = cell.textContent;
  },
  value: renderValue,
  headers: (cell, { headerCount }) => setText(cell, groupThousands(headerCount)),
  size: (cell, { size }) => {
    setText(cell, groupThousands(size));
    cell.title = t('{0} of key, value and headers', formatSize(size));
  },
};

function renderValue(cell: HTMLElement, { value, failure, transaction }: TailRow): void {
  renderPayload(cell, value, t('null (tombstone)'));
  if (failure !== undefined) {
    setText(cell, t('the filter failed: {0}', failure));
    cell.title = failure;
    setAttribute(cell, 'data-kind', 'problem');
  }
  if (transaction !== 'open' && transaction !== 'aborted') return;
  const state = transaction === 'open' ? t('open') : t('aborted');
  setText(cell, `${state} · ${cell.textContent}`);
  setAttribute(cell, 'data-transaction', transaction);
}

/** What a record has none of stays blank: null is something else. */
function renderPart(cell: HTMLElement, part: TailRow['key'] | null | undefined): void {
  if (!part) {
    setText(cell, '');
    return;
  }
  renderPayload(cell, part, t('null'));
  cell.title = cell.textContent;
}

function renderPayload(cell: HTMLElement, payload: TailRow['key'], meaningOfNull: string): void {
  const shown = showPayload(payload, meaningOfNull);
  setText(cell, shown.text);
  setAttribute(cell, 'data-kind', shown.kind);
}
