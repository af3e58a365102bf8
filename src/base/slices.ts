import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** How long work goes on before others get their turn. */
const sliceMs = 4;

/** Long work cut up, so that the event loop is never held for long. */
export class Slices {
  readonly #clock: Clock;
  #endsAtMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#endsAtMs = clock.monotonicMs() + sliceMs;
  }

  /** Lets others run, and begins the next slice, where this one is over. Call `isOver` first in tight loops. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    await nextTurn();
    this.#endsAtMs = this.#clock.monotonicMs() + sliceMs;
  }

  get isOver(): boolean {
    return this.#clock.monotonicMs() >= this.#endsAtMs;
  }
}
