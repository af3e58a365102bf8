import type { EpochEndOffset } from './leaderEpochCache.ts';
import { LogCompaction } from './logCompaction.ts';
import type { LogConfig } from './logConfig.ts';
import type { LogCheckpoint } from './logCheckpoint.ts';
import { loadLog } from './logLoader.ts';
import type { LogOffsets } from './logOffsets.ts';
import { LogReader } from './logReader.ts';
import { LogState } from './logState.ts';
import type { LogTrouble } from './logTrouble.ts';
import type { LogView, ReadOptions, ReadResult, TimestampedOffset } from './logTypes.ts';
import type { ProducerEntry } from './producerEntry.ts';
import type { StorageContext } from './storageContext.ts';

export interface OpenLogOptions {
  readonly context: StorageContext;
  readonly directory: string;
  /** As messages call it. */
  readonly name: string;
  readonly offsets: LogOffsets;
  /** The topic's configuration at the time of asking. */
  readonly config: () => LogConfig;
  /** How large index files of the segment that is active at first may become. */
  readonly firstIndexBytes: number;
  readonly trouble: LogTrouble;
  readonly onDidAppend: () => void;
  /** What the disk has of the log is not known any more. */
  readonly onDidFail: (error: unknown) => void;
  /** Runs with nothing else changing the log. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A log whose folder has been read: what changes it, what reads it and what compacts it. */
export class OpenLog implements LogView {
  readonly state: LogState;
  readonly reader: LogReader;
  readonly compaction: LogCompaction;
  readonly #offsets: LogOffsets;

  /** Reads the folder, recovering the log where it has to be. */
  static async load(options: OpenLogOptions, checkpoint: LogCheckpoint): Promise<OpenLog> {
    const { context, directory, offsets, config, name } = options;
    const loaded = await loadLog({ context, directory, config: config(), checkpoint });
    const { logStartOffset: logStart, logEndOffset: logEnd, recoveryPoint } = loaded;
    if (checkpoint.hadCleanShutdown && logEnd < checkpoint.recoveryPoint)
      context.logger.error(
        `${name} was closed cleanly at offset ${checkpoint.recoveryPoint} but now ends at ${logEnd}: its files were changed since`,
      );
    offsets.settle({ logStart, logEnd, recoveryPoint });
    const state = new LogState({ ...options, loaded });
    if (checkpoint.hadFailedSync)
      await state.writeAgain().catch(async (error: unknown) => {
        await state.release();
        throw error;
      });
    return new OpenLog(options, state);
  }

  private constructor(options: OpenLogOptions, state: LogState) {
    this.state = state;
    this.#offsets = options.offsets;
    this.reader = new LogReader({ ...options, segments: state.segments });
    this.compaction = new LogCompaction({ ...options, state });
  }

  get leaderEpoch(): number {
    return this.state.epochs.latestEpoch;
  }

  get activeProducers(): readonly ProducerEntry[] {
    return this.state.producers.entries;
  }

  read(options: ReadOptions): Promise<ReadResult> {
    return this.reader.read(options);
  }

  offsetForTimestamp(timestampMs: bigint): Promise<TimestampedOffset | undefined> {
    return this.reader.offsetForTimestamp(timestampMs);
  }

  offsetOfMaxTimestamp(): Promise<TimestampedOffset | undefined> {
    return this.reader.offsetOfMaxTimestamp();
  }

  endOffsetForEpoch(leaderEpoch: number): EpochEndOffset {
    return this.state.epochs.endOffsetFor(leaderEpoch, this.#offsets.logEnd);
  }
}
