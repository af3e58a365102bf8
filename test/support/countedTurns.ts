import type { Clock } from '../../src/base/clock.ts';

/** Counts what is done in each turn of the event loop, by a clock on which each reading takes a millisecond. */
export class CountedTurns {
  /** Turns that somebody else had meanwhile. */
  count = 0;
  /** The most that was done in one. */
  most = 0;
  #inTurn = 0;
  #nowMs = 0;
  #next = setImmediate(() => this.#turn());

  readonly clock: Clock = {
    nowMs: () => this.#nowMs,
    monotonicMs: () => this.#nowMs++,
    setTimer: () => ({ dispose: () => undefined }),
  };

  /** The same items, each counted when it is taken. */
  *counted<T>(items: Iterable<T>): Generator<T> {
    for (const item of items) {
      this.most = Math.max(this.most, ++this.#inTurn);
      yield item;
    }
  }

  dispose(): void {
    clearImmediate(this.#next);
  }

  #turn(): void {
    this.count++;
    this.#inTurn = 0;
    this.#next = setImmediate(() => this.#turn());
  }
}
