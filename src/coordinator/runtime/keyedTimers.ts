import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Decision } from './decision.ts';

/** What a timer does; like a request, it decides records and answers. */
export type TimerAction = (decision: Decision) => void;

/** A shard's timers, by key: scheduling a key again replaces it. Kafka's CoordinatorTimer. */
export class KeyedTimers implements Disposable {
  readonly #clock: Clock;
  readonly #run: (action: TimerAction) => void;
  readonly #timers = new Map<string, Disposable>();

  constructor(clock: Clock, run: (action: TimerAction) => void) {
    this.#clock = clock;
    this.#run = run;
  }

  get size(): number {
    return this.#timers.size;
  }

  has(key: string): boolean {
    return this.#timers.has(key);
  }

  schedule(key: string, delayMs: number, action: TimerAction): void {
    this.cancel(key);
    const timer = this.#clock.setTimer(delayMs, () => {
      this.#timers.delete(key);
      this.#run(action);
    });
    this.#timers.set(key, timer);
  }

  cancel(key: string): void {
    this.#timers.get(key)?.dispose();
    this.#timers.delete(key);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
    this.#timers.clear();
  }
}
