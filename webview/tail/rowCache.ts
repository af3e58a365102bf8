/** The rows of a tail session that the panel holds: those that are looked at and some around them. */
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';

export interface RowPage {
  readonly session: number;
  readonly first: number;
  readonly rows: readonly TailRow[];
}

export interface RowCacheOptions {
  readonly fetch: (session: number, first: number, count: number) => Promise<RowPage>;
  /** How many rows are asked for beyond what is missing, in the direction of scrolling. */
  readonly ahead: () => number;
  /** Rows up to `end - 1` arrived. */
  readonly onRows: (end: number) => void;
  readonly onError: (error: unknown) => void;
}

const PAGE_ROWS = 500;
const HELD_ROWS_MAX = 4000;
const KEPT_AROUND_ROWS = 1000;

export class RowCache {
  readonly #options: RowCacheOptions;
  readonly #rows = new Map<number, TailRow>();
  #session = -1;
  #heldFirst = 0;
  #heldEnd = 0;
  #viewFirst = 0;
  #viewEnd = 0;
  #fetching = false;
  /** What has gone out of date since the page that is under way was asked for. */
  #outdated: ((row: TailRow) => boolean)[] = [];

  constructor(options: RowCacheOptions) {
    this.#options = options;
  }

  /** Another session: nothing of the last one counts. */
  reset(session: number): void {
    this.#session = session;
    this.#rows.clear();
    this.setHeld({ first: 0, end: 0 });
    this.setView(0, 0);
  }

  get(row: number): TailRow | undefined {
    return this.#rows.get(row);
  }

  /** The row behind the last of those that are here without a gap from `first` on. */
  endFrom(first: number): number {
    let end = first;
    while (end < this.#heldEnd && this.#rows.has(end)) end++;
    return end;
  }

  /** What is said of these rows is out of date: they are fetched anew where they are looked at. */
  forgetWhere(isOld: (row: TailRow) => boolean): void {
    if (this.#fetching) this.#outdated.push(isOld);
    for (const [number, row] of this.#rows) if (isOld(row)) this.#rows.delete(number);
    void this.#pump();
  }

  /** The host holds rows `first` to `end - 1`. */
  setHeld({ first, end }: { readonly first: number; readonly end: number }): void {
    this.#heldFirst = first;
    this.#heldEnd = end;
    void this.#pump();
  }

  /** Rows `first` to `end - 1` are looked at; those that are missing are fetched. */
  setView(first: number, end: number): void {
    this.#viewFirst = first;
    this.#viewEnd = end;
    void this.#pump();
  }

  /** One request at a time: what is asked for next is what is looked at then. */
  async #pump(): Promise<void> {
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      for (;;) {
        const wanted = this.#missing();
        if (!wanted || !(await this.#fetch(wanted.first, wanted.count))) break;
      }
    } finally {
      this.#fetching = false;
    }
  }

  /** The next page to fetch, reaching beyond the view on the side where rows are missing. */
  #missing(): { first: number; count: number } | undefined {
    const from = Math.max(this.#viewFirst, this.#heldFirst);
    const to = Math.min(this.#viewEnd, this.#heldEnd);
    let first = from;
    while (first < to && this.#rows.has(first)) first++;
    if (first >= to) return undefined;
    let end = to;
    while (this.#rows.has(end - 1)) end--;
    const ahead = this.#options.ahead();
    if (first === from) first = Math.max(this.#heldFirst, first - ahead);
    if (end === to) end = Math.min(this.#heldEnd, end + ahead);
    return { first, count: Math.min(end - first, PAGE_ROWS) };
  }

  /** True where rows came, so that it is worth to look for more. */
  async #fetch(first: number, count: number): Promise<boolean> {
    const session = this.#session;
    this.#outdated = [];
    let page: RowPage;
    try {
      page = await this.#options.fetch(session, first, count);
    } catch (error) {
      if (session === this.#session) this.#options.onError(error);
      return false;
    }
    // What was asked for an earlier session is dropped, and the present one is looked at again.
    if (session !== this.#session) return true;
    if (page.session !== session || page.rows.length === 0) return false;
    for (const [index, row] of page.rows.entries()) {
      if (!this.#outdated.some((isOld) => isOld(row))) this.#rows.set(page.first + index, row);
    }
    this.#evict();
    this.#options.onRows(page.first + page.rows.length);
    return true;
  }

  #evict(): void {
    if (this.#rows.size <= HELD_ROWS_MAX) return;
    for (const row of this.#rows.keys()) {
      if (row < this.#viewFirst - KEPT_AROUND_ROWS || row >= this.#viewEnd + KEPT_AROUND_ROWS) {
        this.#rows.delete(row);
      }
    }
  }
}
