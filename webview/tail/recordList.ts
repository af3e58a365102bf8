/** The list of a tail's records. */
import { t } from '../../src/base/l10n.ts';
import type { TailColumn } from '../../src/shared/contracts/tailColumns.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { setAttribute, setText } from '../kit/dom.ts';
import { dayOf, formatInt64, formatSize, groupThousands, showPayload } from '../kit/format.ts';
import { VirtualList, type VirtualListOptions } from '../kit/virtualList.ts';
import { listColumns } from './columns.ts';
import { shownColumns } from './fittingColumns.ts';
import { recordTime } from './recordTime.ts';

type Options = Pick<
  VirtualListOptions,
  'onView' | 'onSelect' | 'onOpen' | 'onFollow' | 'onResize' | 'onSort' | 'onEscape' | 'dragged'
> & {
  /** The record of a row; undefined while it is not here yet. */
  readonly record: (row: number) => TailRow | undefined;
  readonly columns: () => readonly TailColumn[];
  /** Whether there is room for all of the day of a record. */
  readonly hasRoomForDays: () => boolean;
  /** A row is of another day than today, and says which. */
  readonly onDay: () => void;
};

type DayOptions = Pick<Options, 'onDay' | 'hasRoomForDays'>;

/** What the cells of a row were filled with: where that is as it was they are left alone. */
interface Drawn {
  readonly record: TailRow | undefined;
  readonly columns: readonly TailColumn[];
  readonly day: string;
}

export function recordList(options: Options): VirtualList {
  const drawn = new WeakMap<HTMLElement, Drawn>();
  return new VirtualList({
    ...options,
    label: t('Records, oldest first'),
    columns: listColumns(options.columns(), { hasDays: false }),
    renderRow: (cells, row, element) => {
      const now: Drawn = {
        record: options.record(row),
        columns: options.columns(),
        day: dayOf(new Date()),
      };
      const was = drawn.get(element);
      if (was && isSame(was, now)) return;
      drawn.set(element, now);
      draw(cells, element, now, options);
    },
  });
}

function isSame(was: Drawn, now: Drawn): boolean {
  return was.record === now.record && was.columns === now.columns && was.day === now.day;
}

function draw(
  cells: readonly HTMLElement[],
  element: HTMLElement,
  { record, columns }: Drawn,
  options: DayOptions,
): void {
  const shown = shownColumns(columns);
  setAttribute(element, 'aria-busy', record ? undefined : true);
  const said = record && saidBy(record);
  if (!record || said !== undefined || element.classList.contains('says')) blank(cells);
  element.classList.toggle('says', said !== undefined);
  if (record && said !== undefined) renderSaid(cells, shown, { record, said });
  else if (record) renderRecord(cells, shown, record, options);
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

function blank(cells: readonly HTMLElement[]): void {
  for (const cell of cells) {
    setText(cell, '');
    cell.classList.remove('said');
    cell.style.gridColumn = '';
    for (const name of ['title', 'data-kind', 'data-transaction']) cell.removeAttribute(name);
  }
}

/** Sets whatever another record may have left in a cell. */
function renderRecord(
  cells: readonly HTMLElement[],
  columns: readonly TailColumn[],
  record: TailRow,
  { onDay, hasRoomForDays }: DayOptions,
): void {
  let part = 0;
  columns.forEach((column, index) => {
    const cell = cells[index];
    if (!cell) return;
    if (column.kind === 'header' || column.kind === 'json') {
      renderPart(cell, record.parts?.[part++]);
    } else if (column.kind === 'time') {
      if (renderTime(cell, record.timestamp, hasRoomForDays())) onDay();
    } else {
      renderers[column.kind](cell, record);
    }
  });
}

/** Whether it says the day. */
function renderTime(cell: HTMLElement, timestamp: string, hasRoom: boolean): boolean {
  const { text, brief, hasDay, title } = recordTime(timestamp, Date.now());
  write(cell, hasRoom ? text : brief);
  cell.title = title;
  return hasDay;
}

const renderers: Readonly<
  Record<
    Exclude<TailColumn['kind'], 'time' | 'header' | 'json'>,
    (cell: HTMLElement, row: TailRow) => void
  >
> = {
  partition: (cell, { partition }) => write(cell, groupThousands(partition)),
  offset: (cell, { offset }) => write(cell, formatInt64(offset)),
  key: (cell, { key }) => renderPayload(cell, key, t('null')),
  value: renderValue,
  headers: (cell, { headerCount }) => write(cell, groupThousands(headerCount)),
  size: (cell, { size }) => {
    write(cell, groupThousands(size));
    cell.title = t('{0} of key, value and headers', formatSize(size));
  },
};

function renderValue(cell: HTMLElement, { value, failure, transaction }: TailRow): void {
  const shown = showPayload(value, t('null (tombstone)'));
  const text = failure === undefined ? shown.text : t('the filter failed: {0}', failure);
  const isMarked = transaction === 'open' || transaction === 'aborted';
  const state = transaction === 'open' ? t('open') : t('aborted');
  write(cell, isMarked ? `${state} · ${text}` : text);
  setAttribute(cell, 'title', failure);
  setAttribute(cell, 'data-kind', failure === undefined ? shown.kind : 'problem');
  setAttribute(cell, 'data-transaction', isMarked ? transaction : undefined);
}

/** What a record has none of stays blank: null is something else. */
function renderPart(cell: HTMLElement, part: TailRow['key'] | null | undefined): void {
  if (part) renderPayload(cell, part, t('null'));
  else blank([cell]);
}

function renderPayload(cell: HTMLElement, payload: TailRow['key'], meaningOfNull: string): void {
  const { text, kind } = showPayload(payload, meaningOfNull);
  write(cell, text);
  cell.title = text;
  setAttribute(cell, 'data-kind', kind);
}

/** Into the text that is there, which keeps its place in the layout. */
function write(cell: HTMLElement, text: string): void {
  const { firstChild } = cell;
  if (!(firstChild instanceof Text)) setText(cell, text);
  else if (firstChild.data !== text) firstChild.data = text;
}
