import type { LogConfig } from './logConfig.ts';

/** A segment as retention sees it. */
export interface RetainedSegment {
  readonly baseOffset: bigint;
  /** Base offset of the next segment; the log end for the last one. */
  readonly endOffset: bigint;
  readonly sizeInBytes: number;
  /** The largest timestamp in it or, where no record has one, the time of the last write. */
  readonly timestampMs: number;
}

export interface RetentionState {
  readonly config: LogConfig;
  readonly nowMs: number;
  readonly logStartOffset: bigint;
  readonly highWatermark: bigint;
}

/**
 * How many segments go, counted from the oldest [UnifiedLog.deleteOldSegments]: those wholly below the log
 * start, and for topics with cleanup.policy=delete those over retention.bytes and retention.ms. None
 * that reaches past the high watermark. The last one may be among them, unless it is empty: the caller
 * begins a new one first.
 */
export function expiredSegments(
  segments: readonly RetainedSegment[],
  state: RetentionState,
): number {
  let count = countWhile(segments, state, (_, index) => isBelowStart(segments, index, state));
  if (!state.config.cleanupPolicy.has('delete')) return count;
  count += overSize(segments.slice(count), state);
  count += countWhile(segments.slice(count), state, (segment) => isTooOld(segment, state));
  return count;
}

function isBelowStart(
  segments: readonly RetainedSegment[],
  index: number,
  { logStartOffset }: RetentionState,
): boolean {
  const next = segments[index + 1];
  return next !== undefined && next.baseOffset <= logStartOffset;
}

function overSize(segments: readonly RetainedSegment[], state: RetentionState): number {
  const { retentionBytes } = state.config;
  if (retentionBytes < 0) return 0;
  let surplus = segments.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0) - retentionBytes;
  return countWhile(segments, state, ({ sizeInBytes }) => {
    if (surplus < sizeInBytes) return false;
    surplus -= sizeInBytes;
    return true;
  });
}

function isTooOld(segment: RetainedSegment, { config, nowMs }: RetentionState): boolean {
  return config.retentionMs >= 0 && nowMs - segment.timestampMs > config.retentionMs;
}

function countWhile(
  segments: readonly RetainedSegment[],
  { highWatermark }: RetentionState,
  isExpired: (segment: RetainedSegment, index: number) => boolean,
): number {
  const kept = segments.findIndex((segment, index) => {
    const isEmptyLast = index === segments.length - 1 && segment.sizeInBytes === 0;
    return isEmptyLast || segment.endOffset > highWatermark || !isExpired(segment, index);
  });
  return kept === -1 ? segments.length : kept;
}
