import { errorMessage } from '../base/logger.ts';
import { CorruptCheckpointError, type EpochEntry, readEpochCheckpoint } from './checkpoints.ts';
import { LeaderEpochCache } from './leaderEpochCache.ts';
import type { LogCheckpoint } from './logCheckpoint.ts';
import type { LogConfig } from './logConfig.ts';
import { LogRecovery } from './logRecovery.ts';
import { type Producers, rebuildProducers } from './producerRebuild.ts';
import { ProducerSnapshots } from './producerSnapshots.ts';
import { ProducerState } from './producerState.ts';
import { Segment } from './segment.ts';
import { SegmentList } from './segmentList.ts';
import type { StorageContext } from './storageContext.ts';
import { tidyFolder } from './swapRecovery.ts';
import { mendTransactionIndexes } from './transactionIndexRebuild.ts';

export const epochCheckpointName = 'leader-epoch-checkpoint';

/** A log as it was found in its folder, or as it was made sound again. */
export interface LoadedLog {
  readonly segments: SegmentList;
  readonly epochs: LeaderEpochCache;
  readonly producers: ProducerState;
  readonly snapshots: ProducerSnapshots;
  readonly logStartOffset: bigint;
  readonly logEndOffset: bigint;
  readonly recoveryPoint: bigint;
  /** It was found as it had been left. */
  readonly isClean: boolean;
}

export interface LoadOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly config: LogConfig;
  readonly checkpoint: LogCheckpoint;
}

/**
 * Reads a log's folder [LogLoader]. After an unclean stop every segment past the recovery point is read
 * byte by byte and cut where the first unsound batch begins; what follows it goes.
 */
export async function loadLog(options: LoadOptions): Promise<LoadedLog> {
  const { context, directory, checkpoint } = options;
  const files = await readFolder(options);
  const producers = new ProducerState();
  const snapshots = new ProducerSnapshots(context, directory, files.snapshotOffsets);
  const found = await findEnd(options, { segments: files.segments, producers, snapshots });
  if (found === undefined || found.endOffset < checkpoint.logStartOffset)
    return startAfresh(options, { segments: found?.segments ?? [], producers, snapshots });

  const segments = new SegmentList(found.segments);
  await segments.active.prepareToAppend();
  const logStartOffset = larger(checkpoint.logStartOffset, segments.first.baseOffset);
  const epochs = await loadEpochs(options, found.segments);
  epochs.truncateFromEnd(found.endOffset);
  for (const { epoch, startOffset } of found.epochs)
    if (epochs.epochForOffset(startOffset) !== epoch) epochs.assign(epoch, startOffset);
  epochs.truncateFromStart(logStartOffset);
  const kept = new Set(found.segments);
  const aborting = files.aborting.filter((segment) => kept.has(segment));
  await mendTransactionIndexes({ ...found, snapshots }, aborting, logStartOffset, context);
  if (found.isClean)
    await rebuildProducers({ ...found, producers, snapshots }, logStartOffset, found.endOffset);
  else {
    // Kafka reads them from a snapshot that it takes here, without those. [ProducerStateManager.loadSnapshot]
    const { clock, producerIdExpirationMs: expirationMs } = context;
    producers.removeExpired({ nowMs: clock.nowMs(), expirationMs });
  }
  const recoveryPoint = found.isClean
    ? found.endOffset
    : smaller(checkpoint.recoveryPoint, found.endOffset);
  for (const segment of found.segments)
    if ((segments.endOf(segment) ?? found.endOffset) <= recoveryPoint) segment.markSynced();
  return {
    segments,
    epochs,
    producers,
    snapshots,
    logStartOffset,
    logEndOffset: found.endOffset,
    recoveryPoint,
    isClean: found.isClean,
  };
}

interface FoundEnd {
  /** At least one. */
  readonly segments: readonly Segment[];
  readonly endOffset: bigint;
  /** Epochs met while recovering. */
  readonly epochs: readonly EpochEntry[];
  /** Nothing had to be recovered; the producers' state is not loaded yet. */
  readonly isClean: boolean;
}

/** Where the log ends. What the clean-shutdown marker promises is checked at the tail. */
async function findEnd(options: LoadOptions, found: Producers): Promise<FoundEnd | undefined> {
  const { checkpoint, context } = options;
  const active = found.segments.at(-1);
  if (active === undefined) return undefined;
  if (checkpoint.hadCleanShutdown) {
    const { nextOffset, isSound } = await active.end();
    const { segments } = found;
    if (isSound) return { segments, endOffset: nextOffset, epochs: [], isClean: true };
    context.logger.warn(`${active.logPath} was closed cleanly but is damaged since: recovering it`);
  }
  const recoveryPoint = checkpoint.hadCleanShutdown ? active.baseOffset : checkpoint.recoveryPoint;
  const recovery = new LogRecovery(options, found);
  const segments = await recovery.run(recoveryPoint);
  const { nextOffset: endOffset } = (await segments.at(-1)?.end()) ?? { nextOffset: 0n };
  return { segments, endOffset, epochs: recovery.epochs, isClean: false };
}

async function startAfresh(
  { context, directory, checkpoint }: LoadOptions,
  { segments, producers, snapshots }: Producers,
): Promise<LoadedLog> {
  const start = checkpoint.logStartOffset;
  if (segments.length > 0)
    context.logger.warn(
      `${directory}: the log ends before its start offset ${start}; it begins anew`,
    );
  for (const segment of segments) await segment.removeFiles();
  await snapshots.removeWhere(() => true);
  producers.clear();
  return {
    segments: new SegmentList([await Segment.create(context, directory, start)]),
    epochs: new LeaderEpochCache(),
    producers,
    snapshots,
    logStartOffset: start,
    logEndOffset: start,
    recoveryPoint: start,
    isClean: false,
  };
}

interface FolderContents {
  readonly segments: Segment[];
  /** Those with an index of aborted transactions. */
  readonly aborting: readonly Segment[];
  readonly snapshotOffsets: bigint[];
}

/** Finds the segments. */
async function readFolder({ context, directory }: LoadOptions): Promise<FolderContents> {
  const { fileSystem, logger } = context;
  const names = await tidyFolder({ context, directory });
  const logs = new Set(names.filter((name) => /^\d{20}\.log$/.test(name)));
  const transactionIndexes = new Set(names.filter((name) => name.endsWith('.txnindex')));
  const segments: Segment[] = [];
  const snapshotOffsets: bigint[] = [];
  for (const name of names.sort()) {
    const path = `${directory}/${name}`;
    const baseOffset = BigInt(/^\d{20}/.exec(name)?.[0] ?? 0);
    if (logs.has(name)) {
      const status = await fileSystem.stat(path);
      const size = status?.sizeInBytes ?? 0;
      const writtenMs = status?.modifiedMs ?? context.clock.nowMs();
      segments.push(new Segment({ context, directory, baseOffset, size, writtenMs }));
    } else if (/^\d{20}\.(index|timeindex|txnindex)$/.test(name)) {
      if (logs.has(`${name.slice(0, 20)}.log`)) continue;
      logger.warn(`${path} has no log file beside it and was removed`);
      await fileSystem.remove(path);
    } else if (/^\d{20}\.snapshot$/.test(name)) snapshotOffsets.push(baseOffset);
  }
  const aborting = segments.filter(({ logPath }) => {
    const name = logPath.slice(directory.length + 1, -'.log'.length);
    return transactionIndexes.has(`${name}.txnindex`);
  });
  return { segments, aborting, snapshotOffsets };
}

/** From the checkpoint or, where that cannot be read, from the batches themselves. */
async function loadEpochs(
  { context, directory }: LoadOptions,
  segments: readonly Segment[],
): Promise<LeaderEpochCache> {
  try {
    const path = `${directory}/${epochCheckpointName}`;
    return new LeaderEpochCache(await readEpochCheckpoint(context.fileSystem, path));
  } catch (error) {
    if (!(error instanceof CorruptCheckpointError)) throw error;
    context.logger.warn(`${errorMessage(error)}; reading the epochs from the log instead`);
  }
  const epochs = new LeaderEpochCache();
  for (const segment of segments)
    await segment.scan({ from: 0, depth: 'headers' }, ({ header }) => {
      if (header.partitionLeaderEpoch > epochs.latestEpoch)
        epochs.assign(header.partitionLeaderEpoch, header.baseOffset);
      return undefined;
    });
  return epochs;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
