import { errorMessage, type Logger } from '../base/logger.ts';
import type { DirectoryContents } from './dataDirectory.ts';
import type { FileSystem } from './fileSystem.ts';
import { folderName } from './folderName.ts';
import { forEachConcurrently } from './forEachConcurrently.ts';
import { type StartCheckpoint, startCheckpoint } from './logCheckpoint.ts';
import type { PartitionFolders, Replica } from './partitionFolders.ts';
import { readPartitionMetadata } from './partitionMetadata.ts';

/** Folders that are looked into at the same time. */
const concurrentFolders = 16;

/** A folder of which the disk, or a damaged file, does not even say whose it is. */
export interface UnreadableFolder {
  readonly checkpoint: StartCheckpoint;
  readonly reason: unknown;
}

export interface FindOptions {
  readonly fileSystem: FileSystem;
  readonly logger: Logger;
  readonly directory: string;
  readonly folders: PartitionFolders;
  /** Whether a folder is of no partition that belongs here [LogManager.isStrayReplica]. */
  readonly isStray?: ((found: Replica) => boolean) | undefined;
  readonly onFound: (found: Replica, checkpoint: StartCheckpoint) => void;
}

/**
 * Looks into every partition's folder; strays are set aside, and what says no topic id is left alone. Answers the
 * unreadable ones by name.
 */
export async function findLogs(
  contents: DirectoryContents,
  options: FindOptions,
): Promise<Map<string, UnreadableFolder>> {
  const { fileSystem, logger, directory, folders } = options;
  const unreadable = new Map<string, UnreadableFolder>();
  tellOfStrays(contents, options);
  await forEachConcurrently(contents.partitions, concurrentFolders, async (partition) => {
    const name = folderName(partition);
    const path = folders.path(partition);
    const checkpoint = startCheckpoint(contents, name);
    const topicId = await readPartitionMetadata(fileSystem, path).catch(
      (reason: unknown) => void unreadable.set(name, { checkpoint, reason }),
    );
    if (unreadable.has(name)) return; // told once it is needed
    if (topicId === undefined) {
      logger.warn(`${path} says no topic id and is left alone`);
      return;
    }
    const found = { ...partition, topicId };
    if (!options.isStray?.(found)) options.onFound(found, checkpoint);
    else
      await folders.setAside(partition).catch((error: unknown) => {
        logger.warn(`${directory}: ${errorMessage(error)}`);
      });
  });
  return unreadable;
}

function tellOfStrays({ strayFolders }: DirectoryContents, { logger, directory }: FindOptions) {
  if (strayFolders.length === 0) return;
  logger.warn(
    `${strayFolders.length} folders in ${directory} whose names end in -stray hold records of topics that are gone; remove them where nobody needs these`,
  );
}
