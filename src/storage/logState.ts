import { AppendGroup } from './appendGroup.ts';
import { writeFully } from './atomicFile.ts';
import type { LeaderEpochCache } from './leaderEpochCache.ts';
import type { LogConfig } from './logConfig.ts';
import type { LoadedLog } from './logLoader.ts';
import type { LogOffsets } from './logOffsets.ts';
import { LogSync, type PreparedFlush } from './logSync.ts';
import type { LogTrouble } from './logTrouble.ts';
import type { PendingAppend } from './logWriter.ts';
import { advanceLogStart, type LogParts } from './logParts.ts';
import { applyRetention } from './logRetention.ts';
import { startLogOver, truncateLog } from './logTruncation.ts';
import { replaceSegments } from './segmentReplacement.ts';
import type { ProducerSnapshots } from './producerSnapshots.ts';
import type { ProducerState } from './producerState.ts';
import { Segment } from './segment.ts';
import type { SegmentList } from './segmentList.ts';
import { SegmentRemovals } from './segmentRemovals.ts';
import { baseOffsetOf, SegmentRoll } from './segmentRoll.ts';
import type { StorageContext } from './storageContext.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';

/** How far from its segment's base a batch may begin; relative offsets have 31 bits. */
const farthestOffset = 2n ** 30n;

export interface LogStateOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly offsets: LogOffsets;
  readonly loaded: LoadedLog;
  /** The topic's configuration at the time of asking. */
  readonly config: () => LogConfig;
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
  readonly #snapshots: ProducerSnapshots;
  readonly #context: StorageContext;
  readonly #directory: string;
  readonly #offsets: LogOffsets;
  readonly #config: () => LogConfig;
  readonly #trouble: LogTrouble;
  readonly #onDidAppend: () => void;
  readonly #onDidFail: (error: unknown) => void;
  #failure: { readonly error: unknown } | undefined;
  readonly #sync: LogSync;
  readonly #roll: SegmentRoll;
  readonly #removals: SegmentRemovals;
  #unflushedMessages = 0n;
  /** Bytes of a failed write may lie behind the active segment's end. */
  #isTailDirty = false;

  constructor({ loaded, context, directory, offsets, ...hooks }: LogStateOptions) {
    this.#context = context;
    this.#directory = directory;
    this.#offsets = offsets;
    this.#config = hooks.config;
    this.#trouble = hooks.trouble;
    this.#onDidAppend = hooks.onDidAppend;
    this.#onDidFail = hooks.onDidFail;
    this.segments = loaded.segments;
    this.epochs = loaded.epochs;
    this.producers = loaded.producers;
    this.#snapshots = loaded.snapshots;
    const { epochs, isClean } = loaded;
    this.#sync = new LogSync({ context, directory, offsets, epochs, isClean });
    this.#roll = new SegmentRoll(context, hooks.config);
    this.#removals = new SegmentRemovals({
      context,
      isInUse: (path) => this.segments.all.some(({ logPath }) => logPath === path),
    });
    this.#parts = {
      ...loaded,
      context,
      directory,
      offsets,
      config: hooks.config,
      sync: this.#sync,
      removals: this.#removals,
    };
    // Transactions that were read again from the log have ended for good as far as the high watermark goes.
    this.onHighWatermark();
  }

  get unflushedBytes(): number {
    return this.segments.all.reduce((sum, segment) => sum + segment.unsyncedBytes, 0);
  }

  /** Whether a flush has anything to do. */
  get isDirty(): boolean {
    return this.unflushedBytes > 0 || this.#sync.isDirty;
  }

  /** Writes appends in as few writes as the segments allow, and settles each. Never rejects. */
  async append(appends: readonly PendingAppend[]): Promise<void> {
    let taken = 0;
    while (taken < appends.length) {
      const group = new AppendGroup(this.producers, this.#offsets);
      for (; taken < appends.length; taken++) {
        const append = appends[taken];
        if (append === undefined) break;
        if (this.#roll.isDue(this.segments.active, append, group)) {
          if (group.sizeInBytes > 0) break;
          if (!(await this.#settles(append, () => this.roll(baseOffsetOf(append))))) continue;
        }
        await this.#settles(append, () => group.add(append));
      }
      await this.#write(group);
    }
  }

  /**
   * Begins a new segment at the log end, unless the active one is empty. Kafka begins a replica's segment at
   * the offset of `next`; ours does only where that is too far from the log end, so that after a crash a gap
   * between segments says that something was lost.
   */
  async roll(next = 0n): Promise<void> {
    const { active } = this.segments;
    const { logEnd } = this.#offsets;
    const baseOffset = next - logEnd > farthestOffset ? next : logEnd;
    if (active.baseOffset === baseOffset) return;
    await this.#cleanTail();
    await active.writeIndexes(true);
    const segment = await Segment.create(this.#context, this.#directory, baseOffset);
    await this.#snapshots.take(this.producers, baseOffset, false);
    this.segments.append(segment);
    this.#sync.noteNames();
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

  /** Forgets silent producers and deletes segments that are over the topic's limits; answers how many. */
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
    await this.#cleanTail();
    await this.segments.active.writeIndexes(false);
    this.#unflushedMessages = 0n;
    return {
      upTo: this.#offsets.logEnd,
      segments: this.segments.all.filter((segment) => !segment.isSynced),
    };
  }

  /** Makes it durable, and then moves the recovery point. May run beside anything else. */
  async sync(prepared: PreparedFlush): Promise<void> {
    try {
      await this.#sync.run(prepared);
    } catch (error) {
      if (this.#sync.hasFailed) this.#fail(error);
      throw error;
    }
  }

  /** Makes durable what was read, though an earlier sync of it failed. */
  async writeAgain(): Promise<void> {
    const { recoveryPoint } = this.#offsets;
    for (const segment of this.segments.all)
      if (!segment.isSynced) await segment.writeAgain(recoveryPoint);
    this.#sync.noteNames();
    await this.sync(await this.prepareFlush());
  }

  /** The end of a clean stop, before the last flush: what a restart need not compute is written down. */
  async finish(): Promise<void> {
    await this.#cleanTail();
    await this.segments.active.writeIndexes(true);
    const { logEnd } = this.#offsets;
    if (!this.#snapshots.offsets.includes(logEnd))
      await this.#snapshots.take(this.producers, logEnd, true);
    const bases = new Set(this.segments.all.map(({ baseOffset }) => baseOffset));
    await this.#snapshots.removeWhere((offset) => offset !== logEnd && !bases.has(offset));
  }

  /** From here on nothing touches the folder: it may be renamed, and another log take its name. */
  async release(): Promise<void> {
    await this.#sync.release();
    await this.#removals.release();
    for (const segment of this.segments.all) await segment.releaseFiles();
  }

  onHighWatermark(): void {
    this.producers.onHighWatermark(this.#offsets.highWatermark);
    this.#noteUnstable();
  }

  /** Notes that a leader begins its epoch at the log end, before it has written anything. */
  startLeaderEpoch(leaderEpoch: number): void {
    if (this.epochs.assign(leaderEpoch, this.#offsets.logEnd)) this.#sync.noteEpochs();
  }

  async #write(group: AppendGroup): Promise<void> {
    let isInLog = false;
    try {
      if (this.#failure) throw this.#failure.error;
      if (group.buffers.length > 0) {
        await this.#writeBuffers(group);
        isInLog = true;
        for (const aborted of this.#take(group)) await this.segments.active.noteAborted(aborted);
        this.#noteUnstable();
        const { flushMessages } = this.#config();
        if (this.#unflushedMessages >= flushMessages) await this.sync(await this.prepareFlush());
      }
    } catch (error) {
      if (isInLog) this.#fail(error);
      const failure = this.#trouble.failure(error);
      for (const { append } of group.decided) append.outcome.reject(failure);
      return;
    }
    if (group.buffers.length > 0) this.#onDidAppend();
    for (const { append, info } of group.decided) append.outcome.resolve(info);
  }

  /** Where it fails nothing is in the log. */
  async #writeBuffers(group: AppendGroup): Promise<void> {
    const { active } = this.segments;
    await this.#cleanTail();
    try {
      await this.#context.handles.use(active.logPath, (file) =>
        writeFully(file, group.buffers, active.size),
      );
    } catch (error) {
      this.#isTailDirty = true;
      await this.#cleanTail().catch(() => undefined);
      throw error;
    }
  }

  /** What was written is part of the log from here on; answers the transactions that it aborts. */
  #take(group: AppendGroup): AbortedTransactionEntry[] {
    const { active } = this.segments;
    const { indexIntervalBytes } = this.#config();
    for (const header of group.headers) {
      active.noteAppended(header, indexIntervalBytes);
      const { partitionLeaderEpoch: epoch, baseOffset } = header;
      if (epoch >= 0 && this.epochs.assign(epoch, baseOffset)) this.#sync.noteEpochs();
    }
    this.#unflushedMessages += group.nextOffset - this.#offsets.logEnd;
    this.#offsets.logEnd = group.nextOffset;
    return group.producers.commit();
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

  /** Runs a step of an append; answers whether it worked, and rejects the append where not. */
  async #settles(append: PendingAppend, step: () => void | Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      append.outcome.reject(this.#trouble.failure(error));
      return false;
    }
  }

  /** Cuts off what a failed write left behind the end: it must never be taken for part of the log. */
  async #cleanTail(): Promise<void> {
    if (!this.#isTailDirty) return;
    const { active } = this.segments;
    await this.#context.handles.use(active.logPath, (file) => file.truncate(active.size));
    this.#isTailDirty = false;
  }

  #noteUnstable(): void {
    this.#offsets.firstUnstable = this.producers.firstUnstableOffset;
  }
}
