import { writeFully } from './atomicFile.ts';
import type { IndexEntries } from './indexEntries.ts';
import { OffsetIndex } from './offsetIndex.ts';
import type { StorageContext } from './storageContext.ts';
import { TimeIndex } from './timeIndex.ts';
import { TransactionIndex } from './transactionIndex.ts';

/** The indexes of one segment, in memory. */
export interface SegmentIndexes {
  readonly offset: OffsetIndex;
  readonly time: TimeIndex;
  readonly transactions: TransactionIndex;
}

export type IndexKind = '.index' | '.timeindex' | '.txnindex';
export const indexKinds: readonly IndexKind[] = ['.index', '.timeindex', '.txnindex'];

/** Where a segment's index files are. */
export interface IndexFiles {
  readonly context: StorageContext;
  pathOf(kind: IndexKind): string;
}

export function newIndexes(baseOffset: bigint): SegmentIndexes {
  return {
    offset: new OffsetIndex(baseOffset),
    time: new TimeIndex(baseOffset),
    transactions: new TransactionIndex(),
  };
}

export function sizeOfIndexes(indexes: SegmentIndexes): number {
  return indexKinds.reduce((sum, kind) => sum + entriesOf(indexes, kind).sizeInBytes, 0);
}

/**
 * Reads the files. Where one is missing or damaged it is left out: `isComplete` is false where offset or
 * time index must be rebuilt from the log.
 */
export async function readIndexes(
  files: IndexFiles,
  baseOffset: bigint,
  logSize: number,
): Promise<SegmentIndexes & { readonly isComplete: boolean }> {
  const { fileSystem, logger } = files.context;
  const [offsets, times, transactions] = await Promise.all(
    indexKinds.map((kind) => fileSystem.readFile(files.pathOf(kind))),
  );
  const isOffsetSound = offsets !== undefined && OffsetIndex.isSound(offsets, logSize);
  const isTimeSound = times !== undefined && TimeIndex.isSound(times);
  const areTransactionsSound =
    transactions === undefined || TransactionIndex.isSound(transactions, baseOffset);
  if (!areTransactionsSound)
    logger.error(
      `${files.pathOf('.txnindex')} is damaged: records of aborted transactions in this segment may be read`,
    );
  return {
    offset: new OffsetIndex(baseOffset, isOffsetSound ? offsets : undefined),
    time: new TimeIndex(baseOffset, isTimeSound ? times : undefined),
    transactions: new TransactionIndex(areTransactionsSound ? transactions : undefined),
    isComplete: isOffsetSound && isTimeSound,
  };
}

/** Writes the entries that the files do not have yet. A transaction index gets its file with its first entry. */
export async function writeUnflushed(files: IndexFiles, indexes: SegmentIndexes): Promise<void> {
  const { fileSystem, handles } = files.context;
  for (const kind of indexKinds) {
    const entries = entriesOf(indexes, kind);
    const { bytes, position } = entries.unflushed;
    if (bytes.length === 0) continue;
    const path = files.pathOf(kind);
    if (kind === '.txnindex' && position === 0)
      await (await fileSystem.open(path, 'create')).close();
    await handles.use(path, (file) => writeFully(file, [bytes], position));
    entries.markFlushed(position + bytes.length);
  }
}

/** Writes the files whole, over what was there. */
export async function rewriteIndexes(files: IndexFiles, indexes: SegmentIndexes): Promise<void> {
  const { fileSystem, handles } = files.context;
  for (const kind of indexKinds) {
    const path = files.pathOf(kind);
    const entries = entriesOf(indexes, kind);
    await handles.release(path);
    if (kind === '.txnindex' && entries.count === 0) {
      await fileSystem.remove(path);
      continue;
    }
    const file = await fileSystem.open(path, 'create');
    try {
      await file.truncate(0);
      await writeFully(file, [entries.bytes.subarray(0, entries.sizeOfEntries)], 0);
      entries.markFlushed(entries.sizeOfEntries);
    } finally {
      await file.close();
    }
  }
}

/** Makes the files of a segment that is over durable; they will not be needed soon and are closed. */
export async function syncIndexes(files: IndexFiles): Promise<void> {
  const { context } = files;
  for (const kind of indexKinds) {
    const path = files.pathOf(kind);
    if ((await context.fileSystem.stat(path)) === undefined) continue;
    await context.handles.use(path, (file) => file.sync());
    await context.handles.release(path);
  }
}

function entriesOf(indexes: SegmentIndexes, kind: IndexKind): IndexEntries {
  if (kind === '.index') return indexes.offset.entries;
  return kind === '.timeindex' ? indexes.time.entries : indexes.transactions.entries;
}
