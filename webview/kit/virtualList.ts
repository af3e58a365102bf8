/**
 * A long list as an accessible grid: rows are numbered, drawn only where they are seen, and keep their
 * number while rows are added at the end and dropped at the beginning.
 */
import { h, setAttribute } from './dom.ts';
import { type ListColumn, ListHeader, type ListHeaderOptions } from './listHeader.ts';
import { rowFor } from './listKeys.ts';
import { ListPlace } from './listPlace.ts';
import { type PooledRow, RowPool, SPARE_ROWS } from './rowPool.ts';

export interface VirtualListOptions extends ListHeaderOptions {
  readonly label: string;
  readonly columns: readonly ListColumn[];
  /** Fills the cells of a row; `cells` are used again for other rows, so every one must be set. */
  readonly renderRow: (cells: readonly HTMLElement[], row: number, element: HTMLElement) => void;
  /** Rows `first` to `end - 1` are drawn. */
  readonly onView: (first: number, end: number) => void;
  readonly onSelect: (row: number) => void;
  /** Enter, or a double click. */
  readonly onOpen: (row: number) => void;
  /** What a row carries when it is dragged, by kind; undefined: it cannot be. */
  readonly dragged?: (row: number) => Readonly<Record<string, string>> | undefined;
  /** Escape. */
  readonly onEscape?: () => void;
  /** The list began or ceased to stay at its end. */
  readonly onFollow: (following: boolean) => void;
}

const AT_END_PX = 2;

export class VirtualList {
  readonly element: HTMLElement;
  readonly #options: VirtualListOptions;
  readonly #header: ListHeader;
  readonly #body: HTMLElement;
  readonly #pool = new RowPool();
  readonly #probe = h('div', { class: 'list-row list-probe', 'aria-hidden': true });
  readonly #place = new ListPlace();
  #clientHeight = 0;
  #selected: number | undefined;
  #frame = 0;

  constructor(options: VirtualListOptions) {
    this.#options = options;
    this.#header = new ListHeader(options);
    this.#pool.isDraggable = options.dragged !== undefined;
    this.#body = h('div', { class: 'list-body', role: 'rowgroup' }, this.#pool.layer, this.#probe);
    this.element = h(
      'div',
      { class: 'list', role: 'grid', tabindex: 0, 'aria-label': options.label },
      h('div', { class: 'list-head', role: 'rowgroup' }, this.#header.element),
      this.#body,
    );
    this.setColumns(options.columns);
    this.element.addEventListener('scroll', () => this.#onScroll());
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#pool.layer.addEventListener('click', (event) => {
      const row = this.#rowAt(event);
      if (row !== undefined) this.select(row);
    });
    this.#pool.layer.addEventListener('dblclick', (event) => {
      const row = this.#rowAt(event);
      if (row !== undefined) options.onOpen(row);
    });
    this.#pool.layer.addEventListener('dragstart', (event) => this.#onDrag(event));
    new ResizeObserver(() => this.#measure()).observe(this.element);
    new ResizeObserver(() => this.#measure()).observe(this.#probe);
  }

  /** Has other columns from now on, or the same in other widths. */
  setColumns(columns: readonly ListColumn[]): void {
    this.#header.columns = columns;
    this.#pool.columns = columns;
    setAttribute(this.element, 'aria-colcount', columns.length);
    const tracks = columns.flatMap(({ track }) => track ?? []);
    if (tracks.length > 0) this.element.style.setProperty('--list-columns', tracks.join(' '));
    this.refresh();
  }

  /** How wide a column is drawn. */
  widthOf(column: number): number {
    return this.#header.widthOf(column);
  }

  set label(label: string) {
    setAttribute(this.element, 'aria-label', label);
  }

  get following(): boolean {
    return this.#place.following;
  }

  get selected(): number | undefined {
    return this.#selected;
  }

  /** The list now has rows `first` to `end - 1`. Holds what is looked at still, or stays at the end. */
  setRows(first: number, end: number): void {
    this.#place.rows = { first, end };
    if (this.#selected !== undefined && (this.#selected < first || this.#selected >= end)) {
      this.#selected = undefined;
    }
    this.refresh();
  }

  /** Forgets the selection and starts anew, at the end unless it is to stay at the beginning. */
  reset({ atEnd = true } = {}): void {
    this.#selected = undefined;
    this.#place.rows = { first: 0, end: 0 };
    this.#place.moveTo(0);
    this.#pool.forget();
    this.#setFollowing(atEnd);
    this.setRows(0, 0);
  }

  /** Draws again what is seen, once, before the next frame. */
  refresh(): void {
    this.#frame ||= requestAnimationFrame(() => this.#render());
  }

  /** Goes to the end and stays there. */
  followEnd(): void {
    this.#setFollowing(true);
    this.refresh();
  }

  /** Rows `first` to `end - 1` are seen, whole or in part. */
  get inView(): { readonly first: number; readonly end: number } {
    return this.#place.view(0);
  }

  /** The row that is at the top of what is seen. */
  get topRow(): number {
    return this.#place.topRow;
  }

  /** Whether the last row is seen. */
  get isEndInView(): boolean {
    return this.#place.isInView(this.#place.rows.end - 1);
  }

  /** How many rows are seen. */
  get rowsInView(): number {
    return Math.ceil(this.#place.viewHeight / this.#place.rowHeight);
  }

  /** Shows a row at the top, and holds the list there. */
  showAtTop(row: number): void {
    this.#setFollowing(false);
    this.#place.moveTo(row);
    this.refresh();
  }

  /** Selects a row, shows it, and holds the list there. */
  select(row: number): void {
    this.#selected = row;
    if (this.following && row < this.#place.rows.end - 1) this.#setFollowing(false);
    this.#place.reveal(row);
    this.#options.onSelect(row);
    this.refresh();
  }

  /** Selects a row, and nothing else: the list stays where it is. */
  mark(row: number): void {
    this.#selected = row;
    this.refresh();
  }

  /** Shows the selected row where it is not seen, unless the list follows its end. */
  revealSelected(): void {
    if (this.#selected === undefined || this.following) return;
    this.#place.reveal(this.#selected);
    this.refresh();
  }

  #setFollowing(following: boolean): void {
    if (this.following === following) return;
    this.#place.following = following;
    this.#options.onFollow(following);
  }

  #measure(): void {
    const place = this.#place;
    place.hold();
    const wasInView = !place.following && place.isInView(this.#selected);
    place.rowHeight = this.#probe.offsetHeight || place.rowHeight;
    this.#clientHeight = this.element.clientHeight;
    const headHeight = this.#header.element.offsetHeight;
    place.viewHeight = Math.max(0, this.#clientHeight - headHeight);
    this.#pool.layer.style.top = `${headHeight}px`;
    if (wasInView && this.#selected !== undefined) place.reveal(this.#selected);
    this.#render();
  }

  #onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    const isOurs = Math.abs(scrollTop - this.#place.scrollTop) < 0.5;
    if (clientHeight !== this.#clientHeight) {
      // The view has another height, and nobody scrolled: what follows the end goes on to.
      if (!this.following) this.#place.scrollTop = scrollTop;
      this.#measure();
      return;
    }
    this.#place.scrollTop = scrollTop;
    // Of where it stood before what it is about to be told nothing is to be learned, whoever moved it: the browser does
    // where the view grows for a moment.
    if (this.#place.isMoving) return;
    const atEnd = scrollTop + clientHeight >= scrollHeight - AT_END_PX;
    if (!atEnd) this.#setFollowing(false);
    else if (scrollHeight > clientHeight) this.#setFollowing(true);
    if (!isOurs) this.refresh();
  }

  /** Writes everything and only then sets the scroll bar, which lays the page out: once. */
  #render(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const { top, rowHeight, rows } = this.#place;
    const view = this.#place.view(SPARE_ROWS);
    this.#pool.grow(view.end - view.first);
    this.#pool.begin(view.first, view.end);
    let active: string | undefined;
    const shown = new Set<PooledRow>();
    for (let row = view.first; row < view.end; row++) {
      const pooled = this.#pool.of(row);
      if (!pooled) continue;
      shown.add(pooled);
      this.#renderRow(pooled, row, (row - rows.first) * rowHeight - top);
      if (row === this.#selected) active = pooled.element.id;
    }
    this.#pool.hideAllBut(shown);
    setAttribute(this.element, 'aria-activedescendant', active);
    this.#scroll();
    this.#options.onView(view.first, view.end);
  }

  #scroll(): void {
    setAttribute(this.element, 'aria-rowcount', this.#place.count + 1);
    const { height, scrollTop } = this.#place.drawn();
    if (height !== undefined) this.#body.style.height = `${height}px`;
    if (Math.abs(scrollTop - this.#place.scrollTop) < 0.5) return;
    this.element.scrollTop = scrollTop;
    this.#place.scrollTop = this.element.scrollTop;
  }

  #renderRow(pooled: PooledRow, row: number, y: number): void {
    const { element, cells } = pooled;
    if (pooled.y !== y) element.style.transform = `translateY(${y}px)`;
    if (pooled.row !== row) element.classList.toggle('odd', row % 2 === 1);
    pooled.y = y;
    pooled.row = row;
    setAttribute(element, 'aria-rowindex', row - this.#place.rows.first + 2);
    setAttribute(element, 'aria-selected', row === this.#selected);
    this.#options.renderRow(cells, row, element);
  }

  #rowAt(event: MouseEvent): number | undefined {
    const target = event.target instanceof Element ? event.target.closest('.list-row') : null;
    return this.#pool.at(target)?.row;
  }

  #onDrag(event: DragEvent): void {
    const row = this.#rowAt(event);
    const carried = row === undefined ? undefined : this.#options.dragged?.(row);
    if (!carried || !event.dataTransfer) {
      event.preventDefault();
      return;
    }
    // A tree of VS Code asks to move what comes from without: a drop of what may only be copied would not be let
    // through.
    event.dataTransfer.effectAllowed = 'copyMove';
    for (const [type, text] of Object.entries(carried)) event.dataTransfer.setData(type, text);
  }

  #onKey(event: KeyboardEvent): void {
    // Of a control in the header.
    if (event.target !== this.element) return;
    if (event.altKey || event.ctrlKey || event.metaKey || this.#place.count === 0) return;
    const here = this.#selected;
    const { rows, viewHeight, rowHeight } = this.#place;
    const to = rowFor(event.key, here, rows, Math.floor(viewHeight / rowHeight));
    if (to !== undefined) {
      this.select(to);
      if (event.key === 'End') this.followEnd();
    } else if (event.key === 'Enter' && here !== undefined) this.#options.onOpen(here);
    else if (event.key === 'Escape' && this.#options.onEscape) this.#options.onEscape();
    else return;
    event.preventDefault();
  }
}
