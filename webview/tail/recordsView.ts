/** The records as the page lists them: fetched as they are looked at, in the columns and the order that are chosen. */
import { t } from '../../src/base/l10n.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { tailHost } from '../../src/shared/contracts/tail.ts';
import type { TailColumn } from '../../src/shared/contracts/tailColumns.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { RecordPlace, TailRow } from '../../src/shared/contracts/tailRows.ts';
import { button } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import type { Host } from '../kit/host.ts';
import { toUserError } from '../kit/parts.ts';
import type { VirtualList } from '../kit/virtualList.ts';
import { ColumnChooser } from './columnChooser.ts';
import { boundedWidth, columnParts, listColumns, shownColumns, sortByOf } from './columns.ts';
import { recordList } from './recordList.ts';
import { RowCache } from './rowCache.ts';
import { RowOrder } from './rowOrder.ts';

/** In another order each row may be of another batch, which has to be unpacked. */
const AHEAD_ROWS = { arrived: 100, sorted: 20 };

export interface RecordsViewOptions {
  readonly host: Host<typeof tailHost>;
  readonly columns: readonly TailColumn[];
  readonly onColumns: () => void;
  /** Other rows are looked at. */
  readonly onView: () => void;
  /** Rows came. */
  readonly onRows: () => void;
  /** A row was chosen; with the focus where the record is to be read. */
  readonly onOpen: (row: number, focus: boolean) => void;
  readonly dragged: (record: TailRow) => Readonly<Record<string, string>> | undefined;
  readonly onError: (error: UserError) => void;
}

export class RecordsView {
  readonly element: HTMLElement;
  readonly order: RowOrder;
  readonly chooser: ColumnChooser;
  readonly #options: RecordsViewOptions;
  readonly #cache: RowCache;
  readonly #list: VirtualList;
  readonly #empty = h('div', { class: 'empty', hidden: true });
  readonly #toNewest = button({
    label: t('Jump to newest'),
    icon: 'toEnd',
    onClick: () => this.#list.followEnd(),
  });
  /** Some of them are of another day than today. */
  #hasDays = false;

  constructor(options: RecordsViewOptions) {
    this.#options = options;
    this.order = this.#makeOrder();
    this.chooser = new ColumnChooser({
      onChange: () => this.#useColumns(),
      widthOf: (column) => this.#list.widthOf(column),
    });
    this.chooser.columns = options.columns;
    this.#cache = this.#makeCache();
    this.#list = this.#makeList();
    show(this.#toNewest.element, false);
    this.element = h(
      'main',
      { class: 'records' },
      this.#list.element,
      this.#empty,
      this.#toNewest.element,
    );
  }

  record(row: number): TailRow | undefined {
    return this.#cache.get(row);
  }

  /** The number of the row of a record, if it is here. */
  find({ partition, offset }: RecordPlace): number | undefined {
    return this.#cache.find(partition, offset);
  }

  /**
   * The record at the top of what is looked at: undefined where the list follows its end; null where it is not here, or
   * rows are in another order than the log.
   */
  get top(): TailRow | undefined | null {
    if (this.order.isSorted) return null;
    return this.#list.following ? undefined : (this.#cache.get(this.#list.topRow) ?? null);
  }

  select(row: number): void {
    this.#list.select(row);
  }

  showAtTop(row: number): void {
    this.#list.showAtTop(row);
  }

  focus(): void {
    this.#list.element.focus();
  }

  /** Rows of another session are numbered anew. */
  reset({ session, sorted }: TailProgress): void {
    this.#hasDays = false;
    this.#drawColumns();
    this.#list.reset({ atEnd: sorted === undefined });
    this.#cache.reset(session);
  }

  /** What is said of these rows is out of date. */
  forgetWhere(isOld: (row: TailRow) => boolean): void {
    this.#cache.forgetWhere(isOld);
  }

  /** Rows were read, or dropped. `words` stand where there are none. */
  onProgress({ dropped, held, state }: TailProgress, words: () => string): void {
    const end = dropped + held;
    this.#list.setRows(dropped, end);
    this.#cache.setHeld(dropped, end);
    show(this.#empty, held === 0 && state !== 'failed');
    if (held === 0) setText(this.#empty, words());
  }

  #makeOrder(): RowOrder {
    const { host, onError } = this.#options;
    return new RowOrder({
      sort: async (order) =>
        (await host.callWithoutDeadline('setOrder', { ...(order && { order }) })).error,
      onError,
      onChange: () => this.#showOrder(),
    });
  }

  #makeCache(): RowCache {
    const { host, onRows, onError } = this.#options;
    return new RowCache({
      ahead: () => (this.order.isSorted ? AHEAD_ROWS.sorted : AHEAD_ROWS.arrived),
      fetch: (session, first, count) =>
        host.call('rows', { session, first, count, parts: columnParts(this.chooser.columns) }),
      onRows: () => {
        this.#list.refresh();
        onRows();
      },
      onError: (error) => onError(toUserError(error)),
    });
  }

  #makeList(): VirtualList {
    const { onView, onOpen, dragged } = this.#options;
    return recordList({
      record: (row) => this.#cache.get(row),
      columns: () => this.chooser.columns,
      onDay: () => this.#makeRoomForDays(),
      onView: (first, end) => {
        this.#cache.setView(first, end);
        onView();
      },
      onResize: (shown, width) => this.#resize(shown, width),
      onSelect: (row) => onOpen(row, false),
      onOpen: (row) => onOpen(row, true),
      onFollow: () => this.#showToNewest(),
      onSort: (shown) => {
        const column = shownColumns(this.chooser.columns)[shown];
        const by = column && sortByOf(column);
        if (by) this.order.turn(by);
      },
      dragged: (row) => {
        const record = this.#cache.get(row);
        return record && dragged(record);
      },
      onEscape: () => {
        if (this.order.order) void this.order.set(undefined);
      },
    });
  }

  /** While rows are drawn: the columns are drawn anew after them. */
  #makeRoomForDays(): void {
    if (this.#hasDays) return;
    this.#hasDays = true;
    queueMicrotask(() => this.#drawColumns());
  }

  #drawColumns(): void {
    const { order } = this.order;
    this.#list.setColumns(listColumns(this.chooser.columns, { order, hasDays: this.#hasDays }));
  }

  #useColumns(): void {
    this.#drawColumns();
    this.#cache.forgetWhere(() => true);
    this.#options.onColumns();
  }

  #resize(shown: number, width: number): void {
    const column = shownColumns(this.chooser.columns)[shown];
    this.chooser.columns = this.chooser.columns.map((old) =>
      old === column ? { ...old, width: boundedWidth(width) } : old,
    );
    this.#useColumns();
  }

  #showOrder(): void {
    this.#drawColumns();
    this.#list.label = this.order.isSorted ? t('Records, sorted') : t('Records, oldest first');
    this.#showToNewest();
  }

  #showToNewest(): void {
    show(this.#toNewest.element, !this.#list.following && !this.order.isSorted);
  }
}
