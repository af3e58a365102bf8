/** The columns of the list of records: which there are, in which order, how wide, and the box to choose them in. */
import { t } from '../../src/base/l10n.ts';
import type { RowPart, TailColumn } from '../../src/shared/contracts/tail.ts';
import { button, checkbox, iconButton, textField } from '../kit/controls.ts';
import { fill, h } from '../kit/dom.ts';
import { announce, popupButton, segmented } from '../kit/parts.ts';
import type { ListColumn } from '../kit/virtualList.ts';

export const DEFAULT_COLUMNS: readonly TailColumn[] = [
  { kind: 'time' },
  { kind: 'partition' },
  { kind: 'offset' },
  { kind: 'key' },
  { kind: 'value' },
  { kind: 'headers' },
];

const PARTS_MAX = 10;
const WIDTH_STEP = 24;
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
    case 'header':
      return column.name;
    case 'json':
      return `.${column.path}`;
  }
}

/** In the box a letter would say too little. */
function columnName(column: TailColumn): string {
  if (column.kind === 'partition') return t('Partition');
  if (column.kind === 'header') return t('Header {0}', column.name);
  if (column.kind === 'json') return t('JSON {0}', `.${column.path}`);
  return columnTitle(column);
}

const TRACKS: Readonly<Record<TailColumn['kind'], string>> = {
  time: 'calc(12ch + 22px)',
  partition: 'calc(4ch + 12px)',
  offset: 'calc(11ch + 12px)',
  key: 'minmax(90px, 20ch)',
  value: 'minmax(180px, 1fr)',
  headers: 'calc(8ch + 12px)',
  header: 'minmax(80px, 18ch)',
  json: 'minmax(80px, 18ch)',
};

export function shownColumns(columns: readonly TailColumn[]): TailColumn[] {
  return columns.filter(({ hidden }) => hidden !== true);
}

/** As the list draws them. */
export function listColumns(columns: readonly TailColumn[]): ListColumn[] {
  return shownColumns(columns).map((column) => {
    const isNumber = ['partition', 'offset', 'headers'].includes(column.kind);
    return {
      title: columnTitle(column),
      class: `${column.kind}${isNumber ? ' number' : ''}`,
      track: column.width === undefined ? TRACKS[column.kind] : `${column.width}px`,
    };
  });
}

/** What rows have to bring beside what they always do. */
export function columnParts(columns: readonly TailColumn[]): RowPart[] {
  return shownColumns(columns).flatMap((column): RowPart[] => {
    if (column.kind === 'header') return [{ kind: 'header', name: column.name }];
    return column.kind === 'json' ? [{ kind: 'json', path: column.path }] : [];
  });
}

export interface ColumnChooser {
  readonly element: HTMLElement;
  columns: readonly TailColumn[];
}

export interface ColumnChooserOptions {
  readonly onChange: (columns: readonly TailColumn[]) => void;
  /** How wide a column is drawn now, in pixels. */
  readonly widthOf: (shown: number) => number;
}

export function columnChooser(options: ColumnChooserOptions): ColumnChooser {
  let columns: readonly TailColumn[] = DEFAULT_COLUMNS;
  const list = h('ul', { class: 'column-list', 'aria-label': t('Columns') });
  const opener = button({
    label: t('Columns'),
    title: t('Choose, order and add columns'),
    onClick: () => undefined,
  });
  opener.element.setAttribute('aria-haspopup', 'dialog');
  const change = (next: readonly TailColumn[], said?: string): void => {
    columns = next;
    draw();
    options.onChange(next);
    if (said !== undefined) announce(said);
  };
  const replace = (index: number, column: TailColumn): void =>
    change(columns.map((old, place) => (place === index ? column : old)));
  const draw = (): void => {
    const rows = columns.map((column, index) => columnRow(column, index));
    const focused = focusedIn(list);
    // The focus must not leave the box, which would close it.
    if (focused !== undefined) content.focus();
    fill(list, ...rows);
    if (focused !== undefined) focusIn(list, focused);
  };
  const columnRow = (column: TailColumn, index: number): HTMLElement => {
    const name = columnName(column);
    const isLastShown = column.hidden !== true && shownColumns(columns).length === 1;
    const box = checkbox({
      label: name,
      checked: column.hidden !== true,
      onChange: (checked) =>
        isLastShown ? draw() : replace(index, { ...column, hidden: !checked }),
    });
    const move = (by: number): void => {
      const to = index + by;
      if (to < 0 || to >= columns.length) return;
      const next = columns.toSpliced(index, 1).toSpliced(to, 0, column);
      change(next, t('{0} is column {1} of {2} now', name, to + 1, columns.length));
    };
    const widen = (by: number): void => {
      const shown = shownColumns(columns).indexOf(column);
      if (shown < 0) return;
      const width = (column.width ?? options.widthOf(shown)) + by;
      replace(index, { ...column, width: boundedWidth(width) });
    };
    const isPart = column.kind === 'header' || column.kind === 'json';
    return h(
      'li',
      { class: 'row' },
      box.element,
      h('span', { class: 'spring' }),
      iconButton({ label: t('{0} further left', name), icon: 'up', onClick: () => move(-1) })
        .element,
      iconButton({ label: t('{0} further right', name), icon: 'down', onClick: () => move(1) })
        .element,
      iconButton({
        label: t('{0} narrower', name),
        icon: 'narrower',
        onClick: () => widen(-WIDTH_STEP),
      }).element,
      iconButton({ label: t('{0} wider', name), icon: 'wider', onClick: () => widen(WIDTH_STEP) })
        .element,
      isPart &&
        iconButton({
          label: t('Remove {0}', name),
          icon: 'remove',
          onClick: () => change(columns.toSpliced(index, 1)),
        }).element,
    );
  };
  const content = h(
    'div',
    { class: 'column-chooser', tabindex: -1 },
    list,
    addRow((part) => {
      const count = columns.filter(({ kind }) => kind === 'header' || kind === 'json').length;
      const isThere = columns.some((column) => columnName(column) === columnName(part));
      if (count < PARTS_MAX && !isThere)
        change([...columns, part], t('{0} added', columnName(part)));
    }),
    button({ label: t('As at first'), onClick: () => change(DEFAULT_COLUMNS) }).element,
  );
  draw();
  return {
    element: popupButton(opener.element, content),
    get columns() {
      return columns;
    },
    set columns(next) {
      columns = next;
      draw();
    },
  };
}

export function boundedWidth(width: number): number {
  return Math.round(Math.min(Math.max(width, WIDTH_MIN), WIDTH_MAX));
}

/** Adds a header, or a part of the value, as a column. */
function addRow(onAdd: (part: RowPart) => void): HTMLElement {
  const kind = segmented<RowPart['kind']>({
    label: t('Kind of column'),
    choices: [
      { value: 'header', text: t('Header') },
      { value: 'json', text: t('JSON path') },
    ],
    value: 'header',
    onChange: (chosen) => name.setPlaceholder(chosen === 'header' ? t('its key') : 'customer.id'),
  });
  const name = textField({
    label: t('Header or JSON path'),
    placeholder: t('its key'),
    onInput: () => undefined,
  });
  const add = (): void => {
    const text = name.value.trim().replace(/^[$.]+/, kind.value === 'json' ? '' : '$&');
    if (text === '') return;
    name.value = '';
    onAdd(kind.value === 'header' ? { kind: 'header', name: text } : { kind: 'json', path: text });
  };
  name.element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') add();
  });
  return h(
    'div',
    { class: 'row add-column' },
    kind.element,
    name.element,
    iconButton({ label: t('Add column'), icon: 'add', onClick: add }).element,
  );
}

/** Which control has the focus, by its name, so that it keeps it when the list is drawn anew. */
function focusedIn(list: HTMLElement): string | undefined {
  const { activeElement } = document;
  if (!activeElement || !list.contains(activeElement)) return undefined;
  return nameOf(activeElement);
}

function focusIn(list: HTMLElement, name: string): void {
  const controls = list.querySelectorAll<HTMLElement>('vscode-button, vscode-checkbox');
  for (const control of controls) if (nameOf(control) === name) control.focus();
}

function nameOf(control: Element): string {
  return control.getAttribute('aria-label') ?? control.textContent;
}
