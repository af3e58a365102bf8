import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

export interface LiveRefreshOptions {
  readonly clock: Clock;
  /** Time between refreshes; 0 or less: none. Asked for before each wait. */
  readonly intervalMs: () => number;
  /** Refreshes; resolves to false where something could not be read. */
  readonly refresh: () => Promise<boolean>;
}

/** A refresh may take at most one part in this many of the time. */
const quietShare = 9;
const longestBackoffMs = 60_000;

/**
 * Refreshes in turns while the view is visible. The next turn is set only when one has ended, later where
 * refreshing is slow, and twice as late for each failure in a row: a cluster in trouble gets less to do.
 */
export class LiveRefresh implements Disposable {
  readonly #options: LiveRefreshOptions;
  #isVisible = false;
  #isDisposed = false;
  #failures = 0;
  #lastTookMs = 0;
  #isRunning = false;
  #timer: Disposable | undefined;

  constructor(options: LiveRefreshOptions) {
    this.#options = options;
  }

  /** Shows or hides the view. On showing, what it holds may be old: the first refresh comes at once. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    this.#timer?.dispose();
    this.#timer = undefined;
    if (isVisible) this.#schedule(0);
  }

  /** Takes a changed interval into account. */
  reschedule(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#schedule(this.#delayMs());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  #schedule(delayMs: number): void {
    if (!this.#isVisible || this.#isDisposed || this.#isRunning) return;
    if (this.#options.intervalMs() <= 0) return;
    this.#timer = this.#options.clock.setTimer(delayMs, () => void this.#turn());
  }

  #delayMs(): number {
    const backedOff = this.#options.intervalMs() * 2 ** Math.min(this.#failures, 10);
    const wanted = Math.max(this.#options.intervalMs(), Math.min(backedOff, longestBackoffMs));
    return Math.max(wanted, this.#lastTookMs * quietShare);
  }

  async #turn(): Promise<void> {
    const { clock, refresh } = this.#options;
    this.#isRunning = true;
    const startedMs = clock.monotonicMs();
    const succeeded = await refresh().catch(() => false);
    this.#lastTookMs = clock.monotonicMs() - startedMs;
    this.#failures = succeeded ? 0 : this.#failures + 1;
    this.#isRunning = false;
    this.#schedule(this.#delayMs());
  }
}
