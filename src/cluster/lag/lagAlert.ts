/** When a group counts as behind. Left out: not watched for. */
export interface LagThresholds {
  readonly records?: bigint;
  readonly seconds?: number;
}

export interface LagNow {
  /** Null: not known. */
  readonly records: bigint | null;
  readonly seconds: number | null;
}

/** What of the lag has reached its threshold. */
export type LagReason = 'records' | 'seconds';

export type AlertChange =
  { readonly kind: 'raised'; readonly reason: LagReason } | { readonly kind: 'cleared' };

/** Below this share of its threshold a lag is over: one that swings around it is told of once. */
const clearedShare = 80n;

/** Says when a lag crosses its threshold, once each way. */
export class LagAlert {
  #isRaised = false;

  get isRaised(): boolean {
    return this.#isRaised;
  }

  /** What has changed with this lag; undefined: nothing that is worth a word. */
  update(now: LagNow, thresholds: LagThresholds): AlertChange | undefined {
    const reason = reached(now, thresholds, 100n);
    if (reason && !this.#isRaised) {
      this.#isRaised = true;
      return { kind: 'raised', reason };
    }
    if (!this.#isRaised || !isOver(now, thresholds)) return undefined;
    this.#isRaised = false;
    return { kind: 'cleared' };
  }
}

/** What is not known is not over. */
function isOver(now: LagNow, thresholds: LagThresholds): boolean {
  const isUnknown =
    (thresholds.records !== undefined && now.records === null) ||
    (thresholds.seconds !== undefined && now.seconds === null);
  return !isUnknown && reached(now, thresholds, clearedShare) === undefined;
}

function reached(
  { records, seconds }: LagNow,
  thresholds: LagThresholds,
  percent: bigint,
): LagReason | undefined {
  const { records: most, seconds: longest } = thresholds;
  if (most !== undefined && records !== null && records * 100n >= most * percent) return 'records';
  if (longest !== undefined && seconds !== null && seconds * 100 >= longest * Number(percent)) {
    return 'seconds';
  }
  return undefined;
}
