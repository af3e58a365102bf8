/** The box in which the columns of the list are chosen, ordered, widened and added to. */
import { t } from '../../src/base/l10n.ts';
import type { TailColumn } from '../../src/shared/contracts/tailColumns.ts';
import type { RowPart } from '../../src/shared/contracts/tailRows.ts';
import { button, checkbox, iconButton, textField } from '../kit/controls.ts';
import { fill, h } from '../kit/dom.ts';
import type { IconName } from '../kit/icons.ts';
import { announce, popupButton, segmented } from '../kit/parts.ts';
import { boundedWidth, columnName, DEFAULT_COLUMNS } from './columns.ts';
import { shownColumns } from './fittingColumns.ts';

const PARTS_MAX = 10;
const WIDTH_STEP = 24;

export interface ColumnChooserOptions {
  readonly onChange: () => void;
  /** How wide a column is drawn now, in pixels; undefined where there is no room for it. */
  readonly widthOf: (column: TailColumn) => number | undefined;
}

export class ColumnChooser {
  readonly element: HTMLElement;
  readonly #options: ColumnChooserOptions;
  readonly #list = h('ul', { class: 'column-list', 'aria-label': t('Columns') });
  readonly #content: HTMLElement;
  #columns: readonly TailColumn[] = DEFAULT_COLUMNS;

  constructor(options: ColumnChooserOptions) {
    this.#options = options;
    const opener = button({
      label: t('Columns'),
      icon: 'columns',
      title: t('Choose, order and add columns'),
      onClick: () => undefined,
    });
    opener.element.setAttribute('aria-haspopup', 'dialog');
    this.#content = h(
      'div',
      { class: 'column-chooser', tabindex: -1 },
      this.#list,
      addRow((part) => this.#add(part)),
      button({ label: t('Reset columns'), onClick: () => this.#change(DEFAULT_COLUMNS) }).element,
    );
    this.element = popupButton(opener.element, this.#content);
    this.element.classList.add('at-end');
    this.#draw();
  }

  get columns(): readonly TailColumn[] {
    return this.#columns;
  }

  set columns(columns: readonly TailColumn[]) {
    this.#columns = withEveryKind(columns);
    this.#draw();
  }

  #change(columns: readonly TailColumn[], said?: string): void {
    this.columns = columns;
    this.#options.onChange();
    if (said !== undefined) announce(said);
  }

  #replace(index: number, column: TailColumn): void {
    this.#change(this.#columns.with(index, column));
  }

  #add(part: RowPart): void {
    const isPart = ({ kind }: TailColumn): boolean => kind === 'header' || kind === 'json';
    const isThere = this.#columns.some((column) => columnName(column) === columnName(part));
    if (isThere || this.#columns.filter(isPart).length >= PARTS_MAX) return;
    this.#change([...this.#columns, part], t('{0} added', columnName(part)));
  }

  #draw(): void {
    const rows = this.#columns.map((column, index) => this.#row(column, index));
    const focused = focusedIn(this.#list);
    // The focus must not leave the box, which would close it.
    if (focused !== undefined) this.#content.focus();
    fill(this.#list, ...rows);
    if (focused !== undefined) focusIn(this.#list, focused);
  }

  #row(column: TailColumn, index: number): HTMLElement {
    const name = columnName(column);
    const isLastShown = column.hidden !== true && shownColumns(this.#columns).length === 1;
    const box = checkbox({
      label: name,
      checked: column.hidden !== true,
      onChange: (checked) =>
        isLastShown ? this.#draw() : this.#replace(index, { ...column, hidden: !checked }),
    });
    const icon = (label: string, iconName: IconName, onClick: () => void): HTMLElement =>
      iconButton({ label, icon: iconName, onClick }).element;
    const isPart = column.kind === 'header' || column.kind === 'json';
    return h(
      'li',
      { class: 'row' },
      box.element,
      h('span', { class: 'spring' }),
      icon(t('{0} further left', name), 'up', () => this.#move(index, -1)),
      icon(t('{0} further right', name), 'down', () => this.#move(index, 1)),
      icon(t('{0} narrower', name), 'narrower', () => this.#widen(index, -WIDTH_STEP)),
      icon(t('{0} wider', name), 'wider', () => this.#widen(index, WIDTH_STEP)),
      isPart &&
        icon(t('Remove {0}', name), 'remove', () =>
          this.#change(this.#columns.toSpliced(index, 1)),
        ),
    );
  }

  #move(index: number, by: number): void {
    const column = this.#columns[index];
    const to = index + by;
    const { length } = this.#columns;
    if (!column || to < 0 || to >= length) return;
    const said = t('{0} is column {1} of {2} now', columnName(column), to + 1, length);
    this.#change(this.#columns.toSpliced(index, 1).toSpliced(to, 0, column), said);
  }

  #widen(index: number, by: number): void {
    const column = this.#columns[index];
    if (!column || column.hidden === true) return;
    const width = column.width ?? this.#options.widthOf(column);
    if (width === undefined) return;
    this.#replace(index, { ...column, width: boundedWidth(width + by) });
  }
}

/** What an earlier page kept may not know of a column that there is by now: it is there to be chosen. */
function withEveryKind(columns: readonly TailColumn[]): TailColumn[] {
  const missing = DEFAULT_COLUMNS.filter(({ kind }) => columns.every((kept) => kept.kind !== kind));
  return [...columns, ...missing.map((column) => ({ ...column, hidden: true }))];
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
    onChange: (chosen) =>
      name.setPlaceholder(chosen === 'header' ? t('header key') : 'customer.id'),
  });
  const name = textField({
    label: t('Header or JSON path'),
    placeholder: t('header key'),
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
