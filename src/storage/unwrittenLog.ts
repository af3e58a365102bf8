import { type EpochEndOffset, LeaderEpochCache } from './leaderEpochCache.ts';
import type { LogOffsets } from './logOffsets.ts';
import { boundsOf, checkRange } from './logReader.ts';
import type { LogView, ReadOptions, ReadResult } from './logTypes.ts';

/** What a log says of itself while it has no folder: it is empty. */
export class UnwrittenLog implements LogView {
  readonly activeProducers = [];
  readonly #name: string;
  readonly #offsets: LogOffsets;
  #epochs: LeaderEpochCache | undefined;

  constructor(name: string, offsets: LogOffsets) {
    this.#name = name;
    this.#offsets = offsets;
  }

  /** -1: none began. */
  get leaderEpoch(): number {
    return this.#epochs?.latestEpoch ?? -1;
  }

  read({ offset }: ReadOptions): ReadResult {
    checkRange(this.#name, this.#offsets, offset);
    return {
      ...boundsOf(this.#offsets),
      records: nothing,
      abortedTransactions: [],
      isCut: false,
      isBehind: false,
    };
  }

  offsetForTimestamp(): undefined {
    return undefined;
  }

  offsetOfMaxTimestamp(): undefined {
    return undefined;
  }

  /**
   * Of epochs that begin at the same offset the last one is all that is kept: it is written down with the first record.
   */
  startLeaderEpoch(leaderEpoch: number): void {
    this.#epochs ??= new LeaderEpochCache();
    this.#epochs.assign(leaderEpoch, this.#offsets.logEnd);
  }

  endOffsetForEpoch(leaderEpoch: number): EpochEndOffset {
    const epochs = this.#epochs ?? new LeaderEpochCache();
    return epochs.endOffsetFor(leaderEpoch, this.#offsets.logEnd);
  }
}

const nothing = Buffer.alloc(0);
