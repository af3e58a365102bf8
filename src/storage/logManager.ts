import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Random } from '../base/random.ts';
import type { Uuid } from '../base/uuid.ts';
import type { FileSystem } from './fileSystem.ts';
import type { LogConfig } from './logConfig.ts';
import type { PartitionLog } from './partitionLog.ts';

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
  /** The id of a known topic; it spares reading `partition.metadata` of each partition at start. */
  readonly topicIdOf?: (topic: string) => Uuid | undefined;
  /** log.retention.check.interval.ms; 300000 by default. */
  readonly retentionCheckIntervalMs?: number;
  /** producer.id.expiration.ms; 86400000 by default. */
  readonly producerIdExpirationMs?: number;
}

/** The logs of one broker's data directory: Kafka's LogManager. */
export class LogManager {
  /**
   * Reads the directory. After a clean stop the logs are only listed; otherwise each is recovered before
   * this resolves. Rejects with `StorageError` (KAFKA_STORAGE_ERROR) where the directory cannot be written,
   * was made by a newer version, or belongs to another cluster or broker; the message says what to do.
   */
  static open(_options: LogManagerOptions): Promise<LogManager> {
    throw new Error('not built yet');
  }

  get(_topic: string, _partition: number): PartitionLog | undefined {
    throw new Error('not built yet');
  }

  create(_log: {
    topic: string;
    partition: number;
    topicId: Uuid;
    config: LogConfig;
  }): Promise<PartitionLog> {
    throw new Error('not built yet');
  }

  /** Takes the log out of use at once; its files go after file.delete.delay.ms. */
  delete(_topic: string, _partition: number): Promise<void> {
    throw new Error('not built yet');
  }

  logs(): Iterable<PartitionLog> {
    throw new Error('not built yet');
  }

  /** Starts retention checks, background flushes and checkpoints. */
  startMaintenance(): void {
    throw new Error('not built yet');
  }

  /** The clean stop: flushes every log, writes the checkpoints and the clean-shutdown marker. */
  close(): Promise<void> {
    throw new Error('not built yet');
  }
}
