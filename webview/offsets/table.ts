/** The partitions of a group with what is planned for each. Only the rows that are seen are in the page. */
import { t } from '../../src/base/l10n.ts';
import { h, setAttribute } from '../kit/dom.ts';
import { rowsInView, topToReveal } from '../kit/virtualWindow.ts';
import { keyOf, type OffsetRow } from './model.ts';
import { type TableLine, tableLine } from './tableLine.ts';

export interface OffsetTable {
  readonly element: HTMLElement;
  /** Shows these rows in the place of those before. */
  setRows(rows: readonly OffsetRow[]): void;
  /** Shows again what has changed in the rows. */
  update(): void;
}

export interface OffsetTableOptions {
  readonly onSelect: () => void;
  /** A person set the new offset of one row; undefined: what the scenario says. */
  readonly onTarget: (row: OffsetRow, offset: string | undefined) => void;
  /** A person looks at a row. */
  readonly onLook: (row: OffsetRow) => void;
  /** The pointer is on a row's new offset; undefined: no longer. */
  readonly onHover: (row: OffsetRow, at: HTMLElement | undefined) => void;
}

const COLUMNS = [
  [t('Topic'), 'topic'],
  [t('P'), 'number'],
  [t('Committed'), 'number'],
  [t('End'), 'number', 'end'],
  [t('Lag'), 'number'],
  [t('New'), 'target'],
  [t('Delta'), 'number', 'delta'],
  [t('Effect'), 'effect'],
] as const;

/** As in the style sheet: where there is little room, the effect has a line of its own, or two. */
const rowHeights = [
  { within: window.matchMedia('(max-width: 600px)'), heightPx: 72 },
  { within: window.matchMedia('(max-width: 1000px)'), heightPx: 52 },
];
const headHeightPx = 29;
/** Rows beyond the edges: the Tab key goes to the next before it is scrolled into view. */
const SPARE_ROWS = 6;

export function offsetTable(options: OffsetTableOptions): OffsetTable {
  return new VirtualOffsetTable(options);
}

class VirtualOffsetTable implements OffsetTable {
  readonly element: HTMLElement;
  readonly #options: OffsetTableOptions;
  readonly #all: HTMLInputElement;
  readonly #table: HTMLElement;
  readonly #above = spacer();
  readonly #below = spacer();
  readonly #lines = new Map<string, TableLine>();
  #rows: readonly OffsetRow[] = [];
  #frame = 0;
  #rowHeight = headHeightPx;

  constructor(options: OffsetTableOptions) {
    this.#options = options;
    this.#all = h('input', {
      type: 'checkbox',
      'aria-label': t('All partitions'),
      onchange: () => {
        for (const row of this.#rows) row.selected = this.#all.checked;
        this.update();
        options.onSelect();
      },
    });
    const titles = COLUMNS.map(([title, ...classes]) =>
      h('th', { scope: 'col', class: classes.join(' ') }, title),
    );
    const select = h('th', { scope: 'col', class: 'select' }, this.#all);
    this.#table = h(
      'table',
      { class: 'offset-table', 'aria-label': t('Partitions') },
      h('thead', {}, h('tr', { 'aria-rowindex': 1 }, select, ...titles)),
      h('tbody', {}, this.#above, this.#below),
    );
    this.element = h('div', { class: 'offset-scroll' }, this.#table);
    this.element.addEventListener('scroll', () => this.#schedule());
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    new ResizeObserver(() => this.#schedule()).observe(this.element);
  }

  setRows(rows: readonly OffsetRow[]): void {
    this.#rows = rows;
    const kept = new Set(rows.map(keyOf));
    for (const [key, line] of this.#lines) if (!kept.has(key)) this.#drop(key, line);
    setAttribute(this.#table, 'aria-rowcount', rows.length + 1);
    this.update();
  }

  update(): void {
    const usable = this.#rows.filter((row) => !row.error);
    const selected = usable.filter((row) => row.selected).length;
    this.#all.checked = selected > 0 && selected === usable.length;
    this.#all.indeterminate = selected > 0 && selected < usable.length;
    this.#render();
  }

  #schedule(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  get #size(): { count: number; rowHeight: number; viewHeight: number } {
    const viewHeight = Math.max(0, this.element.clientHeight - headHeightPx);
    return { count: this.#rows.length, rowHeight: this.#rowHeight, viewHeight };
  }

  #render(): void {
    this.#rowHeight = rowHeights.find(({ within }) => within.matches)?.heightPx ?? headHeightPx;
    const { first, end } = rowsInView(this.element.scrollTop, this.#size, SPARE_ROWS);
    const seen = new Map<string, TableLine>();
    for (let index = first; index < end; index++) {
      const row = this.#rows[index];
      if (row) seen.set(keyOf(row), this.#line(row, index));
    }
    for (const [key, line] of this.#lines) if (!seen.has(key)) this.#drop(key, line);
    setHeight(this.#above, first * this.#rowHeight);
    setHeight(this.#below, (this.#rows.length - end) * this.#rowHeight);
    let next = this.#above.nextElementSibling;
    for (const { element } of seen.values()) {
      // Only what is new is put in: a row that has the focus stays where it is.
      if (next === element) next = element.nextElementSibling;
      else this.#above.parentElement?.insertBefore(element, next);
    }
  }

  #line(row: OffsetRow, index: number): TableLine {
    const key = keyOf(row);
    let line = this.#lines.get(key);
    if (line?.row !== row) {
      if (line) this.#drop(key, line);
      line = tableLine(row, {
        ...this.#options,
        onSelect: () => {
          this.update();
          this.#options.onSelect();
        },
      });
      this.#lines.set(key, line);
    }
    setAttribute(line.element, 'aria-rowindex', index + 2);
    line.element.classList.toggle('odd', index % 2 === 1);
    line.update();
    return line;
  }

  #drop(key: string, line: TableLine): void {
    this.#lines.delete(key);
    // What is typed and not yet taken over would be lost with the field.
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && line.element.contains(activeElement)) {
      activeElement.blur();
    }
    line.element.remove();
  }

  /** Up and down from one field of new offsets to the next. */
  #onKey(event: KeyboardEvent): void {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const field = event.target instanceof HTMLInputElement ? event.target : undefined;
    if (step === undefined || !field || event.altKey || event.ctrlKey || event.metaKey) return;
    const key = field.closest('tr')?.getAttribute('data-row');
    const index = this.#rows.findIndex((row) => keyOf(row) === key) + step;
    const row = this.#rows[index];
    if (index < 0 || !row) return;
    event.preventDefault();
    this.element.scrollTop = topToReveal(index, this.element.scrollTop, this.#size);
    this.#render();
    const line = this.#lines.get(keyOf(row));
    if (field.type === 'checkbox') line?.focusSelect();
    else line?.focusTarget();
  }
}

function spacer(): HTMLElement {
  return h(
    'tr',
    { class: 'spacer', 'aria-hidden': true },
    h('td', { colspan: COLUMNS.length + 1 }),
  );
}

function setHeight(row: HTMLElement, height: number): void {
  const cell = row.firstElementChild;
  if (cell instanceof HTMLElement) cell.style.height = `${height}px`;
  row.hidden = height === 0;
}
