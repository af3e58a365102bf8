/** The records as the page lists them: fetched as they are looked at, in the columns and the order that are chosen. */
import { t } from '../../src/base/l10n.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { tailHost } from '../../src/shared/contracts/tail.ts';
import type { TailColumn } from '../../src/shared/contracts/tailColumns.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { h } from '../kit/dom.ts';
import type { Host } from '../kit/host.ts';
import { toUserError } from '../kit/parts.ts';
import type { VirtualList } from '../kit/virtualList.ts';
import { columnParts } from './columns.ts';
import { EmptyView, type EmptyViewOptions } from './emptyView.ts';
import { ListedColumns } from './listedColumns.ts';
import { MovedLine } from './movedLine.ts';
import { recordList } from './recordList.ts';
import { RowCache } from './rowCache.ts';
import { RowOrder } from './rowOrder.ts';
import { StartOfList } from './startOfList.ts';
import { ToNewest } from './toNewest.ts';

/**
 * Beyond those that are looked at. In another order each row may be of another batch, which has to be unpacked; and
 * where the end is followed, it is gone before anybody scrolls.
 */
const AHEAD_ROWS = { arrived: 100, sorted: 20, followed: 10 };

export interface RecordsViewOptions extends EmptyViewOptions {
  readonly host: Host<typeof tailHost>;
  readonly columns: readonly TailColumn[];
  /** How many partitions are read; none while that is not known. */
  readonly partitionCount: () => number;
  readonly onColumns: () => void;
  /** Other rows are looked at. */
  readonly onView: () => void;
  /** Rows came. */
  readonly onRows: () => void;
  /** Reading is to be paused. */
  readonly onPause: () => void;
  /** The list began or ceased to follow its end. */
  readonly onFollow: () => void;
  /** Whether the list of an earlier page followed its end. */
  readonly follows: boolean | undefined;
  /** A row was chosen; with the focus where the record is to be read. */
  readonly onOpen: (row: number, focus: boolean) => void;
  readonly dragged: (record: TailRow) => Readonly<Record<string, string>> | undefined;
  readonly onError: (error: UserError) => void;
}

export class RecordsView {
  readonly element: HTMLElement;
  readonly order: RowOrder;
  /** Says it where rows were dropped while they were looked at. */
  readonly moved: MovedLine;
  readonly columns: ListedColumns;
  readonly #options: RecordsViewOptions;
  readonly #cache: RowCache;
  readonly #list: VirtualList;
  readonly #empty: EmptyView;
  readonly #start: StartOfList;
  readonly #toNewest = new ToNewest(() => this.#list.followEnd());
  /** The rows that there are: `first` to `end - 1`. The list is told of the newest when they are here. */
  #held = { first: 0, end: 0 };
  /** The end that the list was told. */
  #listed = 0;

  constructor(options: RecordsViewOptions) {
    this.#options = options;
    this.moved = new MovedLine(options.onPause);
    this.#start = new StartOfList(options.follows);
    this.order = this.#makeOrder();
    this.columns = this.#makeColumns();
    this.#empty = new EmptyView(options);
    this.#cache = this.#makeCache();
    this.#list = this.#makeList();
    this.element = h(
      'main',
      { class: 'records' },
      this.#list.element,
      this.#empty.element,
      this.#toNewest.element,
      this.columns.probe,
    );
    this.columns.fitInto(this.element);
  }

  record(row: number): TailRow | undefined {
    return this.#cache.get(row);
  }

  /**
   * The record at the top of what is looked at: undefined where the list follows its end, or stands where the tail
   * starts; null where it is not here, or rows are in another order than the log.
   */
  get top(): TailRow | undefined | null {
    if (this.order.isSorted) return null;
    const { following, topRow } = this.#list;
    if (following || (topRow === 0 && this.#start.isShown)) return undefined;
    return this.#cache.get(topRow) ?? null;
  }

  /** Whether the list follows its end; undefined where nothing is listed yet. */
  get follows(): boolean | undefined {
    return this.#start.isKnown ? this.#list.following : this.#options.follows;
  }

  select(row: number): void {
    this.#listTo();
    this.#list.select(row);
  }

  /** Selects a row, and stays where the list is. */
  mark(row: number): void {
    this.#listTo();
    this.#list.mark(row);
  }

  /** The selected row, unless the end is followed. */
  revealSelected(): void {
    this.#list.revealSelected();
  }

  showAtTop(row: number): void {
    this.#listTo();
    this.#list.showAtTop(row);
  }

  focus(): void {
    this.#list.element.focus();
  }

  /** Rows of another session are numbered anew. */
  reset(progress: TailProgress): void {
    this.moved.forget();
    this.columns.reset();
    this.#held = { first: 0, end: 0 };
    this.#listed = 0;
    this.#list.reset({ atEnd: this.#start.begin(progress, this.#list.following) });
    this.#cache.reset(progress.session);
  }

  /** What is said of these rows is out of date. */
  forgetWhere(isOld: (row: TailRow) => boolean): void {
    this.#cache.forgetWhere(isOld);
  }

  /** Rows were read, or dropped. */
  onProgress(progress: TailProgress): void {
    const { topRow } = this.#list;
    const { dropped, held } = progress;
    this.#held = { first: dropped, end: dropped + held };
    this.#cache.setHeld(this.#held);
    this.#showHeld();
    this.moved.onProgress(progress, !this.#list.following && dropped > topRow);
    this.#start.onProgress(progress);
    this.#followWhole();
    this.#showToNewest();
    this.#empty.set(progress);
  }

  /** Everything that there is can be seen, its beginning too: what comes is shown. */
  #followWhole(): void {
    const { isEndInView, selected, rowsInView } = this.#list;
    if (!this.#start.isWaiting || rowsInView === 0) return;
    if (this.#start.settle() && isEndInView && selected === undefined) this.#list.followEnd();
  }

  get #isFollowing(): boolean {
    // A page that nobody sees does not read what nobody looks at.
    return this.#list.following && !this.order.isSorted && !document.hidden;
  }

  #listTo(end = this.#held.end): void {
    const { first } = this.#held;
    if (end < first) return;
    this.#listed = end;
    this.#list.setRows(first, end);
  }

  /** Where the end is followed it moves on when its rows are here: it is never seen blank, and drawn once. */
  #showHeld(): void {
    const { first } = this.#held;
    if (!this.#isFollowing || this.#listed <= first) {
      this.#listTo();
      return;
    }
    const wanted = this.#lookAtEnd();
    const here = this.#cache.endFrom(wanted);
    this.#listTo(here > wanted ? here : this.#listed);
  }

  /** Has the last rows fetched. Returns the first of them. */
  #lookAtEnd(): number {
    const { first, end } = this.#held;
    const wanted = Math.max(first, end - this.#list.rowsInView - 1);
    this.#cache.setView(wanted, end);
    return wanted;
  }

  /** By the time they are here there may be newer ones: these are shown nevertheless, or none ever would be. */
  #onRows(end: number): void {
    if (this.#isFollowing) this.#listTo(Math.max(this.#listed, end));
    this.#list.refresh();
    this.#options.onRows();
  }

  #onView(first: number, end: number): void {
    if (this.#isFollowing) this.#lookAtEnd();
    else this.#cache.setView(first, end);
    this.#followWhole();
    this.#showToNewest();
    this.#options.onView();
  }

  #onFollow(): void {
    if (this.#list.following) this.moved.forget();
    this.#showHeld();
    this.#showToNewest();
    this.#options.onFollow();
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

  #makeColumns(): ListedColumns {
    return new ListedColumns({
      chosen: this.#options.columns,
      list: () => this.#list,
      order: () => this.order,
      partitionCount: () => this.#options.partitionCount(),
      onChange: () => {
        this.#cache.forgetWhere(() => true);
        this.#options.onColumns();
      },
    });
  }

  #makeCache(): RowCache {
    const { host, onError } = this.#options;
    return new RowCache({
      ahead: () => {
        if (this.order.isSorted) return AHEAD_ROWS.sorted;
        return this.#isFollowing ? AHEAD_ROWS.followed : AHEAD_ROWS.arrived;
      },
      fetch: (session, first, count) =>
        host.call('rows', {
          session,
          first,
          count,
          parts: columnParts(this.columns.chooser.columns),
        }),
      onRows: (end) => this.#onRows(end),
      onError: (error) => onError(toUserError(error)),
    });
  }

  #makeList(): VirtualList {
    const { onOpen, dragged } = this.#options;
    return recordList({
      record: (row) => this.#cache.get(row),
      columns: () => this.columns.drawn,
      hasRoomForDays: () => this.columns.hasRoomForDays,
      onDay: () => this.columns.makeRoomForDays(),
      onView: (first, end) => this.#onView(first, end),
      onResize: (place, width) => this.columns.resize(place, width),
      onSelect: (row) => onOpen(row, false),
      onOpen: (row) => onOpen(row, true),
      onFollow: () => this.#onFollow(),
      onSort: (place) => {
        const by = this.columns.sortByOf(place);
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

  #showOrder(): void {
    this.columns.draw();
    this.#list.label = this.order.isSorted ? t('Records, sorted') : t('Records, oldest first');
    this.#showToNewest();
  }

  #showToNewest(): void {
    const { following, isEndInView, inView } = this.#list;
    const below = this.#held.end - inView.end;
    const isOffered = !following && !isEndInView && below > 0 && !this.order.isSorted;
    this.#toNewest.set(isOffered ? below : undefined);
  }
}
