import type { Clock } from '../base/clock.ts';
import { deferred } from '../base/deferred.ts';
import { CancelledError } from './kafkaError.ts';

interface Waiting {
  /** Goes before all others. */
  readonly isUrgent: boolean;
  send(): void;
  fail(error: Error): void;
}

export interface QueuedRequest<T> {
  readonly isUrgent: boolean;
  readonly send: () => Promise<T>;
  /** Until its answer, the wait for its turn included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when the time is up; makes the error that the request then rejects with. */
  readonly onLate: () => Error;
}

/** Requests that wait for their turn at a broker. What is given up before is not sent. */
export class RequestQueue {
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get isNextUrgent(): boolean {
    return this.#waiting[0]?.isUrgent === true;
  }

  /** Resolves with the answer. Rejects with what sending fails at, with a CancelledError, or when the time is up. */
  add<T>(request: QueuedRequest<T>): Promise<T> {
    const { isUrgent, send, timeoutMs, signal, onLate } = request;
    const result = deferred<T>();
    const waiting: Waiting = {
      isUrgent,
      send: () => {
        send().then(
          (answer) => result.resolve(answer),
          (error: unknown) => result.reject(error as Error),
        );
      },
      fail: (error) => result.reject(error),
    };
    const giveUp = (errorOf: () => Error): void => {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      result.reject(errorOf());
    };
    const cancel = (): void => giveUp(() => new CancelledError());
    const timer = this.#clock.setTimer(timeoutMs, () => giveUp(onLate));
    signal?.addEventListener('abort', cancel, { once: true });
    if (isUrgent) this.#waiting.unshift(waiting);
    else this.#waiting.push(waiting);
    return result.promise.finally(() => {
      timer.dispose();
      signal?.removeEventListener('abort', cancel);
    });
  }

  /** Sends the first of them. */
  sendNext(): void {
    this.#waiting.shift()?.send();
  }

  failAll(errorOf: () => Error): void {
    for (const waiting of this.#waiting.splice(0)) waiting.fail(errorOf());
  }
}
