import type { LeaderEpochCache } from './leaderEpochCache.ts';
import { LogAppender } from './logAppender.ts';
import type { LogConfig } from './logConfig.ts';
import type { LoadedLog } from './logLoader.ts';
import type { LogOffsets } from './logOffsets.ts';
import { LogSync, type PreparedFlush } from './logSync.ts';
import { LogTail } from './logTail.ts';
import type { LogTrouble } from './logTrouble.ts';
import type { PendingAppend } from './logWriter.ts';
import { advanceLogStart, type LogParts, noteUnstable } from './logParts.ts';
import { applyRetention } from './logRetention.ts';
import { startLogOver, truncateLog } from './logTruncation.ts';
import { replaceSegments } from './segmentReplacement.ts';
import type { ProducerState } from './producerState.ts';
import type { Segment } from './segment.ts';
import type { SegmentList } from './segmentList.ts';
import { SegmentRemovals } from './segmentRemovals.ts';
import { SegmentRoll } from './segmentRoll.ts';
import type { StorageContext } from './storageContext.ts';

export interface LogStateOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly offsets: LogOffsets;
  readonly loaded: LoadedLog;
  /** The topic's configuration at the time of asking. */
  readonly config: () => LogConfig;
  /** How large index files of the segment that is active at first may become. */
  readonly firstIndexBytes: number;
  readonly trouble: LogTrouble;
  /** Called when records were added, before those who added them are answered. */
  readonly onDidAppend: () => void;
  /** Called once, before who waits for it is told: what the disk has of the log is not known any more. */
  readonly onDidFail: (error: unknown) => void;
}

/**
 * A log whose folder has been read, and everything that changes it. Methods that change it must not overlap:
 * the log's writer calls them one at a time; `sync` alone may run beside them.
 */
export class LogState {
  readonly segments: SegmentList;
  readonly epochs: LeaderEpochCache;
  readonly producers: ProducerState;
  readonly #parts: LogParts;
  readonly #tail: LogTail;
  readonly #roll: SegmentRoll;
  readonly #appender: LogAppender;
  readonly #onDidFail: (error: unknown) => void;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: LogStateOptions) {
    const { loaded, context, directory, offsets, config } = options;
    this.segments = loaded.segments;
    this.epochs = loaded.epochs;
    this.producers = loaded.producers;
    this.#onDidFail = options.onDidFail;
    const { epochs, isClean } = loaded;
    this.#parts = {
      ...loaded,
      context,
      directory,
      offsets,
      config,
      sync: new LogSync({ context, directory, offsets, epochs, isClean }),
      removals: new SegmentRemovals({
        context,
        isInUse: (path) => this.segments.all.some(({ logPath }) => logPath === path),
      }),
    };
    this.#tail = new LogTail(this.#parts);
    this.#roll = new SegmentRoll(this.#parts, this.#tail, options.firstIndexBytes);
    this.#appender = new LogAppender({
      ...options,
      parts: this.#parts,
      tail: this.#tail,
      roll: this.#roll,
      refuseIfFailed: () => {
        if (this.#failure) throw this.#failure.error;
      },
      flush: async () => this.sync(await this.prepareFlush()),
      onDidFail: (error) => this.#fail(error),
    });
    // Transactions that were read again from the log have ended for good as far as the high watermark goes.
    this.onHighWatermark();
  }

  get unflushedBytes(): number {
    return this.segments.all.reduce((sum, segment) => sum + segment.unsyncedBytes, 0);
  }

  /** Whether a flush has anything to do. */
  get isDirty(): boolean {
    return this.unflushedBytes > 0 || this.#parts.sync.isDirty;
  }

  /** Writes appends in as few writes as the segments allow, and settles each. Never rejects. */
  append(appends: readonly PendingAppend[]): Promise<void> {
    return this.#appender.append(appends);
  }

  /** Begins a new segment, unless the active one is empty. */
  roll(): Promise<void> {
    return this.#roll.begin();
  }

  /** Removes all at and past `offset`, and the batch that contains it. */
  truncateTo(offset: bigint): Promise<void> {
    return truncateLog(this.#parts, offset);
  }

  /** Drops everything and goes on at `offset`. */
  startOver(offset: bigint): Promise<void> {
    return startLogOver(this.#parts, offset);
  }

  advanceLogStart(offset: bigint): void {
    advanceLogStart(this.#parts, offset);
  }

  removeExpiredProducers(): void {
    const { context, producers } = this.#parts;
    const nowMs = context.clock.nowMs();
    producers.removeExpired({ nowMs, expirationMs: context.producerIdExpirationMs });
  }

  /** Deletes segments that are over the topic's limits; answers how many. */
  applyRetention(): Promise<number> {
    return applyRetention(this.#parts, () => this.roll());
  }

  /** Puts compacted segments in the place of what they were made of; false: they do not fit any more. */
  async replaceSegments(
    sources: readonly Segment[],
    cleaned: readonly Segment[],
  ): Promise<boolean> {
    if (this.#failure) return false;
    return replaceSegments(this.#parts, sources, cleaned);
  }

  /** Notes what a flush covers; index entries go to the files along with it. */
  async prepareFlush(): Promise<PreparedFlush> {
    await this.#tail.clean();
    await this.segments.active.writeIndexes(false);
    this.#appender.noteFlush();
    return {
      upTo: this.#parts.offsets.logEnd,
      segments: this.segments.all.filter((segment) => !segment.isSynced),
    };
  }

  /** Makes it durable, and then moves the recovery point. May run beside anything else. */
  async sync(prepared: PreparedFlush): Promise<void> {
    try {
      await this.#parts.sync.run(prepared);
    } catch (error) {
      if (this.#parts.sync.hasFailed) this.#fail(error);
      throw error;
    }
  }

  /** Makes durable what was read, though an earlier sync of it failed. */
  async writeAgain(): Promise<void> {
    const { recoveryPoint } = this.#parts.offsets;
    for (const segment of this.segments.all)
      if (!segment.isSynced) await segment.writeAgain(recoveryPoint);
    this.#parts.sync.noteNames();
    await this.sync(await this.prepareFlush());
  }

  /** The end of a clean stop, before the last flush: what a restart need not compute is written down. */
  async finish(): Promise<void> {
    await this.#tail.clean();
    await this.segments.active.writeIndexes(true);
    const { offsets, snapshots } = this.#parts;
    const { logEnd } = offsets;
    if (!snapshots.offsets.includes(logEnd)) await snapshots.take(this.producers, logEnd, true);
    const bases = new Set(this.segments.all.map(({ baseOffset }) => baseOffset));
    await snapshots.removeWhere((offset) => offset !== logEnd && !bases.has(offset));
  }

  /** From here on nothing touches the folder: it may be renamed, and another log take its name. */
  async release(): Promise<void> {
    await this.#parts.sync.release();
    await this.#parts.removals.release();
    for (const segment of this.segments.all) await segment.releaseFiles();
  }

  onHighWatermark(): void {
    this.producers.onHighWatermark(this.#parts.offsets.highWatermark);
    noteUnstable(this.#parts);
  }

  /** Notes that a leader begins its epoch at the log end, before it has written anything. */
  startLeaderEpoch(leaderEpoch: number): void {
    if (this.epochs.assign(leaderEpoch, this.#parts.offsets.logEnd)) this.#parts.sync.noteEpochs();
  }

  /**
   * Records are in the log that cannot be acknowledged, or may not be on the disk though they were: nothing more is
   * answered before the log was recovered. [UnifiedLog.maybeHandleIOException]
   */
  #fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    this.#onDidFail(error);
  }
}
