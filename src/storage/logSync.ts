import { writeEpochCheckpoint } from './checkpoints.ts';
import type { LeaderEpochCache } from './leaderEpochCache.ts';
import { epochCheckpointName } from './logLoader.ts';
import type { LogOffsets } from './logOffsets.ts';
import type { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';

export interface LogSyncOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly offsets: LogOffsets;
  readonly epochs: LeaderEpochCache;
  /** The folder is as it was left. */
  readonly isClean: boolean;
}

/** What a flush has to do, decided while nothing changes the log. */
export interface PreparedFlush {
  readonly upTo: bigint;
  readonly segments: readonly Segment[];
}

/** Makes a log's files, their names and its leader epochs durable, beside whatever changes the log. */
export class LogSync {
  readonly #options: LogSyncOptions;
  #areEpochsDirty: boolean;
  /** A segment file was made whose name may not be on the disk yet. */
  #areNamesDirty: boolean;
  #hasFailed = false;
  #isReleased = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LogSyncOptions) {
    this.#options = options;
    this.#areEpochsDirty = !options.isClean;
    this.#areNamesDirty = !options.isClean;
  }

  /** Names or epochs are to be written. */
  get isDirty(): boolean {
    return this.#areEpochsDirty || this.#areNamesDirty;
  }

  /** The disk refused a sync: what it has of what was written is unknown until the next recovery. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  noteEpochs(): void {
    this.#areEpochsDirty = true;
  }

  noteNames(): void {
    this.#areNamesDirty = true;
  }

  /** Makes it durable, and then moves the recovery point. */
  async run({ upTo, segments }: PreparedFlush): Promise<void> {
    const { context, offsets } = this.#options;
    await context.syncLane.run(() => {
      if (this.#isReleased) return Promise.resolve();
      this.#running = this.#syncFiles(segments);
      return this.#running;
    });
    if (this.#hasFailed || this.#isReleased) return;
    const { logEnd, recoveryPoint } = offsets;
    const reached = upTo < logEnd ? upTo : logEnd;
    if (reached > recoveryPoint) offsets.recoveryPoint = reached;
  }

  /** Nothing begins any more; resolves when what is under way has ended. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#running.catch(() => undefined);
  }

  async #syncFiles(segments: PreparedFlush['segments']): Promise<void> {
    try {
      for (const segment of segments) if (!segment.isDeleted) await segment.sync();
      await this.#syncNamesAndEpochs();
    } catch (error) {
      this.#hasFailed = true;
      this.#areEpochsDirty = true;
      this.#areNamesDirty = true;
      throw error;
    }
  }

  async #syncNamesAndEpochs(): Promise<void> {
    const { context, directory, epochs } = this.#options;
    const { fileSystem } = context;
    const areNamesDirty = this.#areNamesDirty;
    this.#areNamesDirty = false;
    if (this.#areEpochsDirty) {
      this.#areEpochsDirty = false;
      // The folder is synced along with it, and so is every name in it.
      await writeEpochCheckpoint(fileSystem, `${directory}/${epochCheckpointName}`, epochs.entries);
    } else if (areNamesDirty) await fileSystem.syncDirectory(directory);
  }
}
