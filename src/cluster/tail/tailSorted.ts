import { type Deferred, deferred } from '../../base/deferred.ts';
import type { Disposable } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { TailOrder } from '../../shared/contracts/tailQuery.ts';
import type { StoredRow } from './keptBatch.ts';
import type { TailStore } from './tailStore.ts';

interface SortedOptions {
  readonly order: TailOrder;
  /** Numbers of the store's rows, in that order. */
  readonly rows: Float64Array;
  /** The number of what would be the next row if it were not sorted. */
  readonly end: number;
  readonly store: TailStore;
}

/** The rows of a moment in another order than that of their arrival, each in a place from 0. */
export class TailSorted implements Disposable {
  readonly #options: SortedOptions;
  #over: Deferred<void> | undefined;
  #isDisposed = false;

  constructor(options: SortedOptions) {
    this.#options = options;
  }

  readonly first = 0;

  /** The place after the last. */
  get end(): number {
    return this.#options.rows.length;
  }

  get held(): number {
    return this.#options.rows.length;
  }

  /** Where rows stood when these were sorted: what comes from there on is newer. */
  get sortedTo(): number {
    return this.#options.end;
  }

  get progress(): { order: TailOrder; waits: boolean } {
    return { order: this.#options.order, waits: this.#over !== undefined };
  }

  /** The row number in a place. */
  at(place: number): number | undefined {
    return this.#options.rows[place];
  }

  placeOf(row: number): number | undefined {
    const place = this.#options.rows.indexOf(row);
    return place < 0 ? undefined : place;
  }

  /** What stands for a row that was dropped since. */
  get gone(): StoredRow {
    const text = t('dropped since it was sorted, to stay within the memory of this view');
    return { kind: 'note', note: { partition: 0, offset: -1n, text } };
  }

  /** Resolves when reading may go on without rows being dropped that are sorted: once they are so no longer. */
  async keepUp(): Promise<void> {
    if (this.#isDisposed || !this.#options.store.isNearlyFull) return;
    this.#over ??= deferred();
    await this.#over.promise;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#over?.resolve();
  }
}
