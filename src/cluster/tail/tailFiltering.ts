import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import type { Disposable } from '../../base/disposable.ts';
import { orCancelled } from '../../client/waiting.ts';
import { cutWords } from '../../shared/contracts/common.ts';
import type { FilterProgress } from '../../shared/contracts/tailProgress.ts';
import type { FilterShow, TimeSpan } from '../../shared/contracts/tailQuery.ts';
import type { PlacedRecord, TailMatcher, Verdict } from './tailMatchers.ts';
import { toProblem } from '../problems.ts';
import { TailRowNumbers } from './tailRowNumbers.ts';
import type { StoredRow } from './keptBatch.ts';
import type { StoredRows, TailStore } from './tailStore.ts';

/** Longer than this at a time the filter does not keep the event loop. */
const sliceMs = 8;
/** Payloads that are judged together, unless a single record is larger. */
const bytesAtOnce = 1024 * 1024;
/** Words for the latest failures are kept; of all of them there is the count. */
const keptFailures = 1000;
/** Reading waits while more rows than this are still to be filtered, so that none is dropped unseen. */
const rowsBehindMax = 50_000;

interface FilteringOptions {
  readonly store: TailStore;
  readonly matcher: TailMatcher;
  readonly clock: Clock;
  /** Rows of other times are left out, unseen. */
  readonly within?: TimeSpan | undefined;
  readonly onProgress: () => void;
}

/** Passes the rows of a store through a filter, those held and those to come, a slice at a time. */
export class TailFiltering implements Disposable {
  readonly #options: FilteringOptions;
  readonly #end = new AbortController();
  readonly #matched = new TailRowNumbers();
  readonly #failed = new TailRowNumbers();
  readonly #failures = new Map<number, string>();
  #firstFailure: string | undefined;
  #counts = { matched: 0, rejected: 0, failed: 0, elsewhen: 0 };
  /** Rows before this one have been judged. */
  #next: number;
  /** Rows before this one are judged, or about to be. */
  #taken: number;
  /** The first row of a batch that has to be looked at record by record. */
  #worthwhile = -1;
  #problem: FilterProgress['problem'];
  #more: Deferred<void> | undefined;
  #caughtUp: Deferred<void> | undefined;
  #someJudged: Deferred<void> | undefined;

  constructor(options: FilteringOptions) {
    this.#options = options;
    this.#next = options.store.firstRow;
    this.#taken = this.#next;
    this.#run().catch((error: unknown) => this.#giveUp(error));
  }

  get progress(): Omit<FilterProgress, 'show'> {
    const { store } = this.#options;
    return {
      ...this.#counts,
      pending: Math.max(0, store.nextRow - Math.max(this.#next, store.firstRow)),
      ...(this.#firstFailure !== undefined && { failure: this.#firstFailure }),
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

  /** Resolves once the rows before `row` are judged, or will not be. Rejects when aborted. */
  async judged(row: number, signal: AbortSignal): Promise<void> {
    while (this.#next < row && !this.#end.signal.aborted && this.#problem === undefined) {
      this.#someJudged ??= deferred();
      await orCancelled(this.#someJudged.promise, signal);
    }
  }

  dispose(): void {
    this.#end.abort();
    this.#tellJudged();
    this.#letReadingGoOn();
    this.#options.matcher.dispose();
  }

  get #isBehind(): boolean {
    const isOver = this.#end.signal.aborted || this.#problem !== undefined;
    return !isOver && this.#options.store.nextRow - this.#next > rowsBehindMax;
  }

  #tellJudged(): void {
    this.#someJudged?.resolve();
    this.#someJudged = undefined;
  }

  #letReadingGoOn(): void {
    this.#caughtUp?.resolve();
    this.#caughtUp = undefined;
  }

  #giveUp(error: unknown): void {
    if (this.#end.signal.aborted) return;
    const { message, hint } = toProblem(error);
    this.#problem = { message, ...(hint !== undefined && { hint }) };
    this.#tellJudged();
    this.#letReadingGoOn();
    this.#options.onProgress();
  }

  /** One lot of rows is judged while the next is read. */
  async #run(): Promise<void> {
    const { clock, onProgress } = this.#options;
    const { signal } = this.#end;
    let judged = Promise.resolve();
    let sliceEndMs = clock.monotonicMs() + sliceMs;
    while (!signal.aborted) {
      const lot = this.#take(sliceEndMs);
      const verdicts = lot.records.length > 0 ? this.#options.matcher.match(lot.records) : [];
      await judged;
      judged = this.#settle(lot, verdicts);
      // What fails is met in the next round, or below.
      judged.catch(() => undefined);
      if (this.#taken >= this.#options.store.nextRow) {
        await judged;
        await this.#waitForMore();
      }
      if (clock.monotonicMs() < sliceEndMs) continue;
      onProgress();
      if (!this.#isBehind) this.#letReadingGoOn();
      await nextTurn();
      sliceEndMs = clock.monotonicMs() + sliceMs;
    }
  }

  async #waitForMore(): Promise<void> {
    const { store, onProgress } = this.#options;
    if (this.#taken < store.nextRow) return;
    onProgress();
    this.#letReadingGoOn();
    this.#more ??= deferred();
    await orCancelled(this.#more.promise, this.#end.signal);
  }

  /** The next rows, of as many batches as there is time for. */
  #take(sliceEndMs: number): Lot {
    const { store, matcher, clock } = this.#options;
    const lot = new Lot();
    while (lot.rows.length < matcher.most && lot.bytes < bytesAtOnce) {
      const around = this.#taken < store.nextRow ? store.rowsAround(this.#taken) : undefined;
      if (!around) break;
      this.#takeSome(around, lot);
      if (clock.monotonicMs() >= sliceEndMs) break;
    }
    lot.end = this.#taken;
    return lot;
  }

  #takeSome(around: StoredRows, lot: Lot): void {
    const { firstRow, rowCount } = around;
    const end = firstRow + rowCount;
    let row = Math.max(this.#taken, firstRow);
    if (around.batch && !this.#hasInTime(row, end)) {
      lot.elsewhen += end - row;
      row = end;
    } else if (this.#looksPointless(around)) {
      const elsewhen = this.#countElsewhen(row, end);
      lot.elsewhen += elsewhen;
      lot.rejected += end - row - elsewhen;
      row = end;
    } else {
      const rows = around.rows();
      const { most } = this.#options.matcher;
      for (; row < end && lot.rows.length < most && lot.bytes < bytesAtOnce; row++) {
        const kept = rows[row - firstRow];
        if (kept?.kind === 'record' && !this.#isInTime(row)) lot.elsewhen++;
        else lot.add(row, kept);
      }
    }
    this.#taken = row;
  }

  #isInTime(row: number): boolean {
    const { within, store } = this.#options;
    if (!within) return true;
    const time = store.times.at(row);
    return time >= within.fromMs && time < within.toMs;
  }

  #countElsewhen(first: number, end: number): number {
    if (!this.#options.within) return 0;
    let count = 0;
    for (let row = first; row < end; row++) if (!this.#isInTime(row)) count++;
    return count;
  }

  #hasInTime(first: number, end: number): boolean {
    return this.#countElsewhen(first, end) < end - first;
  }

  /** Whether none of the batch can match: asked once of each, and not for a piece of it. */
  #looksPointless(around: StoredRows): boolean {
    if (around.isPiece) return false;
    if (around.firstRow === this.#worthwhile) return false;
    if (!mayMatch(this.#options.matcher, around)) return true;
    this.#worthwhile = around.firstRow;
    return false;
  }

  async #settle(lot: Lot, verdicts: Verdict[] | Promise<Verdict[]>): Promise<void> {
    const given = await verdicts;
    if (this.#end.signal.aborted) return;
    let judged = 0;
    this.#counts.rejected += lot.rejected;
    this.#counts.elsewhen += lot.elsewhen;
    this.#next = lot.end;
    for (const { number, row } of lot.rows) {
      // What is said between records is of use whatever is looked for.
      if (row.kind === 'note') this.#matched.push(number);
      else if (row.kind === 'problem') this.#count(number, { failure: row.problem });
      else if (judged < given.length) this.#count(number, given[judged++] ?? false);
      else {
        this.#next = number;
        break;
      }
    }
    this.#tellJudged();
    const { problem } = this.#options.matcher;
    if (problem) throw problem;
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
      this.#firstFailure ??= cutWords(verdict.failure);
      const [oldest] = this.#failures.keys();
      if (this.#failures.size > keptFailures && oldest !== undefined) this.#failures.delete(oldest);
    }
  }
}

/** Rows that are judged together. */
class Lot {
  readonly rows: { readonly number: number; readonly row: StoredRow }[] = [];
  readonly records: PlacedRecord[] = [];
  /** Of the records. */
  bytes = 0;
  /** Rows that need not be judged: none of theirs can match, or they are of another time. */
  rejected = 0;
  elsewhen = 0;
  /** The number of the row after the last. */
  end = 0;

  add(number: number, row: StoredRow | undefined): void {
    if (!row) return;
    this.rows.push({ number, row });
    if (row.kind !== 'record') return;
    this.records.push(row);
    this.bytes += (row.record.key?.length ?? 0) + (row.record.value?.length ?? 0);
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
