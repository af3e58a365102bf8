import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** How long work goes on before others get their turn. */
const sliceMs = 4;

/**
 * Long work of this process's own, cut up so that the event loop is never held for long. Each piece of work has slices
 * of its own; what clients of a broker can make as large and as many as they like shares `Turns` instead.
 */
export class Slices {
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  #endsAtMs: number;

  constructor(clock: Clock, signal?: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    this.#endsAtMs = clock.monotonicMs() + sliceMs;
  }

  /**
   * Lets others run, and begins the next slice, where this one is over. Call `isOver` first in tight loops. Rejects
   * once the signal says that the work is not wanted any more.
   */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#endsAtMs = this.#clock.monotonicMs() + sliceMs;
  }

  get isOver(): boolean {
    return this.#clock.monotonicMs() >= this.#endsAtMs;
  }
}
