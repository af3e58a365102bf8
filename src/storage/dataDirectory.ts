import { errorMessage, type Logger } from '../base/logger.ts';
import type { Random } from '../base/random.ts';
import { randomUuid, type Uuid } from '../base/uuid.ts';
import { replaceFile } from './atomicFile.ts';
import {
  type CheckpointEntry,
  checkpointNames,
  CorruptCheckpointError,
  readOffsetCheckpoint,
} from './checkpoints.ts';
import type { FileSystem } from './fileSystem.ts';
import {
  folderName,
  isDeletedFolder,
  isStrayFolder,
  parseFolderName,
  type TopicPartition,
} from './folderName.ts';
import { StorageError } from './storageError.ts';

/** A directory, and whom it has to belong to. */
export interface DataDirectoryOptions {
  readonly fileSystem: FileSystem;
  readonly random: Random;
  readonly logger: Logger;
  readonly directory: string;
  readonly nodeId: number;
  readonly clusterId: string;
}

const metaName = 'meta.properties';
const cleanShutdownName = '.kafka_cleanshutdown';

/** What a data directory says about itself and its logs before any of them is opened. */
export interface DirectoryContents {
  readonly directoryId: Uuid;
  readonly hadCleanShutdown: boolean;
  readonly partitions: readonly TopicPartition[];
  /** Folders of partitions whose deletion was not finished. */
  readonly deletedFolders: readonly string[];
  /** Folders that were set aside. */
  readonly strayFolders: readonly string[];
  /** Offsets by folder name. */
  readonly recoveryPoints: ReadonlyMap<string, bigint>;
  readonly highWatermarks: ReadonlyMap<string, bigint>;
  readonly logStarts: ReadonlyMap<string, bigint>;
  /** Up to where logs were compacted; undefined where that is not known. */
  readonly cleanedOffsets: ReadonlyMap<string, bigint> | undefined;
}

/**
 * Makes the directory if need be, checks that it is ours and can be written, and reads its checkpoints. The
 * clean-shutdown marker is taken away: from here on a crash is one. Rejects with KAFKA_STORAGE_ERROR.
 */
export async function openDataDirectory(options: DataDirectoryOptions): Promise<DirectoryContents> {
  const { fileSystem, directory } = options;
  await checkWritable(fileSystem, directory);
  const directoryId = await checkMetaProperties(options);
  const { hadCleanShutdown, ...checkpoints } = await readCheckpoints(options);
  await fileSystem.remove(`${directory}/${cleanShutdownName}`);
  await fileSystem.syncDirectory(directory);
  const folders = (await fileSystem.list(directory)).filter(({ isDirectory }) => isDirectory);
  const names = folders.map(({ name }) => name);
  return {
    directoryId,
    hadCleanShutdown,
    ...checkpoints,
    partitions: names.flatMap((name) => parseFolderName(name) ?? []),
    deletedFolders: names.filter(isDeletedFolder),
    strayFolders: names.filter(isStrayFolder),
  };
}

/** Says that everything is on the disk, as the checkpoints have it [CleanShutdownFileHandler]. */
export async function markCleanShutdown(fileSystem: FileSystem, directory: string): Promise<void> {
  const contents = JSON.stringify({ version: 0, brokerEpoch: -1 });
  await replaceFile(fileSystem, `${directory}/${cleanShutdownName}`, contents);
}

async function checkWritable(fileSystem: FileSystem, directory: string): Promise<void> {
  const probe = `${directory}/.write-check.tmp`;
  try {
    await fileSystem.makeDirectory(directory);
    await replaceFile(fileSystem, probe.slice(0, -4), 'This folder can be written to.\n');
    await fileSystem.remove(probe.slice(0, -4));
  } catch (error) {
    throw new StorageError(
      'KAFKA_STORAGE_ERROR',
      `the data directory ${directory} cannot be written: ${errorMessage(error)}. Give this user write access to it and make sure that the disk has room, or choose another directory.`,
      { cause: error },
    );
  }
}

/** Reads or, in a new directory, writes `meta.properties`; answers the directory's id. */
async function checkMetaProperties(options: DataDirectoryOptions): Promise<Uuid> {
  const { fileSystem, directory, clusterId, nodeId, random } = options;
  const path = `${directory}/${metaName}`;
  const contents = await fileSystem.readFile(path);
  if (contents === undefined) {
    const directoryId = randomUuid(random);
    await replaceFile(
      fileSystem,
      path,
      `#\nversion=1\ncluster.id=${clusterId}\nnode.id=${nodeId}\ndirectory.id=${directoryId}\n`,
    );
    return directoryId;
  }
  const found = parseProperties(contents.toString('utf8'));
  checkMetaVersion(path, found);
  expectProperty(path, found, { key: 'cluster.id', value: clusterId, what: 'cluster' });
  expectProperty(path, found, { key: 'node.id', value: String(nodeId), what: 'broker' });
  return found.get('directory.id') ?? randomUuid(random);
}

function checkMetaVersion(path: string, found: ReadonlyMap<string, string>): void {
  const version = found.get('version');
  if (version === '1') return;
  const isNewer = version !== undefined && /^\d+$/.test(version) && Number(version) > 1;
  throw new StorageError(
    'KAFKA_STORAGE_ERROR',
    isNewer
      ? `${path} has version ${version}: it was written by a newer version. Update Kafka Workbench, or choose another data directory.`
      : `${path} has no version that is known (${version ?? 'none at all'}). Restore the file, or choose another data directory.`,
  );
}

function expectProperty(
  path: string,
  found: ReadonlyMap<string, string>,
  { key, value, what }: { readonly key: string; readonly value: string; readonly what: string },
): void {
  const actual = found.get(key);
  if (actual === value) return;
  throw new StorageError(
    'KAFKA_STORAGE_ERROR',
    `${path} belongs to another ${what}: ${key} is ${actual ?? 'missing'} there, and ${value} here. Choose another data directory.`,
  );
}

function parseProperties(text: string): Map<string, string> {
  const result = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const separator = line.indexOf('=');
    if (line.startsWith('#') || separator < 0) continue;
    result.set(line.slice(0, separator).trim(), line.slice(separator + 1).trim());
  }
  return result;
}

type Checkpoints = Pick<
  DirectoryContents,
  'hadCleanShutdown' | 'recoveryPoints' | 'highWatermarks' | 'logStarts' | 'cleanedOffsets'
>;

/** Without recovery points that can be read, every segment counts as not known to be sound. */
async function readCheckpoints(options: DataDirectoryOptions): Promise<Checkpoints> {
  const { fileSystem, directory } = options;
  const marker = await fileSystem.readFile(`${directory}/${cleanShutdownName}`);
  const recoveryPoints = await readCheckpoint(options, checkpointNames.recoveryPoint);
  const highWatermarks = await readCheckpoint(options, checkpointNames.highWatermark);
  const logStarts = await readCheckpoint(options, checkpointNames.logStart);
  const cleanedOffsets = await readCheckpoint(options, checkpointNames.cleaner);
  const all = [recoveryPoints, highWatermarks, logStarts];
  const areReadable = all.every((checkpoint) => checkpoint !== undefined);
  return {
    hadCleanShutdown: marker !== undefined && areReadable,
    recoveryPoints: recoveryPoints ?? new Map(),
    highWatermarks: highWatermarks ?? new Map(),
    logStarts: logStarts ?? new Map(),
    cleanedOffsets,
  };
}

async function readCheckpoint(
  { fileSystem, directory, logger }: DataDirectoryOptions,
  name: string,
): Promise<Map<string, bigint> | undefined> {
  try {
    const entries = await readOffsetCheckpoint(fileSystem, `${directory}/${name}`);
    return new Map(entries.map((entry: CheckpointEntry) => [folderName(entry), entry.offset]));
  } catch (error) {
    if (!(error instanceof CorruptCheckpointError)) throw error;
    logger.warn(`${error.message}; going on without it, every log is checked`);
    return undefined;
  }
}
