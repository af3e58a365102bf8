import type { Clock } from '../base/clock.ts';

const bucketMs = 100;
const bucketCount = 10;

/** How many of something happened in the last second. */
export class RateMeter {
  readonly #clock: Clock;
  readonly #buckets = new Array<number>(bucketCount).fill(0);
  #current = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(count: number): void {
    this.#advance();
    const index = this.#current % bucketCount;
    this.#buckets[index] = (this.#buckets[index] ?? 0) + count;
  }

  get perSecond(): number {
    this.#advance();
    return this.#buckets.reduce((sum, count) => sum + count, 0);
  }

  #advance(): void {
    const now = Math.floor(this.#clock.monotonicMs() / bucketMs);
    const passed = Math.min(now - this.#current, bucketCount);
    for (let step = 0; step < passed; step++) this.#buckets[(now - step) % bucketCount] = 0;
    this.#current = now;
  }
}
