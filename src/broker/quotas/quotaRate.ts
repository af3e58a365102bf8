/** Kafka's quota.window.size.seconds and quota.window.num. */
const windowMs = 1000;
const windows = 11;

/** The longest time over which a rate is looked at without going over it at once. */
export const fullWindowsSeconds = windows - 1;

interface Sample {
  readonly startMs: number;
  lastMs: number;
  sum: number;
}

/**
 * What somebody used in the last eleven seconds, by the second. Seconds that have not been yet count as used for
 * nothing, so that a first burst is let through. [Rate, SampledStat]
 */
export class QuotaRate {
  #samples: Sample[] = [];

  record(value: number, nowMs: number): void {
    let sample = this.#samples.at(-1);
    if (!sample || nowMs - sample.startMs >= windowMs) {
      sample = { startMs: nowMs, lastMs: nowMs, sum: 0 };
      this.#samples.push(sample);
    }
    sample.lastMs = nowMs;
    sample.sum += value;
    this.#dropOld(nowMs);
  }

  /**
   * How long to wait until the rate, in units a second, is no more than the bound; 0: it is not.
   * [QuotaUtils.throttleTime]
   */
  throttleMs(bound: number, nowMs: number): number {
    this.#dropOld(nowMs);
    const size = this.#windowMs(nowMs);
    const rate = this.#samples.reduce((sum, sample) => sum + sample.sum, 0) / (size / 1000);
    return rate > bound ? Math.round(((rate - bound) / bound) * size) : 0;
  }

  #windowMs(nowMs: number): number {
    const elapsedMs = nowMs - (this.#samples[0]?.startMs ?? nowMs);
    const missing = Math.max(0, windows - 1 - Math.floor(elapsedMs / windowMs));
    return Math.max(1, elapsedMs + missing * windowMs);
  }

  #dropOld(nowMs: number): void {
    const kept = this.#samples.findIndex(({ lastMs }) => nowMs - lastMs < windows * windowMs);
    this.#samples = kept === -1 ? [] : this.#samples.slice(kept);
  }
}
