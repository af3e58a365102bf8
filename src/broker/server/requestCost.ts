import { inTurns, type Steps } from '../../base/turns.ts';

/** What one request takes of the thread, and for how long its client is throttled for it. */
export class RequestCost {
  readonly #use: (ms: number) => number;
  #throttleMs = 0;
  #isLong = false;

  /** `use` counts time of the thread, and answers for how long the client is to be throttled. */
  constructor(use: (ms: number) => number) {
    this.#use = use;
  }

  /** For so long, if nobody asks for more. */
  readonly throttle = (forMs: number): void => {
    this.#throttleMs = Math.max(this.#throttleMs, forMs);
  };

  get throttleMs(): number {
    return this.#throttleMs;
  }

  /** Some of it was done in turns: the answer may be long as well. */
  get isLong(): boolean {
    return this.#isLong;
  }

  spend(ms: number): void {
    this.throttle(this.#use(ms));
  }

  /** What has begun goes on before others begin, so that little is half done at once. */
  inTurns<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
    const goesOn = this.#isLong;
    this.#isLong = true;
    const onSpent = (ms: number): void => this.spend(ms);
    return inTurns(steps, { onSpent, goesOn, ...(signal && { signal }) });
  }
}
