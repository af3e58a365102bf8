/** The titles of a list's columns: they can be drawn wider, and sorted by. */
import { t } from '../../src/base/l10n.ts';
import { fill, h, setAttribute } from './dom.ts';

export interface ListColumn {
  readonly title: string;
  /** Added to the column's cells. */
  readonly class: string;
  /** Its width, as a track of a grid; left out where a style sheet says it. */
  readonly track?: string;
  /** Of a column that can be sorted by: how it is now. */
  readonly sort?: 'ascending' | 'descending' | 'none';
}

export interface ListHeaderOptions {
  /** A column was drawn to another width by its edge; left out: that cannot be done. */
  readonly onResize?: ((column: number, width: number) => void) | undefined;
  readonly onSort?: ((column: number) => void) | undefined;
}

export class ListHeader {
  readonly element = h('div', { class: 'list-row list-header', role: 'row', 'aria-rowindex': 1 });
  readonly #options: ListHeaderOptions;

  constructor(options: ListHeaderOptions) {
    this.#options = options;
  }

  /** Draws the columns, and leaves the focus where it was. */
  set columns(columns: readonly ListColumn[]) {
    const focused = [...this.element.children].findIndex((cell) =>
      cell.contains(document.activeElement),
    );
    fill(this.element, ...columns.map((column, index) => this.#cell(column, index)));
    if (focused >= 0) this.element.children[focused]?.querySelector('button')?.focus();
  }

  /** How wide a column is drawn. */
  widthOf(column: number): number {
    return this.element.children[column]?.getBoundingClientRect().width ?? 0;
  }

  #cell(column: ListColumn, index: number): HTMLElement {
    const { onResize, onSort } = this.#options;
    const cell = h('span', { class: `cell ${column.class}`, role: 'columnheader' });
    if (column.sort === undefined || !onSort) {
      cell.append(column.title);
    } else {
      setAttribute(cell, 'aria-sort', column.sort);
      const props = { type: 'button', class: 'list-sort', title: nextWords(column) };
      cell.append(h('button', { ...props, onclick: () => onSort(index) }, column.title));
    }
    if (onResize) cell.append(this.#edge((width) => onResize(index, width), index));
    return cell;
  }

  /** For the pointer; by the keyboard a panel offers widths elsewhere. */
  #edge(onWidth: (width: number) => void, column: number): HTMLElement {
    let from: { x: number; width: number } | undefined;
    const element = h('span', {
      class: 'list-edge',
      'aria-hidden': true,
      onpointerdown: (event) => {
        element.setPointerCapture(event.pointerId);
        from = { x: event.clientX, width: this.widthOf(column) };
      },
      onpointerup: (event) => {
        if (from) onWidth(from.width + event.clientX - from.x);
        from = undefined;
      },
    });
    return element;
  }
}

/** What a click does next. */
function nextWords({ title, sort }: ListColumn): string {
  if (sort === 'ascending') return t('Sort by {0}, descending', title);
  return sort === 'descending' ? t('Back to the order of arrival') : t('Sort by {0}', title);
}
