import { type ClosedSegment, type LogToClean, logToClean } from './cleanable.ts';
import { type CleaningResult, LogCleaning } from './logCleaning.ts';
import { longMax, type LogConfig } from './logConfig.ts';
import type { LogOffsets } from './logOffsets.ts';
import type { LogState } from './logState.ts';
import type { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';

export interface LogCompactionOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly offsets: LogOffsets;
  readonly state: LogState;
  readonly config: () => LogConfig;
  /** Runs with nothing else changing the log. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface CompactionOptions {
  readonly toClean: LogToClean;
  /** Memory for the offset map [log.cleaner.dedupe.buffer.size]. */
  readonly maxMapBytes: number;
  /** Throws where the cleaning must not go on. */
  readonly checkAborted: () => void;
}

/** The compaction of one log: what there is to do, and doing it. One at a time. */
export class LogCompaction {
  readonly #options: LogCompactionOptions;

  constructor(options: LogCompactionOptions) {
    this.#options = options;
  }

  async survey(): Promise<LogToClean> {
    const { offsets, state, context } = this.#options;
    const config = this.#options.config();
    const { active, all } = state.segments;
    const closed = all.filter((segment) => segment !== active);
    return logToClean(await Promise.all(closed.map((segment) => summaryOf(segment, config))), {
      config,
      nowMs: context.clock.nowMs(),
      logStartOffset: offsets.logStart,
      logEndOffset: offsets.logEnd,
      lastStableOffset: offsets.lastStable,
      activeBaseOffset: active.baseOffset,
      cleanedOffset: offsets.cleaned,
    });
  }

  async run({ toClean, ...options }: CompactionOptions): Promise<CleaningResult> {
    const { context, directory, offsets, state, exclusively } = this.#options;
    const cleaning = new LogCleaning({
      ...options,
      toClean,
      context,
      directory,
      segments: state.segments,
      producers: state.producers,
      config: this.#options.config(),
      highWatermark: offsets.highWatermark,
      replace: (sources, cleaned) => exclusively(() => state.replaceSegments(sources, cleaned)),
    });
    const result = await cleaning.run();
    offsets.cleaned = result.endOffset < offsets.logEnd ? result.endOffset : offsets.logEnd;
    return result;
  }
}

/** Timestamps are read only where the topic's configuration goes by them. */
async function summaryOf(segment: Segment, config: LogConfig): Promise<ClosedSegment> {
  const goesByAge = config.maxCompactionLagMs < longMax;
  return {
    baseOffset: segment.baseOffset,
    sizeInBytes: segment.size,
    largestTimestampMs:
      config.minCompactionLagMs > 0 ? Number((await segment.largestTimestamp()).timestamp) : -1,
    firstTimestampMs: goesByAge ? Number(await segment.firstTimestamp()) : -1,
  };
}
