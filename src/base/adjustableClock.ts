import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/**
 * A clock whose wall time can be moved forward, never back. Monotonic time and timers stay as they are: what is
 * measured or waited for (sessions, deadlines) does not notice.
 */
export class AdjustableClock implements Clock {
  readonly #inner: Clock;
  #aheadMs: number;

  constructor(inner: Clock, aheadMs: number) {
    this.#inner = inner;
    this.#aheadMs = aheadMs;
  }

  /** How far this clock is ahead of the one below it. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  advance(byMs: number): void {
    if (byMs < 0) throw new RangeError('a clock never goes back');
    this.#aheadMs += byMs;
  }

  nowMs(): number {
    return this.#inner.nowMs() + this.#aheadMs;
  }

  monotonicMs(): number {
    return this.#inner.monotonicMs();
  }

  setTimer(delayMs: number, fire: () => void): Disposable {
    return this.#inner.setTimer(delayMs, fire);
  }
}
