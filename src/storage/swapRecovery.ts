import { batchHeaderBytes } from '../protocol/records/recordBatch.ts';
import { scanBatches } from './segmentScan.ts';
import type { StorageContext } from './storageContext.ts';

/** Where a log's files are, and by what they are reached. */
interface LogFolder {
  readonly context: StorageContext;
  readonly directory: string;
}

const swapSuffix = '.swap';

/**
 * Removes what a crash left half-done, and ends a compaction's change of segments where all of the new ones were
 * named `.swap`: what they replace goes, and they get their names [LogLoader.load]. Answers the names that are
 * left.
 */
export async function tidyFolder(folder: LogFolder): Promise<string[]> {
  const { fileSystem, handles, logger } = folder.context;
  const names = await namesIn(folder);
  const cleaned = names.filter((name) => name.endsWith('.cleaned'));
  const stray = names.filter((name) => name.endsWith('.deleted') || name.endsWith('.tmp'));
  const swaps = names.filter((name) => name.endsWith(swapSuffix));
  if (cleaned.length + stray.length + swaps.length === 0) return names;
  // New segments are renamed last one first: one still named `.cleaned` means that not all were.
  const valid = swaps.filter((name) => cleaned.every((other) => baseOf(name) < baseOf(other)));
  const invalid = swaps.filter((name) => !valid.includes(name));
  for (const name of [...stray, ...invalid, ...cleaned]) {
    await handles.release(`${folder.directory}/${name}`);
    await fileSystem.remove(`${folder.directory}/${name}`);
  }
  if (valid.length > 0) {
    logger.warn(`${folder.directory}: finishing a compaction that was interrupted`);
    await finishSwap(folder, valid);
  }
  return namesIn(folder);
}

async function finishSwap(folder: LogFolder, swaps: readonly string[]): Promise<void> {
  const { directory, context } = folder;
  const { fileSystem } = context;
  const ranges = await Promise.all(
    swaps.filter((name) => name.endsWith(`.log${swapSuffix}`)).map((name) => rangeOf(folder, name)),
  );
  const from = ranges.reduce((least, range) => smaller(least, range.from), ranges[0]?.from ?? 0n);
  const to = ranges.reduce((most, range) => larger(most, range.to), 0n);
  for (const name of await namesIn(folder)) {
    if (!isSegmentFile(name)) continue;
    if (baseOf(name) >= from && baseOf(name) < to) await fileSystem.remove(`${directory}/${name}`);
  }
  for (const name of swaps)
    await fileSystem.rename(
      `${directory}/${name}`,
      `${directory}/${name.slice(0, -swapSuffix.length)}`,
    );
  await fileSystem.syncDirectory(directory);
}

/** The offsets of a compacted segment: from its base, which it replaces even where nothing is left in it. */
async function rangeOf(
  { context, directory }: LogFolder,
  name: string,
): Promise<{ readonly from: bigint; readonly to: bigint }> {
  const path = `${directory}/${name}`;
  const from = baseOf(name);
  let to = from + 1n;
  const size = (await context.fileSystem.stat(path))?.sizeInBytes ?? 0;
  if (size >= batchHeaderBytes)
    await context.handles.use(path, (file) =>
      scanBatches(file, { from: 0, to: size, depth: 'headers' }, ({ header }) => {
        to = header.lastOffset + 1n;
        return undefined;
      }),
    );
  await context.handles.release(path);
  return { from, to };
}

async function namesIn({ context, directory }: LogFolder): Promise<string[]> {
  return (await context.fileSystem.list(directory)).map(({ name }) => name);
}

function isSegmentFile(name: string): boolean {
  return /^\d{20}\.(log|index|timeindex|txnindex|snapshot)$/.test(name);
}

function baseOf(name: string): bigint {
  return BigInt(/^\d{20}/.exec(name)?.[0] ?? -1);
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
