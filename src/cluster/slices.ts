import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';

/** Longer than this at a time long work does not keep the event loop. */
const sliceMs = 8;

/** Long work in slices: between two of them others have their turn. */
export class Slices {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #endMs: number;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    this.#endMs = clock.monotonicMs() + sliceMs;
  }

  get isOver(): boolean {
    return this.#clock.monotonicMs() >= this.#endMs;
  }

  /** Resolves in the next slice. Rejects where the work is not wanted any more. */
  async next(): Promise<void> {
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#endMs = this.#clock.monotonicMs() + sliceMs;
  }
}
