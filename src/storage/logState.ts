import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/logger.ts';
import { AppendGroup } from './appendGroup.ts';
import { writeFully } from './atomicFile.ts';
import { writeEpochCheckpoint } from './checkpoints.ts';
import type { LeaderEpochCache } from './leaderEpochCache.ts';
import { type LogConfig, maxSegmentMs } from './logConfig.ts';
import { epochCheckpointName, type LoadedLog, rebuildProducers } from './logLoader.ts';
import type { LogOffsets } from './logOffsets.ts';
import type { PendingAppend } from './logWriter.ts';
import type { ProducerSnapshots } from './producerSnapshots.ts';
import type { ProducerState } from './producerState.ts';
import { expiredSegments } from './retention.ts';
import { Segment } from './segment.ts';
import type { SegmentList } from './segmentList.ts';
import { findPosition } from './segmentReader.ts';
import type { StorageContext } from './storageContext.ts';
import { StorageError } from './storageError.ts';

/** How far from its segment's base a batch may begin; relative offsets have 31 bits. */
const farthestOffset = 2n ** 30n;

/** Kafka draws from 31 bits. */
const longestJitterMs = 2 ** 31 - 1;

export interface LogStateOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly offsets: LogOffsets;
  readonly loaded: LoadedLog;
  /** The topic's configuration at the time of asking. */
  readonly config: () => LogConfig;
  /** Called when records were added, before those who added them are answered. */
  readonly onDidAppend: () => void;
}

/** What a flush has to do, decided while nothing changes the log. */
export interface PreparedFlush {
  readonly upTo: bigint;
  readonly segments: readonly Segment[];
}

/**
 * A log whose folder has been read, and everything that changes it. Methods that change it must not overlap:
 * the log's writer calls them one at a time; `sync` alone may run beside them.
 */
export class LogState {
  readonly segments: SegmentList;
  readonly epochs: LeaderEpochCache;
  readonly producers: ProducerState;
  readonly #snapshots: ProducerSnapshots;
  readonly #context: StorageContext;
  readonly #directory: string;
  readonly #offsets: LogOffsets;
  readonly #config: () => LogConfig;
  readonly #onDidAppend: () => void;
  /** Segments whose files are to go, by base offset, with the timer that ends them. */
  readonly #removals = new Map<bigint, { readonly segment: Segment; readonly timer: Disposable }>();
  /** What is taken off the age at which the active segment ends. */
  #jitter: { readonly segment: Segment; readonly ms: number } | undefined;
  #unflushedMessages = 0n;
  #areEpochsDirty: boolean;
  /** A segment file was made whose name may not be on the disk yet. */
  #areNamesDirty: boolean;
  /** Bytes of a failed write may lie behind the active segment's end. */
  #isTailDirty = false;
  /** The disk refused a sync: what it has of what was written is unknown until the next recovery. */
  #hasSyncFailed = false;
  #isReleased = false;
  #syncing: Promise<void> = Promise.resolve();

  constructor({ loaded, context, directory, offsets, ...hooks }: LogStateOptions) {
    this.#context = context;
    this.#directory = directory;
    this.#offsets = offsets;
    this.#config = hooks.config;
    this.#onDidAppend = hooks.onDidAppend;
    this.segments = loaded.segments;
    this.epochs = loaded.epochs;
    this.producers = loaded.producers;
    this.#snapshots = loaded.snapshots;
    this.#areEpochsDirty = !loaded.isClean;
    this.#areNamesDirty = !loaded.isClean;
    // Transactions that were read again from the log have ended for good as far as the high watermark goes.
    this.onHighWatermark();
  }

  get unflushedBytes(): number {
    return this.segments.all.reduce((sum, segment) => sum + segment.unsyncedBytes, 0);
  }

  /** Whether a flush has anything to do. */
  get isDirty(): boolean {
    return this.unflushedBytes > 0 || this.#areEpochsDirty || this.#areNamesDirty;
  }

  /** Writes appends in as few writes as the segments allow, and settles each. Never rejects. */
  async append(appends: readonly PendingAppend[]): Promise<void> {
    let taken = 0;
    while (taken < appends.length) {
      const group = new AppendGroup(this.producers, this.#offsets);
      for (; taken < appends.length; taken++) {
        const append = appends[taken];
        if (append === undefined) break;
        if (this.#mustRoll(append, group)) {
          if (group.sizeInBytes > 0) break;
          if (!(await settles(append, () => this.roll(baseOffsetOf(append))))) continue;
        }
        await settles(append, () => group.add(append));
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
    this.#areNamesDirty = true;
  }

  /** Removes all at and past `offset`, and the batch that contains it [UnifiedLog.truncateTo]. */
  async truncateTo(offset: bigint): Promise<void> {
    if (offset >= this.#offsets.logEnd) return;
    if (offset < this.segments.first.baseOffset) return this.startOver(offset);
    const gone = this.segments.remove(({ baseOffset }) => baseOffset <= offset);
    for (const segment of gone) await segment.removeFiles();
    const { active } = this.segments;
    const found = await findPosition(active, offset);
    if (found !== undefined) await active.truncateTo(found.header.baseOffset, found.position);
    await active.prepareToAppend();
    this.#settle(offset);
    await this.#snapshots.removeWhere((each) => each > offset);
    const { logStart } = this.#offsets;
    const segments = this.segments.all;
    const snapshots = this.#snapshots;
    await rebuildProducers({ segments, producers: this.producers, snapshots }, logStart, offset);
    if (this.epochs.truncateFromEnd(offset)) this.#areEpochsDirty = true;
    this.#noteUnstable();
  }

  /** Drops everything and goes on at `offset` [UnifiedLog.truncateFullyAndStartAt]. */
  async startOver(offset: bigint): Promise<void> {
    for (const segment of this.segments.all) await segment.removeFiles();
    this.segments.replaceAll(await Segment.create(this.#context, this.#directory, offset));
    await this.#snapshots.removeWhere(() => true);
    this.producers.clear();
    this.epochs.clear();
    this.#areEpochsDirty = true;
    this.#areNamesDirty = true;
    this.#offsets.logStart = offset;
    this.#settle(offset);
    this.#noteUnstable();
  }

  advanceLogStart(offset: bigint): void {
    this.#offsets.advanceLogStart(offset);
    if (this.epochs.truncateFromStart(offset)) this.#areEpochsDirty = true;
  }

  /** Forgets silent producers and deletes segments that are over the topic's limits; answers how many. */
  async applyRetention(): Promise<number> {
    const nowMs = this.#context.clock.nowMs();
    this.producers.removeExpired({ nowMs, expirationMs: this.#context.producerIdExpirationMs });
    const retained = await Promise.all(
      this.segments.all.map(async (segment) => ({
        baseOffset: segment.baseOffset,
        endOffset: this.segments.endOf(segment) ?? this.#offsets.logEnd,
        sizeInBytes: segment.size,
        timestampMs: await segment.retentionTimestampMs(),
      })),
    );
    const { logStart: logStartOffset, highWatermark } = this.#offsets;
    const config = this.#config();
    const count = expiredSegments(retained, { config, nowMs, logStartOffset, highWatermark });
    if (count > 0) await this.#deleteOldest(count);
    return count;
  }

  /**
   * Puts compacted segments, synced and still named `.cleaned`, in the place of what they were made of
   * [LocalLog.replaceSegments]. A crash at any point leaves either the old ones or, from where all of the new
   * ones are named `.swap`, the new ones (`finishSwaps`). Answers false, with nothing done, where the sources
   * are no longer what they were.
   */
  async replaceSegments(
    sources: readonly Segment[],
    cleaned: readonly Segment[],
  ): Promise<boolean> {
    const { active, all } = this.segments;
    if (!sources.every((source) => source !== active && all.includes(source))) return false;
    const { fileSystem } = this.#context;
    try {
      for (const segment of cleaned.toReversed()) await segment.changeSuffix('.swap');
      await fileSystem.syncDirectory(this.#directory);
    } catch (error) {
      for (const segment of cleaned) await segment.removeFiles();
      throw error;
    }
    this.segments.replace(new Set(sources), cleaned);
    await this.segments.moving(async () => {
      for (const source of sources) await this.#removeLater(source);
      for (const segment of cleaned) {
        await segment.changeSuffix('');
        segment.setActive(false);
      }
    });
    const bases = new Set(cleaned.map(({ baseOffset }) => baseOffset));
    const gone = new Set(sources.map(({ baseOffset }) => baseOffset).filter((n) => !bases.has(n)));
    await this.#snapshots.removeWhere((offset) => gone.has(offset));
    await fileSystem.syncDirectory(this.#directory);
    return true;
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
  async sync({ upTo, segments }: PreparedFlush): Promise<void> {
    await this.#context.syncLane.run(() => {
      if (this.#isReleased) return Promise.resolve();
      this.#syncing = this.#syncFiles(segments);
      return this.#syncing;
    });
    if (this.#hasSyncFailed || this.#isReleased) return;
    const { logEnd, recoveryPoint } = this.#offsets;
    const reached = upTo < logEnd ? upTo : logEnd;
    if (reached > recoveryPoint) this.#offsets.recoveryPoint = reached;
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
    this.#isReleased = true;
    await this.#syncing.catch(() => undefined);
    for (const { timer } of this.#removals.values()) timer.dispose();
    for (const segment of this.segments.all) await segment.releaseFiles();
  }

  onHighWatermark(): void {
    this.producers.onHighWatermark(this.#offsets.highWatermark);
    this.#noteUnstable();
  }

  /** Notes that a leader begins its epoch at the log end, before it has written anything. */
  startLeaderEpoch(leaderEpoch: number): void {
    if (this.epochs.assign(leaderEpoch, this.#offsets.logEnd)) this.#areEpochsDirty = true;
  }

  #mustRoll(append: PendingAppend, group: AppendGroup): boolean {
    const { active } = this.segments;
    const config = this.#config();
    const size = active.size + group.sizeInBytes;
    const { maxTimestamp, recordCount } = summaryOf(append);
    if (size > config.segmentBytes - append.sizeInBytes) return size > 0;
    const nowMs = this.#context.clock.nowMs();
    if (active.size > 0 && active.ageMs(nowMs, maxTimestamp) > this.#rollAgeMs(active)) return true;
    const base = baseOffsetOf(append);
    const lastOffset = (base > group.nextOffset ? base : group.nextOffset) + recordCount;
    return !active.hasRoomFor(lastOffset, config);
  }

  /** The age at which a segment ends: a random part is taken off, once for each [LogConfig.randomSegmentJitter]. */
  #rollAgeMs(segment: Segment): number {
    const config = this.#config();
    if (this.#jitter?.segment !== segment) {
      const limit = Math.min(config.segmentJitterMs, config.segmentMs, longestJitterMs);
      const ms = limit > 0 ? this.#context.random.below(limit) : 0;
      this.#jitter = { segment, ms };
    }
    return maxSegmentMs(config) - this.#jitter.ms;
  }

  async #write(group: AppendGroup): Promise<void> {
    try {
      if (group.buffers.length > 0) await this.#writeBuffers(group);
    } catch (error) {
      const failure = storageFailure(this.#directory, error);
      for (const { append } of group.decided) append.outcome.reject(failure);
      return;
    }
    if (group.buffers.length > 0) this.#onDidAppend();
    for (const { append, info } of group.decided) append.outcome.resolve(info);
  }

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
    const { indexIntervalBytes, flushMessages } = this.#config();
    for (const header of group.headers) {
      active.noteAppended(header, indexIntervalBytes);
      const { partitionLeaderEpoch: epoch, baseOffset } = header;
      if (epoch >= 0 && this.epochs.assign(epoch, baseOffset)) this.#areEpochsDirty = true;
    }
    this.#unflushedMessages += group.nextOffset - this.#offsets.logEnd;
    this.#offsets.logEnd = group.nextOffset;
    for (const aborted of group.producers.commit()) await active.noteAborted(aborted);
    this.#noteUnstable();
    if (this.#unflushedMessages >= flushMessages) await this.sync(await this.prepareFlush());
  }

  /** Cuts off what a failed write left behind the end: it must never be taken for part of the log. */
  async #cleanTail(): Promise<void> {
    if (!this.#isTailDirty) return;
    const { active } = this.segments;
    await this.#context.handles.use(active.logPath, (file) => file.truncate(active.size));
    this.#isTailDirty = false;
  }

  async #deleteOldest(count: number): Promise<void> {
    if (count === this.segments.all.length) await this.roll();
    const firstKept = this.segments.all[count]?.baseOffset ?? this.#offsets.logEnd;
    this.advanceLogStart(firstKept);
    const gone = this.segments.remove(({ baseOffset }) => baseOffset >= firstKept);
    await this.#snapshots.removeWhere((offset) => offset < firstKept);
    await this.segments.moving(async () => {
      for (const segment of gone) await this.#removeLater(segment);
    });
  }

  /** Readers that found the segment before it went get file.delete.delay.ms to finish. */
  async #removeLater(segment: Segment): Promise<void> {
    const { baseOffset } = segment;
    // A segment that was compacted a short while ago may have had the same name.
    await this.#removals.get(baseOffset)?.segment.removeFiles();
    this.#forgetRemoval(baseOffset);
    await segment.changeSuffix('.deleted');
    const timer = this.#context.clock.setTimer(this.#config().fileDeleteDelayMs, () => {
      this.#forgetRemoval(baseOffset);
      segment.removeFiles().catch((error: unknown) => {
        this.#context.logger.warn(`${segment.logPath} was not removed: ${errorMessage(error)}`);
      });
    });
    this.#removals.set(baseOffset, { segment, timer });
  }

  #forgetRemoval(baseOffset: bigint): void {
    this.#removals.get(baseOffset)?.timer.dispose();
    this.#removals.delete(baseOffset);
  }

  async #syncFiles(segments: PreparedFlush['segments']): Promise<void> {
    try {
      for (const segment of segments) if (!segment.isDeleted) await segment.sync();
      await this.#syncNamesAndEpochs();
    } catch (error) {
      this.#hasSyncFailed = true;
      this.#areEpochsDirty = true;
      this.#areNamesDirty = true;
      throw error;
    }
  }

  async #syncNamesAndEpochs(): Promise<void> {
    const { fileSystem } = this.#context;
    const areNamesDirty = this.#areNamesDirty;
    this.#areNamesDirty = false;
    if (this.#areEpochsDirty) {
      this.#areEpochsDirty = false;
      const path = `${this.#directory}/${epochCheckpointName}`;
      // The folder is synced along with it, and so is every name in it.
      await writeEpochCheckpoint(fileSystem, path, this.epochs.entries);
    } else if (areNamesDirty) await fileSystem.syncDirectory(this.#directory);
  }

  #settle(logEnd: bigint): void {
    const { logStart, recoveryPoint } = this.#offsets;
    const bounded = recoveryPoint < logEnd ? recoveryPoint : logEnd;
    this.#offsets.settle({ logStart, logEnd, recoveryPoint: bounded });
  }

  #noteUnstable(): void {
    this.#offsets.firstUnstable = this.producers.firstUnstableOffset;
  }
}

/** Runs a step of an append; answers whether it worked, and rejects the append where not. */
async function settles(append: PendingAppend, step: () => void | Promise<void>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    append.outcome.reject(storageFailure('the log', error));
    return false;
  }
}

function baseOffsetOf(append: PendingAppend): bigint {
  if (append.origin !== 'replication') return 0n;
  return append.batches[0]?.header.baseOffset ?? 0n;
}

function summaryOf({ batches }: PendingAppend): { maxTimestamp: bigint; recordCount: bigint } {
  const first = batches[0]?.header;
  const last = batches.at(-1)?.header;
  let maxTimestamp = -1n;
  for (const { header } of batches)
    if (header.maxTimestamp > maxTimestamp) maxTimestamp = header.maxTimestamp;
  if (first === undefined || last === undefined) return { maxTimestamp, recordCount: 0n };
  return { maxTimestamp, recordCount: last.lastOffset - first.baseOffset };
}

/** The error that a client gets where the file system refused. */
export function storageFailure(where: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = (error as { code?: unknown } | undefined)?.code;
  const reason = code === 'ENOSPC' ? 'the disk is full' : errorMessage(error);
  return new StorageError('KAFKA_STORAGE_ERROR', `${where}: ${reason}`, { cause: error });
}
