/** The offsets that a log is known by. All of them only grow, except when a log is truncated. */
export class LogOffsets {
  logStart: bigint;
  /** The offset of the next record. */
  logEnd: bigint;
  highWatermark: bigint;
  /** Everything below is on the disk for certain. */
  recoveryPoint: bigint;
  /** Where the earliest undecided transaction begins. */
  firstUnstable: bigint | undefined;
  /** Up to where the log was compacted; undefined: never. */
  cleaned: bigint | undefined;

  constructor(start: {
    readonly logStart: bigint;
    readonly logEnd: bigint;
    readonly highWatermark: bigint;
    readonly recoveryPoint: bigint;
    readonly cleaned?: bigint | undefined;
  }) {
    this.logStart = start.logStart;
    this.logEnd = start.logEnd;
    // Not bounded by the log end yet: before recovery that is only the recovery point.
    this.highWatermark =
      start.highWatermark > start.logStart ? start.highWatermark : start.logStart;
    this.recoveryPoint = start.recoveryPoint;
    this.cleaned = start.cleaned;
  }

  /** What a read_committed reader may see up to [UnifiedLog.lastStableOffset]. */
  get lastStable(): bigint {
    const { firstUnstable, highWatermark, logStart } = this;
    if (firstUnstable === undefined || firstUnstable >= highWatermark) return highWatermark;
    return firstUnstable > logStart ? firstUnstable : logStart;
  }

  /** Answers whether it moved. */
  advanceHighWatermark(offset: bigint): boolean {
    const next = offset < this.logEnd ? offset : this.logEnd;
    if (next <= this.highWatermark) return false;
    this.highWatermark = next;
    return true;
  }

  advanceLogStart(offset: bigint): void {
    if (offset > this.logStart) this.logStart = offset;
    if (this.highWatermark < this.logStart) this.highWatermark = this.logStart;
    if (this.recoveryPoint < this.logStart) this.recoveryPoint = this.logStart;
  }

  /** Sets the bounds that were found in the folder; the high watermark must lie within them. */
  settle(found: { logStart: bigint; logEnd: bigint; recoveryPoint: bigint }): void {
    this.logStart = found.logStart;
    this.logEnd = found.logEnd;
    this.recoveryPoint = found.recoveryPoint;
    if (this.cleaned !== undefined && this.cleaned > found.logEnd) this.cleaned = found.logEnd;
    this.highWatermark = clamp(this.highWatermark, found.logStart, found.logEnd);
  }
}

function clamp(offset: bigint, low: bigint, high: bigint): bigint {
  if (offset < low) return low;
  return offset > high ? high : offset;
}
