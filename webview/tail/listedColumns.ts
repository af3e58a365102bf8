/** The columns of the list: those of the chosen ones that there is room for, drawn anew where that changes. */
import type { TailColumn } from '../../src/shared/contracts/tailColumns.ts';
import type { SortBy } from '../../src/shared/contracts/tailQuery.ts';
import { h } from '../kit/dom.ts';
import type { VirtualList } from '../kit/virtualList.ts';
import { ColumnChooser } from './columnChooser.ts';
import { boundedWidth, listColumns, sortByOf } from './columns.ts';
import { type FittingColumns, fittingColumns } from './fittingColumns.ts';
import type { RowOrder } from './rowOrder.ts';

export interface ListedColumnsOptions {
  readonly chosen: readonly TailColumn[];
  readonly list: () => VirtualList;
  readonly order: () => RowOrder;
  /** How many partitions are read; none while that is not known. */
  readonly partitionCount: () => number;
  /** Others were chosen, or one was widened: what the rows hold is asked for anew. */
  readonly onChange: () => void;
}

export class ListedColumns {
  readonly chooser: ColumnChooser;
  /** Ten characters of the list's font, which stands in the list's place. */
  readonly probe = h('div', { class: 'list-row list-probe ten-characters', 'aria-hidden': true });
  readonly #options: ListedColumnsOptions;
  #fitting: FittingColumns;
  /** Some of the rows are of another day than today. */
  #hasDays = false;

  constructor(options: ListedColumnsOptions) {
    this.#options = options;
    this.chooser = new ColumnChooser({
      onChange: () => this.#use(),
      widthOf: (column) => this.#widthOf(column),
    });
    this.chooser.columns = options.chosen;
    this.#fitting = fittingColumns(
      options.chosen,
      { widthPx: 0, characterPx: 0 },
      { hasDays: false, hasOnePartition: false },
    );
  }

  /** Those that are drawn. */
  get drawn(): readonly TailColumn[] {
    return this.#fitting.columns;
  }

  /** Whether there is room for all of the day of a record. */
  get hasRoomForDays(): boolean {
    return !this.#fitting.isNarrow;
  }

  /** The rows are of a list that fills `place`. */
  fitInto(place: HTMLElement): void {
    const fit = new ResizeObserver(() => this.fit());
    for (const element of [place, this.probe]) fit.observe(element);
  }

  /**
   * The list is wider or narrower than it was, or its font is, or other partitions are read: what is drawn stays
   * where that changes nothing.
   */
  fit(): void {
    const was = this.#fitting;
    const now = this.#fittingNow();
    const isSame = was.isNarrow === now.isNarrow && was.columns.length === now.columns.length;
    if (!isSame) this.draw();
  }

  /** Other rows are listed from now on. */
  reset(): void {
    this.#hasDays = false;
    this.draw();
  }

  draw(): void {
    this.#fitting = this.#fittingNow();
    const { columns, isNarrow } = this.#fitting;
    const { order } = this.#options.order();
    this.#options
      .list()
      .setColumns(listColumns(columns, { order, hasDays: this.#hasDays, isNarrow }));
  }

  /** While rows are drawn: the columns are drawn anew after them. */
  makeRoomForDays(): void {
    if (this.#hasDays) return;
    this.#hasDays = true;
    queueMicrotask(() => this.draw());
  }

  /** Gives the column at a place of the list another width. */
  resize(place: number, width: number): void {
    const column = this.drawn[place];
    this.chooser.columns = this.chooser.columns.map((old) =>
      old === column ? { ...old, width: boundedWidth(width) } : old,
    );
    this.#use();
  }

  /** What the column at a place of the list sorts by, if it does. */
  sortByOf(place: number): SortBy | undefined {
    const column = this.drawn[place];
    return column && sortByOf(column);
  }

  #widthOf(column: TailColumn): number | undefined {
    const place = this.drawn.indexOf(column);
    return place < 0 ? undefined : this.#options.list().widthOf(place);
  }

  #fittingNow(): FittingColumns {
    const characterPx = this.probe.offsetWidth / 10;
    const widthPx = this.probe.parentElement?.clientWidth ?? 0;
    const hasOnePartition = this.#options.partitionCount() === 1;
    const listed = { hasDays: this.#hasDays, hasOnePartition };
    return fittingColumns(this.chooser.columns, { widthPx, characterPx }, listed);
  }

  #use(): void {
    this.draw();
    this.#options.onChange();
  }
}
