import type { Clock } from '../base/clock.ts';
import { errorMessage, type Logger } from '../base/logger.ts';
import type { Random } from '../base/random.ts';
import type { Uuid } from '../base/uuid.ts';
import { CheckpointWriter } from './checkpointWriter.ts';
import { type DirectoryContents, markCleanShutdown, openDataDirectory } from './dataDirectory.ts';
import type { FileSystem } from './fileSystem.ts';
import { folderName, type TopicPartition } from './folderName.ts';
import { findLogs, type UnreadableFolder } from './foundLogs.ts';
import { forEachConcurrently } from './forEachConcurrently.ts';
import { beginning, type StartCheckpoint } from './logCheckpoint.ts';
import { type CompactedLog, LogCleaner } from './logCleaner.ts';
import { closeLogs } from './logClosing.ts';
import type { LogConfig } from './logConfig.ts';
import type { LogHome } from './logHome.ts';
import { LogMaintenance } from './logMaintenance.ts';
import { storageFailure } from './logTrouble.ts';
import { PartitionFolders, type Replica } from './partitionFolders.ts';
import { PartitionLog, type PartitionLogOptions } from './partitionLog.ts';
import { newStorageContext, type StorageContext } from './storageContext.ts';
import { StorageError } from './storageError.ts';

/** Logs that are opened or recovered at the same time. */
const concurrentLogs = 4;
/** Logs that are taken out of use at the same time. */
const concurrentlyDeleted = 16;

export interface LogManagerOptions {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Made where it is missing. One log manager at a time: the caller holds the lock. */
  readonly directory: string;
  readonly nodeId: number;
  readonly clusterId: string;
  /** For topics that `configOf` does not know. */
  readonly defaultConfig: LogConfig;
  readonly configOf: (topic: string) => LogConfig | undefined;
  /** Whether a folder that is found is of no partition that belongs here [LogManager.isStrayReplica]. */
  readonly isStray?: (found: Replica) => boolean;
  /** The disk failed a log that was in use: nothing is answered from it until it is recovered. */
  readonly onDidFail?: (log: PartitionLog) => void;
  /** A log that was offline is not any more. */
  readonly onDidRecover?: (log: PartitionLog) => void;
  /** log.retention.check.interval.ms; 300000 by default. */
  readonly retentionCheckIntervalMs?: number;
  /** producer.id.expiration.ms; 86400000 by default. */
  readonly producerIdExpirationMs?: number;
  /** producer.id.expiration.check.interval.ms; 600000 by default. */
  readonly producerCheckIntervalMs?: number;
  /** log.cleaner.enable; true by default. */
  readonly isCleanerEnabled?: boolean;
  /** log.cleaner.backoff.ms; 15000 by default. */
  readonly cleanerBackoffMs?: number;
  /** log.cleaner.dedupe.buffer.size; 128 MiB by default. */
  readonly cleanerDedupeBufferBytes?: number;
}

type NewLog = Replica & { readonly config: LogConfig };

/** The logs of one broker's data directory: Kafka's LogManager. */
export class LogManager {
  readonly directoryId: Uuid;
  /** Whether the last stop was clean; otherwise every log was recovered. */
  readonly hadCleanShutdown: boolean;
  readonly #options: LogManagerOptions;
  readonly #context: StorageContext;
  readonly #folders: PartitionFolders;
  readonly #logs = new Map<string, PartitionLog>();
  readonly #checkpoints: CheckpointWriter;
  readonly #maintenance: LogMaintenance;
  readonly #cleaner: LogCleaner;
  /** Logs that may have something to flush. */
  readonly #changed = new Set<PartitionLog>();
  readonly #home: LogHome<PartitionLog> = {
    makeFolder: (log) => this.#folders.make(log),
    persistLogStarts: () => this.#checkpoints.writeLogStarts(),
    noteChanged: (log) => void this.#changed.add(log),
    noteFailed: (log) => this.#options.onDidFail?.(log),
    noteRecovered: (log) => {
      this.#options.logger.info(`${folderName(log)} can be read again`);
      this.#options.onDidRecover?.(log);
    },
  };
  /** By name; theirs are the topics that have these names, as far as can be told. */
  #unreadable = new Map<string, UnreadableFolder>();
  #isClosed = false;

  private constructor(options: LogManagerOptions, contents: DirectoryContents) {
    const { directory, clock, logger } = options;
    this.#options = options;
    this.directoryId = contents.directoryId;
    this.hadCleanShutdown = contents.hadCleanShutdown;
    this.#context = newStorageContext(options);
    const { fileSystem } = this.#context;
    this.#folders = new PartitionFolders({
      ...options,
      fileSystem,
      hasLog: (partition) => this.#logs.has(folderName(partition)),
      hasReplica: ({ topicId, partition }) =>
        [...this.#logs.values()].some(
          (log) => log.topicId === topicId && log.partition === partition,
        ),
    });
    this.#checkpoints = new CheckpointWriter({
      fileSystem,
      directory,
      logs: () => this.#logs.values(),
    });
    this.#cleaner = new LogCleaner({
      logger,
      logs: () => this.#logs.values(),
      maxMapBytes: options.cleanerDedupeBufferBytes ?? 134_217_728,
      writeCheckpoints: () => this.writeCheckpoints(),
    });
    this.#maintenance = new LogMaintenance({
      clock,
      logger,
      logs: () => this.#logs.values(),
      changed: this.#changed,
      retentionCheckIntervalMs: options.retentionCheckIntervalMs ?? 300_000,
      producerCheckIntervalMs: options.producerCheckIntervalMs ?? 600_000,
      writeCheckpoints: () => this.writeCheckpoints(),
      cleanerBackoffMs: options.cleanerBackoffMs ?? 15_000,
      compact: options.isCleanerEnabled === false ? undefined : () => this.#cleaner.cleanDirty(),
    });
  }

  /**
   * Reads the directory. After a clean stop the logs are only listed; otherwise each is recovered before
   * this resolves. What the disk refuses to read of one partition holds up nobody else: its log is offline until it can
   * be read; Kafka takes the whole directory out of service, and stops where it was the only one [LogManager.loadLogs].
   * Rejects with `StorageError` (KAFKA_STORAGE_ERROR) where the directory cannot be written,
   * was made by a newer version, or belongs to another cluster or broker; the message says what to do.
   */
  static async open(options: LogManagerOptions): Promise<LogManager> {
    try {
      const contents = await openDataDirectory(options);
      const manager = new LogManager(options, contents);
      await manager.#addListed(contents);
      if (!contents.hadCleanShutdown)
        await forEachConcurrently(manager.#logs.values(), concurrentLogs, (log) => log.tryOpen());
      // Beside everything else: there may be thousands of them [LogManager.deleteLogs].
      for (const name of contents.deletedFolders) void manager.#folders.remove(name);
      return manager;
    } catch (error) {
      throw storageFailure(options.directory, error);
    }
  }

  get(topic: string, partition: number): PartitionLog | undefined {
    return this.#logs.get(folderName({ topic, partition }));
  }

  logs(): Iterable<PartitionLog> {
    return this.#logs.values();
  }

  /**
   * The log of a partition. A new one has nothing on the disk until something is written to it: thousands of
   * partitions cost next to nothing before they are used. Throws where the log is of another topic id.
   */
  host(log: NewLog): PartitionLog {
    const existing = this.get(log.topic, log.partition);
    if (existing !== undefined) return this.#sameTopic(existing, log.topicId);
    if (this.#isClosed) throw new StorageError('KAFKA_STORAGE_ERROR', 'the broker is stopping');
    const found = this.#unreadable.get(folderName(log));
    this.#unreadable.delete(folderName(log));
    if (!found) return this.#add(log, beginning, { isBegun: false });
    return this.#add(log, found.checkpoint, { isBegun: true, unreadable: found.reason });
  }

  /** As `host`, with its folder made at once. */
  async create(log: NewLog): Promise<PartitionLog> {
    const created = this.host(log);
    if (!created.isBegun) await created.begin();
    return created;
  }

  delete(topic: string, partition: number): Promise<void> {
    return this.deleteAll([{ topic, partition }]);
  }

  /** Takes logs out of use at once; their files go after file.delete.delay.ms. What fails is told, and tried again. */
  async deleteAll(partitions: readonly TopicPartition[]): Promise<void> {
    const logs = partitions.flatMap((each) => this.#logs.get(folderName(each)) ?? []);
    for (const log of logs) this.#logs.delete(folderName(log));
    const gone = forEachConcurrently(logs, concurrentlyDeleted, async (log) => {
      await this.#told(log.abandon());
      if (log.isBegun) await this.#folders.delete(log, log.config.fileDeleteDelayMs);
    });
    this.#folders.hold(logs, gone);
    await gone;
    const { fileSystem } = this.#context;
    const { directory } = this.#options;
    if (logs.some(({ isBegun }) => isBegun)) await this.#told(fileSystem.syncDirectory(directory));
  }

  /** Starts retention checks, background flushes and checkpoints. */
  startMaintenance(): void {
    this.#maintenance.start();
  }

  /** One round of what maintenance does in the background; for tests and for doing it at once. */
  writeCheckpoints(): Promise<void> {
    return this.#checkpoints.write();
  }

  /**
   * Compacts at once, whatever the topics' dirty ratio, and after beginning a new segment; undefined: every topic
   * that is compacted. Lag limits and open transactions hold it back as always.
   */
  compactNow(topics?: ReadonlySet<string>): Promise<readonly CompactedLog[]> {
    return this.#cleaner.compactNow(topics);
  }

  /** The round of compaction that the timer begins: logs that are dirty enough. */
  compactDirty(): Promise<void> {
    return this.#cleaner.cleanDirty();
  }

  /** The clean stop: flushes every log, writes the checkpoints and the clean-shutdown marker. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#cleaner.stop();
    await this.#maintenance.stop();
    await this.#folders.close();
    try {
      const { directory } = this.#options;
      const closed = closeLogs([...this.#logs.values()], { ...this.#context, directory });
      await Promise.allSettled([closed]);
      await this.writeCheckpoints();
      await closed;
      await this.#markCleanShutdown();
    } finally {
      await this.#context.handles.releaseAll();
    }
  }

  /** Not where the next start has to look at a log. */
  async #markCleanShutdown(): Promise<void> {
    const { directory, logger } = this.#options;
    const unsound = [...this.#logs.values()].filter(({ needsRecovery }) => needsRecovery);
    if (unsound.length === 0) await markCleanShutdown(this.#context.fileSystem, directory);
    else
      logger.warn(`the next start checks ${directory}, for ${unsound.map(folderName).join(' ')}`);
  }

  async #addListed(contents: DirectoryContents): Promise<void> {
    const { fileSystem } = this.#context;
    const { directory, logger, isStray } = this.#options;
    this.#unreadable = await findLogs(contents, {
      fileSystem,
      directory,
      logger,
      folders: this.#folders,
      isStray,
      onFound: (found, checkpoint) =>
        this.#add({ ...found, config: this.#configOf(found.topic) }, checkpoint, { isBegun: true }),
    });
  }

  #add(
    log: NewLog,
    checkpoint: StartCheckpoint,
    folder: Pick<PartitionLogOptions, 'isBegun' | 'unreadable'>,
  ): PartitionLog {
    const added = new PartitionLog({
      ...log,
      ...folder,
      context: this.#context,
      directory: this.#folders.path(log),
      checkpoint,
      home: this.#home,
    });
    this.#logs.set(folderName(log), added);
    return added;
  }

  #configOf(topic: string): LogConfig {
    return this.#options.configOf(topic) ?? this.#options.defaultConfig;
  }

  #sameTopic(log: PartitionLog, topicId: Uuid): PartitionLog {
    if (log.topicId === topicId) return log;
    throw new StorageError(
      'KAFKA_STORAGE_ERROR',
      `${folderName(log)} is there with topic id ${log.topicId}, not ${topicId}`,
    );
  }

  /** What fails here is no reason not to go on. */
  async #told(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      this.#options.logger.warn(`${this.#options.directory}: ${errorMessage(error)}`);
    });
  }
}
