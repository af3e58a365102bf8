/** As many seconds' worth as may be used at once: quota.window.num times quota.window.size.seconds. */
const burstSeconds = 11;

/**
 * Permits that grow back at a rate. One use may take more than there are; the next has to wait. [TokenBucket, KIP-599]
 */
export class TokenBucket {
  #tokens: number;
  #lastMs: number;

  constructor(ratePerSecond: number, nowMs: number) {
    this.#tokens = ratePerSecond * burstSeconds;
    this.#lastMs = nowMs;
  }

  /** How long to wait until something may be used again; 0: now. */
  throttleMs(ratePerSecond: number, nowMs: number): number {
    const grown = this.#tokens + ((nowMs - this.#lastMs) / 1000) * ratePerSecond;
    this.#tokens = Math.min(ratePerSecond * burstSeconds, grown);
    this.#lastMs = nowMs;
    return this.#tokens < 0 ? Math.round((-this.#tokens / ratePerSecond) * 1000) : 0;
  }

  take(permits: number): void {
    this.#tokens -= permits;
  }
}
