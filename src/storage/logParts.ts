import type { LeaderEpochCache } from './leaderEpochCache.ts';
import type { LogConfig } from './logConfig.ts';
import type { LogOffsets } from './logOffsets.ts';
import type { LogSync } from './logSync.ts';
import type { ProducerSnapshots } from './producerSnapshots.ts';
import type { ProducerState } from './producerState.ts';
import type { SegmentList } from './segmentList.ts';
import type { SegmentRemovals } from './segmentRemovals.ts';
import type { StorageContext } from './storageContext.ts';

/** What a log consists of, once its folder is read. */
export interface LogParts {
  readonly context: StorageContext;
  readonly directory: string;
  readonly offsets: LogOffsets;
  /** The topic's configuration at the time of asking. */
  readonly config: () => LogConfig;
  readonly segments: SegmentList;
  readonly epochs: LeaderEpochCache;
  readonly producers: ProducerState;
  readonly snapshots: ProducerSnapshots;
  readonly sync: LogSync;
  readonly removals: SegmentRemovals;
}

export function advanceLogStart({ offsets, epochs, sync }: LogParts, offset: bigint): void {
  offsets.advanceLogStart(offset);
  if (epochs.truncateFromStart(offset)) sync.noteEpochs();
}

/** The last stable offset follows the transactions that are open. */
export function noteUnstable({ offsets, producers }: LogParts): void {
  offsets.firstUnstable = producers.firstUnstableOffset;
}
