/** The partitions of a group with their lag. */
import { t } from '../../src/base/l10n.ts';
import type { Isolation, LagPartition, ReadablePartition } from '../../src/shared/contracts/lag.ts';
import { setAttribute, setText } from '../kit/dom.ts';
import { formatInt64, groupThousands } from '../kit/format.ts';
import { VirtualList } from '../kit/virtualList.ts';
import { endOf, keyOf, lagOf } from './model.ts';
import { noteOf, rateWords, timeWords } from './words.ts';

export interface ListedRow {
  readonly row: LagPartition;
  readonly readable: ReadablePartition | undefined;
}

/** When the figures are of, and the end that they are counted to. */
export interface SampledAt {
  readonly atMs: number;
  readonly isolation: Isolation;
}

export interface PartitionList {
  readonly element: HTMLElement;
  /** The key of the row that is looked at. */
  readonly selected: string | undefined;
  setRows(rows: readonly ListedRow[], at: SampledAt): void;
  select(key: string): void;
}

const columns = () => [
  { title: t('Topic'), class: 'topic' },
  { title: t('P'), class: 'number' },
  { title: t('Committed'), class: 'number' },
  { title: t('End'), class: 'number' },
  { title: t('Lag'), class: 'number lag' },
  { title: t('Behind'), class: 'number' },
  { title: t('To read'), class: 'number' },
  { title: t('Produced/s'), class: 'number' },
  { title: t('Consumed/s'), class: 'number' },
  { title: t('Member'), class: 'member' },
  { title: t('Note'), class: 'note' },
];

export function partitionList(options: {
  readonly onSelect: (row: LagPartition) => void;
  readonly onOpen: (row: LagPartition) => void;
}): PartitionList {
  let rows: readonly ListedRow[] = [];
  let at: SampledAt = { atMs: 0, isolation: 'read_uncommitted' };
  let selected: string | undefined;
  const list = new VirtualList({
    label: t('Partitions'),
    columns: columns(),
    renderRow: (cells, index, element) => {
      const listed = rows[index];
      if (listed) renderRow(cells, element, listed, at);
    },
    onView: () => undefined,
    onFollow: () => undefined,
    onSelect: (index) => {
      const row = rows[index]?.row;
      if (!row) return;
      selected = keyOf(row);
      options.onSelect(row);
    },
    onOpen: (index) => {
      const row = rows[index]?.row;
      if (row) options.onOpen(row);
    },
  });
  const indexOf = (key: string | undefined): number =>
    rows.findIndex(({ row }) => keyOf(row) === key);
  return {
    element: list.element,
    get selected() {
      return selected;
    },
    select: (key) => {
      const index = indexOf(key);
      if (index >= 0) list.select(index);
    },
    setRows: (next, sampledAt) => {
      const wasEmpty = rows.length === 0;
      [rows, at] = [next, sampledAt];
      list.setRows(0, rows.length);
      shareWidth(list.element, rows, at.isolation);
      const index = indexOf(selected);
      // Rows come and go: what is looked at stays the same partition.
      if (index !== list.selected) list.select(Math.max(index, 0));
      if (wasEmpty && rows.length > 0) list.element.scrollTop = 0;
    },
  };
}

/** Of so many rows the words are measured. */
const measuredRows = 200;
const lettersPerShare = 15;

/** What is left of the width goes to the member and the note by what they have to say. */
function shareWidth(element: HTMLElement, rows: readonly ListedRow[], isolation: Isolation): void {
  const measured = rows.slice(0, measuredRows);
  const share = (words: readonly string[]): string => {
    const letters = Math.min(60, Math.max(6, ...words.map(({ length }) => length)));
    return `${(letters / lettersPerShare).toFixed(1)}fr`;
  };
  const notes = measured.map(({ row }) => noteOf(row, isolation)?.text ?? '');
  element.style.setProperty('--member-share', share(measured.map(({ row }) => memberWords(row))));
  element.style.setProperty('--note-share', share(notes));
  element.classList.toggle('with-notes', notes.some(Boolean));
}

function renderRow(
  cells: readonly HTMLElement[],
  element: HTMLElement,
  { row, readable }: ListedRow,
  { isolation, atMs }: SampledAt,
): void {
  const lag = lagOf(row, isolation);
  const end = endOf(row, isolation);
  const time = timeWords(row.time, atMs);
  const note = noteOf(row, isolation);
  const figures: (readonly [text: string, title?: string | undefined])[] = [
    [row.topic, row.topic],
    [groupThousands(row.partition)],
    [row.committed === null ? t('no commit') : formatInt64(row.committed)],
    [end === undefined ? '–' : formatInt64(end.toString())],
    [lag === undefined ? '–' : formatInt64(lag.toString())],
    [lag === undefined ? '–' : time.short, time.long],
    [readableFigure(row, lag, readable)],
    [rateWords(row.rates.produced)],
    [rateWords(row.rates.consumed)],
    [memberWords(row), memberTitle(row)],
    [note?.text ?? '', note?.text],
  ];
  for (const [index, cell] of cells.entries()) {
    const [text, title] = figures[index] ?? [''];
    setText(cell, text);
    setAttribute(cell, 'title', title);
  }
  setAttribute(element, 'data-note', note?.kind);
}

/** Nothing to look at is nothing to read. */
function readableFigure(
  row: LagPartition,
  lag: bigint | undefined,
  readable: ReadablePartition | undefined,
): string {
  if (lag !== undefined && lag <= 0n) return '0';
  if (!readable || readable.error || readable.committed !== row.committed) return '–';
  const records = formatInt64(readable.records);
  const isWhole = readable.unread === '0' && readable.end === row.end;
  return isWhole ? records : `≥ ${records}`;
}

function memberTitle(row: LagPartition): string | undefined {
  return row.member && `${memberWords(row)} (${row.member.memberId})`;
}

function memberWords({ member, served }: LagPartition): string {
  if (!member) return '–';
  const who = `${member.clientId || member.memberId} ${member.host.replace(/^\//, '')}`;
  return served === undefined ? who : t('{0}, served to {1}', who, formatInt64(served));
}
