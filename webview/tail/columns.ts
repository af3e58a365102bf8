/** The columns of the list of records: which there are, in which order, how wide. */
import { t } from '../../src/base/l10n.ts';
import type { TailColumn } from '../../src/shared/contracts/tailColumns.ts';
import type { SortBy, TailOrder } from '../../src/shared/contracts/tailQuery.ts';
import type { RowPart } from '../../src/shared/contracts/tailRows.ts';
import { shownColumns } from './fittingColumns.ts';
import type { ListColumn } from '../kit/listHeader.ts';

export const DEFAULT_COLUMNS: readonly TailColumn[] = [
  { kind: 'time' },
  { kind: 'partition' },
  { kind: 'offset' },
  { kind: 'key' },
  { kind: 'value' },
  { kind: 'headers' },
  { kind: 'size', hidden: true },
];

const WIDTH_MIN = 24;
const WIDTH_MAX = 2000;

export function columnTitle(column: TailColumn): string {
  switch (column.kind) {
    case 'time':
      return t('Time');
    case 'partition':
      return t('P');
    case 'offset':
      return t('Offset');
    case 'key':
      return t('Key');
    case 'value':
      return t('Value');
    case 'headers':
      return t('Headers');
    case 'size':
      return t('Size');
    case 'header':
      return column.name;
    case 'json':
      return `.${column.path}`;
  }
}

/** In the box a letter would say too little. */
export function columnName(column: TailColumn): string {
  if (column.kind === 'partition') return t('Partition');
  if (column.kind === 'header') return t('Header {0}', column.name);
  if (column.kind === 'json') return t('JSON {0}', `.${column.path}`);
  return columnTitle(column);
}

const TRACKS: Readonly<Record<TailColumn['kind'], string>> = {
  time: 'calc(12ch + 13px)',
  partition: 'calc(4ch + 16px)',
  offset: 'calc(11ch + 12px)',
  key: 'clamp(90px, 13vw, 17ch)',
  value: 'minmax(180px, 1fr)',
  headers: 'calc(9ch + 18px)',
  size: 'calc(9ch + 18px)',
  header: 'minmax(80px, 18ch)',
  json: 'minmax(80px, 18ch)',
};

/** Of the time, where some of the records are of another day than today. */
const DATED_TIME_TRACK = 'calc(23ch + 13px)';

/** Where there is little room. */
const NARROW_TRACKS = {
  partition: 'calc(3ch + 14px)',
  offset: 'minmax(calc(8ch + 12px), calc(11ch + 12px))',
  key: 'minmax(48px, 12ch)',
  value: 'minmax(64px, 1fr)',
};
const NARROW_DATED_TIME_TRACK = 'calc(16ch + 13px)';

export interface ColumnsLook {
  readonly order?: TailOrder | undefined;
  readonly hasDays: boolean;
  readonly isNarrow?: boolean;
}

/** As the list draws them. */
export function listColumns(
  columns: readonly TailColumn[],
  { order, hasDays, isNarrow }: ColumnsLook,
): ListColumn[] {
  const dated = isNarrow ? NARROW_DATED_TIME_TRACK : DATED_TIME_TRACK;
  const tracks = {
    ...TRACKS,
    ...(isNarrow && NARROW_TRACKS),
    ...(hasDays && { time: dated }),
  };
  return shownColumns(columns).map((column) => {
    const isNumber = ['partition', 'offset', 'headers', 'size'].includes(column.kind);
    const by = sortByOf(column);
    const sorted = order?.descending ? 'descending' : 'ascending';
    return {
      title: columnTitle(column),
      class: `${column.kind}${isNumber ? ' number' : ''}`,
      track: column.width === undefined ? tracks[column.kind] : `${column.width}px`,
      ...(by && { sort: by === order?.by ? sorted : 'none' }),
    };
  });
}

/** What a click on a column sorts by, if anything. */
export function sortByOf({ kind }: TailColumn): SortBy | undefined {
  return kind === 'headers' || kind === 'header' || kind === 'json' ? undefined : kind;
}

/** What rows have to bring beside what they always do. */
export function columnParts(columns: readonly TailColumn[]): RowPart[] {
  return shownColumns(columns).flatMap((column): RowPart[] => {
    if (column.kind === 'header') return [{ kind: 'header', name: column.name }];
    return column.kind === 'json' ? [{ kind: 'json', path: column.path }] : [];
  });
}

export function boundedWidth(width: number): number {
  return Math.round(Math.min(Math.max(width, WIDTH_MIN), WIDTH_MAX));
}
