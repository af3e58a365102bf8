import type { Clock } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { CancelledError, DeadlineError } from './kafkaError.ts';

/** Waits that end: each has a deadline or a signal, and leaves no listener or timer behind. */

/** The promise's outcome, or a CancelledError as soon as the signal aborts. The work itself goes on. */
export function orCancelled<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(new CancelledError());
  }
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(new CancelledError());
    signal.addEventListener('abort', abort, { once: true });
    promise
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
      .catch(() => undefined);
  });
}

export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.reject(new CancelledError());
  return new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      timer.dispose();
      reject(new CancelledError());
    };
    const timer = clock.setTimer(delayMs, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** A moment by which an operation has to be over, measured on a clock that never goes back. */
export class Deadline {
  readonly timeoutMs: number;
  readonly #clock: Clock;
  readonly #endMs: number;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.timeoutMs = timeoutMs;
    this.#endMs = clock.monotonicMs() + timeoutMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.#endMs - this.#clock.monotonicMs());
  }

  get hasPassed(): boolean {
    return this.remainingMs === 0;
  }

  /** The promise's outcome, or `error(what)` if the moment comes first. The work itself goes on. */
  orLate<T>(promise: Promise<T>, what: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = this.#clock.setTimer(this.remainingMs, () => reject(this.error(what)));
      void promise.then(resolve, reject).finally(() => timer.dispose());
    });
  }

  /** The error for when it has passed while waiting for `what`. */
  error(what: string, cause?: unknown): DeadlineError {
    return new DeadlineError(t('no answer within {0} s: {1}', inSeconds(this.timeoutMs), what), {
      cause,
    });
  }
}

/** A duration as people read it: what is left of a deadline has a long fraction. */
export function inSeconds(durationMs: number): number {
  const seconds = durationMs / 1000;
  return seconds < 10 ? Number(seconds.toPrecision(2)) : Math.round(seconds);
}
