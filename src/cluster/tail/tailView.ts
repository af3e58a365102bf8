import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/logger.ts';
import type { TailHistogram } from '../../shared/contracts/tailHistogram.ts';
import type { FilterProgress, TailProgress } from '../../shared/contracts/tailProgress.ts';
import type { FilterShow, TailOrder, TimeSpan } from '../../shared/contracts/tailQuery.ts';
import type { RowPart, TailRow } from '../../shared/contracts/tailRows.ts';
import { parseTailFilter } from '../../shared/tailFilter.ts';
import type { TailDecoders } from './tailDecoders.ts';
import { TailFiltering } from './tailFiltering.ts';
import { countByTime } from './tailHistogram.ts';
import { everyRecord, plainMatcher, type TailMatcher } from './tailMatchers.ts';
import { tailRow } from './tailRows.ts';
import { sortRows } from './tailSort.ts';
import { TailSorted } from './tailSorted.ts';
import { ScriptMatcher, type ScriptMatcherOptions } from './tailScriptMatcher.ts';
import type { StoredRow } from './keptBatch.ts';
import type { TailStore } from './tailStore.ts';

export interface TailViewOptions extends ScriptMatcherOptions {
  readonly store: TailStore;
  readonly onProgress: () => void;
}

export interface WantedRows {
  readonly first: number;
  readonly count: number;
  /** What is wanted of each beside. */
  readonly parts?: readonly RowPart[] | undefined;
}

/** Which of a store's rows are looked at: all, or those that a filter lets through. */
export class TailView implements Disposable {
  readonly #options: TailViewOptions;
  #decoders: TailDecoders = {};
  #filter = '';
  #show: FilterShow = 'matched';
  #within: TimeSpan | undefined;
  #filtering: TailFiltering | undefined;
  #sorted: TailSorted | undefined;
  #sorting: AbortController | undefined;
  #filterings = 0;
  /** How many starts there were, and the newest of them that is in force. */
  #starts = 0;
  #started = 0;
  #isDisposed = false;

  constructor(options: TailViewOptions) {
    this.#options = options;
  }

  /** How payloads of the rows are read. */
  get decoders(): TailDecoders {
    return this.#decoders;
  }

  /**
   * Reads payloads otherwise from now on. A filter looks at what is read, so it starts over, which numbers rows anew:
   * true where that is so.
   */
  async setDecoders(decoders: TailDecoders): Promise<boolean> {
    this.#decoders = decoders;
    const wasSorted = this.#sorted !== undefined;
    this.#unsort();
    if (!this.#filtering) return wasSorted;
    await this.#start(this.#filter, this.#within);
    return true;
  }

  /** Counts the filters: rows that one lets through have other numbers with the next. */
  get filterings(): number {
    return this.#filterings;
  }

  /** Number of the first row that is held. */
  get first(): number {
    if (this.#sorted) return 0;
    return this.#filtering?.numbers(this.#show).first ?? this.#options.store.firstRow;
  }

  get held(): number {
    if (this.#sorted) return this.#sorted.held;
    return this.#filtering?.numbers(this.#show).held ?? this.#options.store.held;
  }

  get progress(): FilterProgress | undefined {
    return this.#filtering && { ...this.#filtering.progress, show: this.#show };
  }

  get sorted(): TailProgress['sorted'] {
    const { end } = this.range(false);
    return this.#sorted && { ...this.#sorted.progress, newer: end - this.#sorted.sortedTo };
  }

  /**
   * Has what is looked at now in another order, or as it arrives. False: another request came before it was sorted, and
   * nothing changes. A filter ends it.
   */
  async setOrder(order: TailOrder | undefined): Promise<boolean> {
    this.#sorting?.abort();
    if (!order) {
      this.#unsort();
      return true;
    }
    const sorting = (this.#sorting = new AbortController());
    try {
      const sorted = await this.#sort(order, sorting.signal);
      if (sorting.signal.aborted) return false;
      this.#unsort();
      this.#sorted = sorted;
      return true;
    } catch (error) {
      if (sorting.signal.aborted) return false;
      throw error;
    }
  }

  async #sort(order: TailOrder, signal: AbortSignal): Promise<TailSorted> {
    const { store, clock } = this.#options;
    await this.#filtering?.judged(store.nextRow, signal);
    signal.throwIfAborted();
    const numbers = this.#filtering?.numbers(this.#show);
    const end = numbers?.end ?? store.nextRow;
    const first = store.firstRow;
    const rows =
      numbers?.rows.slice() ??
      Float64Array.from({ length: end - first }, (_, index) => first + index);
    const sorted = await sortRows(rows, order, { store, clock, signal, decoders: this.#decoders });
    return new TailSorted({ order, rows: sorted, end, store });
  }

  #unsort(): void {
    this.#sorting?.abort();
    this.#sorting = undefined;
    this.#sorted?.dispose();
    this.#sorted = undefined;
  }

  /** Rejects, in words, where the filter cannot be read; then the one in force stays. */
  async setFilter(filter: string, show: FilterShow, within?: TimeSpan): Promise<void> {
    const isOther =
      filter !== this.#filter ||
      within?.fromMs !== this.#within?.fromMs ||
      within?.toMs !== this.#within?.toMs;
    const needsStart = isOther || this.#filtering?.progress.problem !== undefined;
    if (!needsStart) this.#started = ++this.#starts;
    else if (!(await this.#start(filter, within))) return;
    if (show !== this.#show) this.#unsort();
    this.#show = show;
  }

  /** False: it took longer to get ready than a newer one, and is not wanted any more. */
  async #start(filter: string, within: TimeSpan | undefined): Promise<boolean> {
    const { decoders } = this;
    const start = ++this.#starts;
    const made = await makeMatcher(filter, { ...this.#options, decoders });
    const matcher = made ?? (within && everyRecord);
    if (this.#isDisposed || start < this.#started) {
      matcher?.dispose();
      return false;
    }
    this.#started = start;
    this.#filtering?.dispose();
    this.#unsort();
    this.#filterings++;
    const { store, clock, onProgress } = this.#options;
    this.#filtering = matcher && new TailFiltering({ store, matcher, clock, within, onProgress });
    this.#filter = filter;
    this.#within = within;
    return true;
  }

  /** How many rows are of which time; undefined where none has one. */
  histogram(): TailHistogram | undefined {
    const { store } = this.#options;
    const { times } = store;
    const shown = this.#filtering?.numbers(this.#show).rows.map((row) => times.at(row));
    const all = times.between(store.firstRow, store.nextRow);
    return countByTime({ all, within: this.#within, ...(shown && { shown }) });
  }

  rows({ first, count, parts }: WantedRows): TailRow[] {
    const { store } = this.#options;
    const filtering = this.#filtering;
    const { decoders } = this;
    const write = (row: StoredRow): TailRow => tailRow(row, decoders, parts);
    const numbers = this.#sorted ?? filtering?.numbers(this.#show);
    if (!numbers) return store.rows(first, count).map(write);
    const rows: TailRow[] = [];
    const end = Math.min(first + count, numbers.end);
    for (let place = Math.max(first, numbers.first); place < end; place++) {
      const number = numbers.at(place);
      const [row = this.#sorted?.gone] = number === undefined ? [] : store.rows(number, 1);
      if (!row || number === undefined) continue;
      const failure = filtering?.failure(number);
      rows.push({ ...write(row), ...(failure !== undefined && { failure }) });
    }
    return rows;
  }

  /** The number of the row of a record, where it is held and looked at. */
  findRow(partition: number, offset: bigint): number | undefined {
    const row = this.#options.store.rowOf(partition, offset);
    if (row === undefined) return undefined;
    if (this.#sorted) return this.#sorted.placeOf(row);
    if (!this.#filtering) return row;
    return this.#filtering.numbers(this.#show).placeOf(row);
  }

  /** Numbers of what is looked at, or of all rows, in the order of arrival. */
  range(all: boolean): { readonly first: number; readonly end: number } {
    const { store } = this.#options;
    const numbers = all ? undefined : this.#filtering?.numbers(this.#show);
    return numbers
      ? { first: numbers.first, end: numbers.end }
      : { first: store.firstRow, end: store.nextRow };
  }

  /** As they are kept, of what is looked at or of all rows. */
  stored(all: boolean, first: number, count: number): StoredRow[] {
    const { store } = this.#options;
    const numbers = all ? undefined : this.#filtering?.numbers(this.#show);
    if (!numbers) return store.rows(first, count);
    const places = Array.from({ length: count }, (_, index) => numbers.at(first + index));
    return places.flatMap((row) => (row === undefined ? [] : store.rows(row, 1)));
  }

  /** Rows were added to the store. */
  wake(): void {
    this.#filtering?.wake();
  }

  /** Resolves when reading may go on without rows being dropped that the filter has not seen, or that are sorted. */
  async keepUp(): Promise<void> {
    await this.#filtering?.keepUp();
    await this.#sorted?.keepUp();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#unsort();
    this.#filtering?.dispose();
  }
}

/** Undefined: there is nothing to filter by. Rejects, in words, where the filter cannot be read. */
async function makeMatcher(
  text: string,
  options: ScriptMatcherOptions,
): Promise<TailMatcher | undefined> {
  const filter = parseTailFilter(text);
  if (filter.kind === 'none') return undefined;
  if (filter.kind !== 'script') return plainMatcher(filter, options.decoders ?? {});
  const matcher = new ScriptMatcher(filter.source, options);
  await matcher.start();
  return matcher;
}

/** What is wrong with a filter, if anything. */
export async function filterProblem(
  text: string,
  options: ScriptMatcherOptions,
): Promise<string | undefined> {
  try {
    (await makeMatcher(text, options))?.dispose();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}
