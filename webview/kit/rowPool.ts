/** The elements of a long list's rows: as many as are seen, used again and again. */
import { h, setAttribute, show, uniqueId } from './dom.ts';
import type { ListColumn } from './listHeader.ts';

export interface PooledRow {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
  row: number;
  /** Where it is drawn, in pixels from the top. */
  y: number;
}

/** Rows that are there before they are needed. */
export const SPARE_ROWS = 4;

export class RowPool {
  /** What the rows lie in. */
  readonly layer = h('div', { class: 'list-layer', role: 'presentation' });
  readonly #id = uniqueId('list');
  isDraggable = false;
  #columns: readonly ListColumn[] = [];
  #rows: PooledRow[] = [];
  /** The rows in view, and the one that the first element stands for. */
  #view = { first: 0, end: 0 };
  #base = 0;

  /** Other columns need other cells; in other widths they are the same. */
  set columns(columns: readonly ListColumn[]) {
    const isSame =
      columns.length === this.#columns.length &&
      columns.every((column, index) => column.class === this.#columns[index]?.class);
    this.#columns = columns;
    if (isSame) return;
    this.#rows = [];
    this.layer.replaceChildren();
  }

  /** Rows `first` to `end - 1` come into view. */
  begin(first: number, end: number): void {
    // Where none stays, none needs to move: each element has the row that is at its place.
    if (first >= this.#view.end || end <= this.#view.first) this.#base = first;
    this.#view = { first, end };
  }

  /** A row's place in the pool follows from its number, so that scrolling moves few of them. */
  of(row: number): PooledRow | undefined {
    const count = this.#rows.length;
    return this.#rows[(((row - this.#base) % count) + count) % count];
  }

  at(element: Element | null): PooledRow | undefined {
    return this.#rows.find((pooled) => pooled.element === element);
  }

  grow(count: number): void {
    if (count <= this.#rows.length) return;
    for (let i = this.#rows.length; i < count + SPARE_ROWS; i++) {
      const cells = this.#columns.map((column) =>
        h('span', { class: `cell ${column.class}`, role: 'gridcell' }),
      );
      const id = `${this.#id}-row-${i}`;
      const props = { class: 'list-row', role: 'row', id, hidden: true };
      const element = h('div', props, ...cells);
      element.draggable = this.isDraggable;
      this.#rows.push({ element, cells, row: -1, y: NaN });
      this.layer.append(element);
    }
  }

  /** A row that waits is no row: it must not be found as the selected one. */
  hideAllBut(shown: ReadonlySet<PooledRow>): void {
    for (const pooled of this.#rows) {
      const isHidden = !shown.has(pooled);
      if (pooled.element.hidden !== isHidden) show(pooled.element, !isHidden);
      if (isHidden) setAttribute(pooled.element, 'aria-selected', false);
    }
  }

  /** No element stands for any row. */
  forget(): void {
    for (const pooled of this.#rows) pooled.row = -1;
  }
}
