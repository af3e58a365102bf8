import type { LogConfig } from './logConfig.ts';

/** A closed segment as compaction sees it before it is read. */
export interface ClosedSegment {
  readonly baseOffset: bigint;
  readonly sizeInBytes: number;
  readonly largestTimestampMs: number;
  /** Of its first batch. */
  readonly firstTimestampMs: number;
}

export interface CompactionState {
  readonly config: LogConfig;
  readonly nowMs: number;
  readonly logStartOffset: bigint;
  readonly logEndOffset: bigint;
  readonly lastStableOffset: bigint;
  readonly activeBaseOffset: bigint;
  /** Up to where the log was compacted before; undefined: never. */
  readonly cleanedOffset: bigint | undefined;
}

/** What compaction would do to a log [LogToClean]. */
export interface LogToClean {
  readonly firstDirtyOffset: bigint;
  readonly firstUncleanableOffset: bigint;
  readonly cleanableBytes: number;
  readonly totalBytes: number;
  /** max.compaction.lag.ms has passed for something that is not compacted. */
  readonly isOverdue: boolean;
}

/** [LogCleanerManager.cleanableOffsets, calculateCleanableBytes] */
export function logToClean(segments: readonly ClosedSegment[], state: CompactionState): LogToClean {
  const firstDirtyOffset = firstDirty(state);
  const { activeBaseOffset } = state;
  const dirty = from(segments, firstDirtyOffset, activeBaseOffset);
  const limit = larger(firstDirtyOffset, uncleanable(dirty, state));
  const [holder] = from(segments, limit, activeBaseOffset);
  const firstUncleanableOffset = holder?.baseOffset ?? activeBaseOffset;
  const clean = segments.filter(({ baseOffset }) => baseOffset < firstDirtyOffset);
  const cleanable = dirty.filter(({ baseOffset }) => baseOffset < firstUncleanableOffset);
  const cleanableBytes = sizeOf(cleanable);
  return {
    firstDirtyOffset,
    firstUncleanableOffset,
    cleanableBytes,
    totalBytes: sizeOf(clean) + cleanableBytes,
    isOverdue: isOverdue(dirty, state),
  };
}

/** Whether it is worth the while [LogCleanerManager.grabFilthiestCompactedLog]. */
export function isWorthCleaning(log: LogToClean, { minCleanableDirtyRatio }: LogConfig): boolean {
  if (log.totalBytes === 0) return false;
  return (log.isOverdue && log.cleanableBytes > 0) || dirtyRatio(log) > minCleanableDirtyRatio;
}

export function dirtyRatio({ cleanableBytes, totalBytes }: LogToClean): number {
  return totalBytes === 0 ? 0 : cleanableBytes / totalBytes;
}

/** A checkpoint outside the log says nothing: all of it is dirty. */
function firstDirty({ cleanedOffset, logStartOffset, logEndOffset }: CompactionState): bigint {
  const isUsable =
    cleanedOffset !== undefined && cleanedOffset >= logStartOffset && cleanedOffset <= logEndOffset;
  return isUsable ? cleanedOffset : logStartOffset;
}

function uncleanable(dirty: readonly ClosedSegment[], state: CompactionState): bigint {
  const { activeBaseOffset, lastStableOffset, config, nowMs } = state;
  const bound = lastStableOffset < activeBaseOffset ? lastStableOffset : activeBaseOffset;
  const { minCompactionLagMs } = config;
  if (minCompactionLagMs <= 0) return bound;
  const young = dirty.find(
    ({ largestTimestampMs }) => largestTimestampMs > nowMs - minCompactionLagMs,
  );
  return young !== undefined && young.baseOffset < bound ? young.baseOffset : bound;
}

function isOverdue(dirty: readonly ClosedSegment[], { config, nowMs }: CompactionState): boolean {
  const limit = nowMs - config.maxCompactionLagMs;
  return dirty.some(({ firstTimestampMs }) => firstTimestampMs > 0 && firstTimestampMs < limit);
}

/** From the one that contains the offset on. */
function from(
  segments: readonly ClosedSegment[],
  offset: bigint,
  activeBaseOffset: bigint,
): readonly ClosedSegment[] {
  if (offset >= activeBaseOffset) return [];
  const holder = segments.findLastIndex(({ baseOffset }) => baseOffset <= offset);
  return segments.slice(Math.max(0, holder));
}

function sizeOf(segments: readonly ClosedSegment[]): number {
  return segments.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
