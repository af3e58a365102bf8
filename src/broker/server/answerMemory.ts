import type { Clock } from '../../base/clock.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { memoryBounds } from '../memoryBounds.ts';

/** While memory is short a client has so long to take its answer. */
const longestTakingMs = 10_000;

/** An answer on its way to the client. */
interface Sent {
  readonly bytes: number;
  readonly sinceMs: number;
  readonly cutOff: () => void;
}

/**
 * The memory of answers whose size is not that of their requests: few are made at a time, and none while those that
 * clients have not taken yet pass the bound. Who then takes nothing for long is cut off.
 */
export class AnswerMemory {
  readonly #clock: () => Clock;
  readonly #waiting = new Set<() => void>();
  readonly #sent = new Set<Sent>();
  #sentBytes = 0;
  #beingMade = 0;
  #deadline: Disposable | undefined;

  constructor(clock: () => Clock) {
    this.#clock = clock;
  }

  get sentBytes(): number {
    return this.#sentBytes;
  }

  /**
   * Resolves when an answer may be made; it is made once what this gives is disposed. Rejects when the signal aborts.
   */
  async enter(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#hasRoom && this.#waiting.size === 0) this.#beingMade++;
    else await this.#wait(signal);
    return toDisposable(() => {
      this.#beingMade--;
      this.#beginNext();
    });
  }

  /** Counts an answer that is made until it is disposed: the client has taken it, or never will. */
  hold(bytes: number, cutOff: () => void): Disposable {
    const sent = { bytes, cutOff, sinceMs: this.#clock().monotonicMs() };
    this.#sent.add(sent);
    this.#sentBytes += bytes;
    return toDisposable(() => {
      if (!this.#sent.delete(sent)) return;
      this.#sentBytes -= bytes;
      this.#beginNext();
    });
  }

  get #hasRoom(): boolean {
    const { mostAtOnce, boundBytes } = memoryBounds.answers;
    return this.#beingMade < mostAtOnce && this.#sentBytes < boundBytes;
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(begin);
      };
      const begin = (): void => {
        leave();
        this.#beingMade++;
        resolve();
      };
      const abort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort);
      this.#waiting.add(begin);
      this.#watch();
    });
  }

  #beginNext(): void {
    for (const begin of this.#waiting) {
      if (!this.#hasRoom) return;
      begin();
    }
  }

  /** As long as somebody waits, looks who has had an answer for too long. */
  #watch(): void {
    this.#deadline ??= this.#clock().setTimer(longestTakingMs / 2, () => {
      this.#deadline = undefined;
      if (this.#waiting.size === 0) return;
      if (this.#sentBytes >= memoryBounds.answers.boundBytes) this.#cutOffSlow();
      this.#watch();
    });
  }

  #cutOffSlow(): void {
    const lastMs = this.#clock().monotonicMs() - longestTakingMs;
    for (const { sinceMs, cutOff } of this.#sent) if (sinceMs <= lastMs) cutOff();
  }
}
