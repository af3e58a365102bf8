import type { Clock } from '../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';

interface Timer {
  readonly dueMs: number;
  readonly fire: () => void;
}

/** A clock that moves only when told to; its wall clock starts at `startMs`. */
export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_700_000_000_000) {
    this.#wallMs = startMs;
  }

  nowMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  setTimer(delayMs: number, fire: () => void): Disposable {
    const timer: Timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), fire };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** Moves time on, firing what falls due in order, each at its own time. */
  advance(ms: number): void {
    const endMs = this.#monotonicMs + ms;
    for (;;) {
      const next = this.#nextDue(endMs);
      if (next === undefined) break;
      this.#moveTo(next.dueMs);
      this.#timers.delete(next);
      next.fire();
    }
    this.#moveTo(endMs);
  }

  /** Moves the wall clock alone, as when a machine's time is set. */
  setWallMs(ms: number): void {
    this.#wallMs = ms;
  }

  #nextDue(endMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers)
      if (timer.dueMs <= endMs && (first === undefined || timer.dueMs < first.dueMs)) first = timer;
    return first;
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }
}
