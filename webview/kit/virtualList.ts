/**
 * A long list as an accessible grid: rows are numbered, drawn only where they are seen, and keep their
 * number while rows are added at the end and dropped at the beginning.
 */
import { fill, h, setAttribute, uniqueId } from './dom.ts';
import {
  type ListSize,
  physicalHeight,
  rowsInView,
  topToReveal,
  toPhysical,
  toVirtual,
} from './virtualWindow.ts';

export interface ListColumn {
  readonly title: string;
  /** Added to the column's cells. */
  readonly class: string;
  /** Its width, as a track of a grid; left out where a style sheet says it. */
  readonly track?: string;
}

export interface VirtualListOptions {
  readonly label: string;
  readonly columns: readonly ListColumn[];
  /** Fills the cells of a row; `cells` are used again for other rows, so every one must be set. */
  readonly renderRow: (cells: readonly HTMLElement[], row: number, element: HTMLElement) => void;
  /** Rows `first` to `end - 1` are drawn. */
  readonly onView: (first: number, end: number) => void;
  readonly onSelect: (row: number) => void;
  /** Enter, or a double click. */
  readonly onOpen: (row: number) => void;
  /** A column was drawn to another width by its edge; left out: that cannot be done. */
  readonly onResize?: (column: number, width: number) => void;
  /** The list began or ceased to stay at its end. */
  readonly onFollow: (following: boolean) => void;
}

interface PooledRow {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
  row: number;
}

const SPARE_ROWS = 4;
const AT_END_PX = 2;

export class VirtualList {
  readonly element: HTMLElement;
  readonly #options: VirtualListOptions;
  #columns: readonly ListColumn[];
  readonly #header: HTMLElement;
  readonly #body: HTMLElement;
  readonly #layer = h('div', { class: 'list-layer', role: 'presentation' });
  readonly #probe = h('div', { class: 'list-row list-probe', 'aria-hidden': true });
  readonly #id = uniqueId('list');
  #pool: PooledRow[] = [];
  #rowHeight = 22;
  #clientHeight = 0;
  #viewHeight = 0;
  #first = 0;
  #end = 0;
  #selected: number | undefined;
  #following = true;
  #frame = 0;

  constructor(options: VirtualListOptions) {
    this.#options = options;
    this.#columns = options.columns;
    this.#header = h('div', { class: 'list-row list-header', role: 'row', 'aria-rowindex': 1 });
    this.#body = h('div', { class: 'list-body', role: 'rowgroup' }, this.#layer, this.#probe);
    this.element = h(
      'div',
      { class: 'list', role: 'grid', tabindex: 0, 'aria-label': options.label },
      h('div', { class: 'list-head', role: 'rowgroup' }, this.#header),
      this.#body,
    );
    this.#drawHeader();
    this.element.addEventListener('scroll', () => this.#onScroll());
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#layer.addEventListener('click', (event) => {
      const row = this.#rowAt(event);
      if (row !== undefined) this.select(row);
    });
    this.#layer.addEventListener('dblclick', (event) => {
      const row = this.#rowAt(event);
      if (row !== undefined) options.onOpen(row);
    });
    new ResizeObserver(() => this.#measure()).observe(this.element);
    new ResizeObserver(() => this.#measure()).observe(this.#probe);
  }

  /** Has other columns from now on, or the same in other widths. */
  setColumns(columns: readonly ListColumn[]): void {
    const isSame =
      columns.length === this.#columns.length &&
      columns.every((column, index) => column.class === this.#columns[index]?.class);
    this.#columns = columns;
    this.#drawHeader();
    if (!isSame) {
      this.#pool = [];
      this.#layer.replaceChildren();
    }
    this.refresh();
  }

  /** How wide a column is drawn. */
  widthOf(column: number): number {
    return this.#header.children[column]?.getBoundingClientRect().width ?? 0;
  }

  get following(): boolean {
    return this.#following;
  }

  get selected(): number | undefined {
    return this.#selected;
  }

  /** The list now has rows `first` to `end - 1`. Holds what is looked at still, or stays at the end. */
  setRows(first: number, end: number): void {
    const top = this.#top - (first - this.#first) * this.#rowHeight;
    this.#first = first;
    this.#end = end;
    this.#resizeBody();
    if (this.#selected !== undefined && (this.#selected < first || this.#selected >= end)) {
      this.#selected = undefined;
    }
    this.#scrollTo(this.#following ? Infinity : top);
    this.refresh();
  }

  /** Forgets the selection and starts at the end again, for a new list. */
  reset(): void {
    this.#selected = undefined;
    this.#first = 0;
    this.#end = 0;
    for (const pooled of this.#pool) pooled.row = -1;
    this.#setFollowing(true);
    this.setRows(0, 0);
  }

  /** Draws again what is seen, once, before the next frame. */
  refresh(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  /** Goes to the end and stays there. */
  followEnd(): void {
    this.#setFollowing(true);
    this.#scrollTo(Infinity);
    this.refresh();
  }

  /** The row that is at the top of what is seen. */
  get topRow(): number {
    return this.#first + Math.floor(this.#top / this.#rowHeight);
  }

  /** Shows a row at the top, and holds the list there. */
  showAtTop(row: number): void {
    this.#setFollowing(false);
    this.#scrollTo((row - this.#first) * this.#rowHeight);
    this.refresh();
  }

  /** Selects a row, shows it, and holds the list there. */
  select(row: number): void {
    this.#selected = row;
    if (this.#following && row < this.#end - 1) this.#setFollowing(false);
    this.#reveal(row);
    this.#options.onSelect(row);
    this.refresh();
  }

  #drawHeader(): void {
    const { onResize } = this.#options;
    const cells = this.#columns.map((column, index) =>
      h(
        'span',
        { class: `cell ${column.class}`, role: 'columnheader' },
        column.title,
        onResize && this.#edge((width) => onResize(index, width), index),
      ),
    );
    fill(this.#header, ...cells);
    setAttribute(this.element, 'aria-colcount', this.#columns.length);
    const tracks = this.#columns.flatMap(({ track }) => track ?? []);
    if (tracks.length > 0) this.element.style.setProperty('--list-columns', tracks.join(' '));
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

  get #size(): ListSize {
    return {
      count: this.#end - this.#first,
      rowHeight: this.#rowHeight,
      viewHeight: this.#viewHeight,
    };
  }

  get #top(): number {
    return toVirtual(this.element.scrollTop, this.#size);
  }

  #scrollTo(top: number): void {
    const target = toPhysical(top, this.#size);
    if (Math.abs(target - this.element.scrollTop) >= 0.5) this.element.scrollTop = target;
  }

  #setFollowing(following: boolean): void {
    if (this.#following === following) return;
    this.#following = following;
    this.#options.onFollow(following);
  }

  #measure(): void {
    const top = this.#top / this.#rowHeight;
    const wasInView = !this.#following && this.#isInView(this.#selected);
    this.#rowHeight = this.#probe.offsetHeight || this.#rowHeight;
    this.#clientHeight = this.element.clientHeight;
    this.#viewHeight = Math.max(0, this.#clientHeight - this.#header.offsetHeight);
    this.#layer.style.top = `${this.#header.offsetHeight}px`;
    this.#resizeBody();
    this.#scrollTo(this.#following ? Infinity : top * this.#rowHeight);
    if (wasInView && this.#selected !== undefined) this.#reveal(this.#selected);
    this.refresh();
  }

  #isInView(row: number | undefined): boolean {
    if (row === undefined) return false;
    const y = (row - this.#first) * this.#rowHeight - this.#top;
    return y > -this.#rowHeight && y < this.#viewHeight;
  }

  #reveal(row: number): void {
    this.#scrollTo(topToReveal(row - this.#first, this.#top, this.#size));
  }

  #resizeBody(): void {
    this.#body.style.height = `${physicalHeight(this.#size)}px`;
    setAttribute(this.element, 'aria-rowcount', this.#end - this.#first + 1);
  }

  #onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    if (clientHeight !== this.#clientHeight) {
      // The view has another height, and nobody scrolled: what follows the end goes on to.
      this.#measure();
      return;
    }
    const atEnd = scrollTop + clientHeight >= scrollHeight - AT_END_PX;
    if (!atEnd) this.#setFollowing(false);
    else if (scrollHeight > clientHeight) this.#setFollowing(true);
    this.refresh();
  }

  #render(): void {
    const top = this.#top;
    const view = rowsInView(top, this.#size, SPARE_ROWS);
    this.#growPool(view.end - view.first);
    let active: string | undefined;
    const shown = new Set<PooledRow>();
    for (let index = view.first; index < view.end; index++) {
      const row = index + this.#first;
      const pooled = this.#pool[row % this.#pool.length];
      if (!pooled) continue;
      shown.add(pooled);
      this.#renderRow(pooled, row, index * this.#rowHeight - top);
      if (row === this.#selected) active = pooled.element.id;
    }
    for (const pooled of this.#pool) {
      pooled.element.hidden = !shown.has(pooled);
      // A row that waits in the pool is no row: it must not be found as the selected one.
      if (pooled.element.hidden) setAttribute(pooled.element, 'aria-selected', false);
    }
    setAttribute(this.element, 'aria-activedescendant', active);
    this.#options.onView(view.first + this.#first, view.end + this.#first);
  }

  #renderRow(pooled: PooledRow, row: number, y: number): void {
    const { element, cells } = pooled;
    pooled.row = row;
    element.style.transform = `translateY(${y}px)`;
    element.classList.toggle('odd', row % 2 === 1);
    setAttribute(element, 'aria-rowindex', row - this.#first + 2);
    setAttribute(element, 'aria-selected', row === this.#selected);
    this.#options.renderRow(cells, row, element);
  }

  #growPool(count: number): void {
    if (count <= this.#pool.length) return;
    // A row's place in the pool follows from its number, so that scrolling moves few of them.
    for (let i = this.#pool.length; i < count + SPARE_ROWS; i++) {
      const cells = this.#columns.map((column) =>
        h('span', { class: `cell ${column.class}`, role: 'gridcell' }),
      );
      const element = h(
        'div',
        { class: 'list-row', role: 'row', id: `${this.#id}-row-${i}`, hidden: true },
        ...cells,
      );
      this.#pool.push({ element, cells, row: -1 });
      this.#layer.append(element);
    }
  }

  #rowAt(event: MouseEvent): number | undefined {
    const target = event.target instanceof Element ? event.target.closest('.list-row') : null;
    return this.#pool.find(({ element }) => element === target)?.row;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || this.#end === this.#first) return;
    const page = Math.max(1, Math.floor(this.#viewHeight / this.#rowHeight) - 1);
    const last = this.#end - 1;
    const here = this.#selected;
    const moves: Record<string, number | undefined> = {
      ArrowUp: (here ?? this.#end) - 1,
      ArrowDown: here === undefined ? last : here + 1,
      PageUp: (here ?? last) - page,
      PageDown: (here ?? last) + page,
      Home: this.#first,
      End: last,
    };
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (to !== undefined) {
      this.select(Math.min(Math.max(to, this.#first), last));
      if (event.key === 'End') this.followEnd();
    } else if (event.key === 'Enter' && here !== undefined) this.#options.onOpen(here);
    else return;
    event.preventDefault();
  }
}
