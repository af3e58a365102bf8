import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage, type Logger } from '../base/logger.ts';
import type { Random } from '../base/random.ts';
import type { Uuid } from '../base/uuid.ts';
import { type FileSystem, isMissing } from './fileSystem.ts';
import {
  deletedFolderName,
  folderName,
  strayFolderName,
  type TopicPartition,
} from './folderName.ts';
import { Lane } from './lane.ts';
import {
  DamagedMetadataError,
  isPartitionMetadata,
  readPartitionMetadata,
  writePartitionMetadata,
} from './partitionMetadata.ts';
import { StorageError } from './storageError.ts';

/** A deletion that failed is tried again no sooner. */
const shortestRetryMs = 1000;

/** A partition of a certain topic, whatever other topics had its name before. */
export type Replica = TopicPartition & { readonly topicId: Uuid };

export interface PartitionFoldersOptions {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  readonly directory: string;
  /** Whether a log of that name is there, begun or not. */
  readonly hasLog: (partition: TopicPartition) => boolean;
  /** Whether a log of that very topic is there, by whatever name. */
  readonly hasReplica: (replica: Omit<Replica, 'topic'>) => boolean;
}

/**
 * The folders of partitions in a data directory: how they come, and how they go. A folder is that of the topic whose id
 * its `partition.metadata` says, whatever it is called.
 */
export class PartitionFolders {
  readonly #options: PartitionFoldersOptions;
  readonly #timers = new Set<Disposable>();
  /** Files are removed folder by folder: many at once would be in everybody's way. [LogManager.deleteLogs] */
  readonly #removals = new Lane();
  /** By name: folders that are about to lose it. */
  readonly #leaving = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(options: PartitionFoldersOptions) {
    this.#options = options;
  }

  path(partition: TopicPartition): string {
    return this.#path(folderName(partition));
  }

  /**
   * Makes the folder of a log that is to begin; what has its name and is another topic's is set aside. Answers whether
   * it was not there.
   */
  async make(replica: Replica): Promise<boolean> {
    const { fileSystem } = this.#options;
    await this.#leaving.get(folderName(replica));
    const path = this.path(replica);
    let isNew = await fileSystem.makeDirectory(path);
    if (!isNew && !(await this.#isOwn(path, replica))) {
      await this.setAside(replica);
      isNew = await fileSystem.makeDirectory(path);
    }
    try {
      await writePartitionMetadata(fileSystem, path, replica.topicId);
    } catch (error) {
      // Without its id it is nobody's.
      if (isNew) await fileSystem.removeDirectory(path).catch(() => undefined);
      throw error;
    }
    return isNew;
  }

  /**
   * Takes the name off the folder at once; its files go after a while [LogManager.asyncDelete]. Where a folder cannot
   * be renamed, Kafka takes its whole data directory out of service, and stops where it was the only one
   * [LogManager.handleLogDirFailure]. Here the other topics are worth more, and what holds a file open, as virus
   * scanners do, lets it go: the deletion is tried again for as long as no other log needs the name, which then sets
   * the folder aside. After a restart the folder is a stray.
   */
  async delete(partition: TopicPartition, delayMs: number): Promise<void> {
    const name = folderName(partition);
    const gone = this.#rename(partition, delayMs);
    this.#leaving.set(name, gone);
    await gone;
    if (this.#leaving.get(name) === gone) this.#leaving.delete(name);
  }

  /** Nobody takes the names of what is to be deleted before all of it has left, or has itself. */
  hold(partitions: readonly TopicPartition[], gone: Promise<void>): void {
    const names = partitions.map(folderName);
    for (const name of names) this.#leaving.set(name, gone);
    void gone.then(() => {
      for (const name of names) if (this.#leaving.get(name) === gone) this.#leaving.delete(name);
    });
  }

  /** Keeps what is in the folder, under a name that is no partition's [UnifiedLog.logStrayDirName]. */
  async setAside(partition: TopicPartition): Promise<void> {
    const aside = strayFolderName(partition, this.#unique());
    await this.#options.fileSystem.rename(this.path(partition), this.#path(aside));
    this.#options.logger.warn(
      `${this.path(partition)} is not of a topic that is there now and is renamed to ${aside}; remove it where nobody needs its records`,
    );
  }

  /** Removes what a deletion left; never rejects. */
  async remove(name: string): Promise<void> {
    const { fileSystem, logger } = this.#options;
    await this.#removals.run(async () => {
      if (this.#isClosed) return;
      await fileSystem.removeDirectory(this.#path(name)).catch((error: unknown) => {
        logger.warn(
          `${this.#path(name)} was not removed, the next start tries again: ${errorMessage(error)}`,
        );
      });
    });
  }

  /** What is still to be removed stays for the next start; resolves when nothing is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) timer.dispose();
    this.#timers.clear();
    await this.#removals.run(() => Promise.resolve());
  }

  /** Never rejects. */
  async #rename(partition: TopicPartition, delayMs: number): Promise<void> {
    const { fileSystem, logger } = this.#options;
    const deleted = deletedFolderName(partition, this.#unique());
    try {
      await fileSystem.rename(this.path(partition), this.#path(deleted));
    } catch (error) {
      if (isMissing(error)) return;
      const retryMs = Math.max(delayMs, shortestRetryMs);
      logger.error(
        `${this.path(partition)} cannot be deleted, and is tried again in ${retryMs} ms: ${errorMessage(error)}`,
      );
      this.#after(retryMs, async () => {
        if (!this.#options.hasLog(partition)) await this.delete(partition, delayMs);
      });
      return;
    }
    this.#after(delayMs, () => this.remove(deleted));
  }

  /** Whether the folder that is there already is this log's, or what was left where it could not begin. */
  async #isOwn(path: string, { topic, topicId, partition }: Replica): Promise<boolean> {
    const { fileSystem, hasReplica } = this.#options;
    const owner = await readPartitionMetadata(fileSystem, path).catch(async (error: unknown) => {
      if (error instanceof DamagedMetadataError && (await this.#isUnused(path))) return undefined;
      throw error;
    });
    if (owner === undefined) return this.#isUnused(path);
    if (owner !== topicId && hasReplica({ topicId: owner, partition }))
      throw new StorageError(
        'KAFKA_STORAGE_ERROR',
        `${path} is in use by a topic whose name differs from ${topic} in case only, which this disk does not tell apart: give one of them another name`,
      );
    return owner === topicId;
  }

  async #isUnused(path: string): Promise<boolean> {
    return (await this.#options.fileSystem.list(path)).every(isPartitionMetadata);
  }

  /** `work` never rejects. */
  #after(delayMs: number, work: () => Promise<void>): void {
    if (this.#isClosed) return;
    const timer = this.#options.clock.setTimer(delayMs, () => {
      this.#timers.delete(timer);
      void work();
    });
    this.#timers.add(timer);
  }

  #path(name: string): string {
    return `${this.#options.directory}/${name}`;
  }

  #unique(): string {
    return Buffer.from(this.#options.random.bytes(16)).toString('hex');
  }
}
