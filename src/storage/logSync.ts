import { writeEpochCheckpoint } from './checkpoints.ts';
import { isOutOfRoom } from './fileSystem.ts';
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

/**
 * Makes a log's files, their names and its leader epochs durable, beside whatever changes the log. Once the disk has
 * refused that, every later call is refused as well: the system forgets what it could not write, and the next sync
 * succeeds without it.
 */
export class LogSync {
  readonly #options: LogSyncOptions;
  #areEpochsDirty: boolean;
  /** A segment file was made whose name may not be on the disk yet. */
  #areNamesDirty: boolean;
  #failure: { readonly error: unknown } | undefined;
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

  /** What the disk has of what was written is not known until the log has been recovered. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
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
      if (this.#failure) throw this.#failure.error;
      if (this.#isReleased) throw new Error('its files were let go before they were synced');
      this.#running = this.#syncFiles(segments);
      return this.#running;
    });
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
      for (const segment of segments) await syncUnlessDeleted(segment);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
    try {
      await this.#syncNamesAndEpochs();
    } catch (error) {
      this.#areEpochsDirty = true;
      this.#areNamesDirty = true;
      // Without room for a new checkpoint the old one is there still, and the next flush writes it.
      if (!isOutOfRoom(error)) this.#failure = { error };
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

/** What is deleted meanwhile needs no more to be on the disk. */
async function syncUnlessDeleted(segment: Segment): Promise<void> {
  if (segment.isDeleted) return;
  await segment.sync().catch((error: unknown) => {
    if (!segment.isDeleted) throw error;
  });
}
