import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** Makes one call of many requests for it: at most one an interval, and always one after the last request. */
export class Throttle implements Disposable {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #fire: () => void;
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(clock: Clock, intervalMs: number, fire: () => void) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#fire = fire;
  }

  /** Asks for a call within the interval. May be asked from within the call. */
  request(): void {
    if (this.#timer || this.#isDisposed) return;
    this.#timer = this.#clock.setTimer(this.#intervalMs, () => {
      this.#timer = undefined;
      this.#fire();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
