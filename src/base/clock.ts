import { type Disposable, toDisposable } from './disposable.ts';

/**
 * Time, injected everywhere below `broker/`, so that tests and simulations own it and the embedded
 * cluster's clock can be moved.
 */
export interface Clock {
  /** Wall-clock milliseconds since the epoch: what goes into records and expiry rules. */
  nowMs(): number;
  /** Milliseconds that never go back: for measuring and for deadlines. */
  monotonicMs(): number;
  /** Calls `fire` once after `delayMs` (0 or more), unless disposed before. */
  setTimer(delayMs: number, fire: () => void): Disposable;
}

/** Node's timers hold at most this delay; a longer one would fire at once. */
const longestTimeoutMs = 2 ** 31 - 1;

/** The machine's own clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, Math.min(Math.max(0, delayMs), longestTimeoutMs));
    timer.unref();
    return toDisposable(() => clearTimeout(timer));
  },
};
