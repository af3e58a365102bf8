import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { type Deferred, deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';
import { orCancelled } from '../client/waiting.ts';
import type { FilterProgress, FilterShow } from '../shared/contracts/tail.ts';
import type { PlacedRecord, TailMatcher, Verdict } from './tailMatchers.ts';
import { toProblem } from './problems.ts';
import { TailRowNumbers } from './tailRowNumbers.ts';
import type { StoredRow, StoredRows, TailStore } from './tailStore.ts';

/** Longer than this at a time the filter does not keep the event loop. */
const sliceMs = 8;
/** Words for the latest failures are kept; of all of them there is the count. */
const keptFailures = 1000;
/** Reading waits while more rows than this are still to be filtered, so that none is dropped unseen. */
const rowsBehindMax = 50_000;

interface FilteringOptions {
  readonly store: TailStore;
  readonly matcher: TailMatcher;
  readonly clock: Clock;
  readonly onProgress: () => void;
}

/** Passes the rows of a store through a filter, those held and those to come, a slice at a time. */
export class TailFiltering implements Disposable {
  readonly #options: FilteringOptions;
  readonly #end = new AbortController();
  readonly #matched = new TailRowNumbers();
  readonly #failed = new TailRowNumbers();
  readonly #failures = new Map<number, string>();
  #counts = { matched: 0, rejected: 0, failed: 0 };
  /** The number of the next row to look at. */
  #next: number;
  #problem: FilterProgress['problem'];
  #more: Deferred<void> | undefined;
  #caughtUp: Deferred<void> | undefined;

  constructor(options: FilteringOptions) {
    this.#options = options;
    this.#next = options.store.firstRow;
    this.#run().catch((error: unknown) => this.#giveUp(error));
  }

  get progress(): Omit<FilterProgress, 'show'> {
    const { store } = this.#options;
    return {
      ...this.#counts,
      pending: Math.max(0, store.nextRow - Math.max(this.#next, store.firstRow)),
      ...(this.#problem && { problem: this.#problem }),
    };
  }

  /** The rows that matched, or those of which it could not be said. */
  numbers(show: FilterShow): TailRowNumbers {
    const numbers = show === 'matched' ? this.#matched : this.#failed;
    numbers.dropBefore(this.#options.store.firstRow);
    return numbers;
  }

  /** Why a row's record could not be judged. */
  failure(row: number): string | undefined {
    return this.#failures.get(row);
  }

  /** Rows were added to the store. */
  wake(): void {
    this.#more?.resolve();
    this.#more = undefined;
  }

  /** Resolves when reading may go on. */
  async keepUp(): Promise<void> {
    while (this.#isBehind) {
      this.#caughtUp ??= deferred();
      await this.#caughtUp.promise;
    }
  }

  dispose(): void {
    this.#end.abort();
    this.#letReadingGoOn();
    this.#options.matcher.dispose();
  }

  get #isBehind(): boolean {
    const isOver = this.#end.signal.aborted || this.#problem !== undefined;
    return !isOver && this.#options.store.nextRow - this.#next > rowsBehindMax;
  }

  #letReadingGoOn(): void {
    this.#caughtUp?.resolve();
    this.#caughtUp = undefined;
  }

  #giveUp(error: unknown): void {
    if (this.#end.signal.aborted) return;
    const { message, hint } = toProblem(error);
    this.#problem = { message, ...(hint !== undefined && { hint }) };
    this.#letReadingGoOn();
    this.#options.onProgress();
  }

  async #run(): Promise<void> {
    const { store, clock, onProgress } = this.#options;
    const { signal } = this.#end;
    let sliceEndMs = clock.monotonicMs() + sliceMs;
    while (!signal.aborted) {
      const around = this.#next < store.nextRow ? store.rowsAround(this.#next) : undefined;
      if (around) {
        await this.#judge(around);
      } else {
        onProgress();
        this.#letReadingGoOn();
        this.#more ??= deferred();
        await orCancelled(this.#more.promise, signal);
      }
      if (clock.monotonicMs() < sliceEndMs) continue;
      onProgress();
      if (!this.#isBehind) this.#letReadingGoOn();
      await nextTurn();
      sliceEndMs = clock.monotonicMs() + sliceMs;
    }
  }

  async #judge(around: StoredRows): Promise<void> {
    const { matcher } = this.#options;
    const end = around.firstRow + around.rowCount;
    const from = Math.max(this.#next, around.firstRow);
    if (around.batch && matcher.mayMatch && !mayMatch(matcher, around)) {
      this.#counts.rejected += end - from;
      this.#next = end;
      return;
    }
    const rows = around.rows().slice(from - around.firstRow);
    for (let first = 0; first < rows.length; first += matcher.most) {
      await this.#judgeRows(from + first, rows.slice(first, first + matcher.most));
      if (this.#end.signal.aborted) return;
    }
    this.#next = end;
  }

  async #judgeRows(first: number, rows: readonly StoredRow[]): Promise<void> {
    const records: PlacedRecord[] = [];
    for (const row of rows) if (row.kind === 'record') records.push(row);
    const verdicts = await this.#options.matcher.match(records);
    let judged = 0;
    rows.forEach((row, index) => {
      const number = first + index;
      // What is said between records is of use whatever is looked for.
      if (row.kind === 'note') this.#matched.push(number);
      else if (row.kind === 'problem') this.#count(number, { failure: row.problem });
      else this.#count(number, verdicts[judged++] ?? false);
    });
    this.#next = first + rows.length;
  }

  #count(row: number, verdict: Verdict): void {
    if (verdict === true) {
      this.#counts.matched++;
      this.#matched.push(row);
    } else if (verdict === false) {
      this.#counts.rejected++;
    } else {
      this.#counts.failed++;
      this.#failed.push(row);
      this.#failures.set(row, verdict.failure);
      const [oldest] = this.#failures.keys();
      if (this.#failures.size > keptFailures && oldest !== undefined) this.#failures.delete(oldest);
    }
  }
}

/** A batch that cannot be read has to be looked at, to say so. */
function mayMatch(matcher: TailMatcher, { batch }: StoredRows): boolean {
  if (!batch || !matcher.mayMatch) return true;
  try {
    return matcher.mayMatch(batch);
  } catch {
    return true;
  }
}
