import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage, type Logger } from '../base/logger.ts';
import { FileSystemError } from './fileSystem.ts';
import type { PartitionLog } from './partitionLog.ts';
import { StorageError } from './storageError.ts';

/** How often logs are looked at for what is to be flushed. */
const flushCheckMs = 250;
/** Bytes after which a log is flushed at the next look, and the time after which it is anyway. */
const flushBytes = 8 << 20;
const flushAfterMs = 1000;
/** How often the checkpoints are written [replica.high.watermark.checkpoint.interval.ms]. */
const checkpointMs = 5000;
/** How often folders that could not be read are tried again. */
const reopenMs = 5000;

export interface LogMaintenanceOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logs: () => Iterable<PartitionLog>;
  /** Logs that may have something to flush; those that have not are taken out. */
  readonly changed: Set<PartitionLog>;
  readonly retentionCheckIntervalMs: number;
  readonly producerCheckIntervalMs: number;
  readonly writeCheckpoints: () => Promise<void>;
  readonly cleanerBackoffMs: number;
  /** A round of compaction, and of retention for what is compacted; undefined: there is none. */
  readonly compact: (() => Promise<void>) | undefined;
}

/**
 * What is done to logs in the background: flushes, retention, checkpoints, compaction, forgetting producers, and
 * another try at what could not be read. Each by itself, never twice at once.
 */
export class LogMaintenance {
  readonly #options: LogMaintenanceOptions;
  readonly #timers = new Set<Disposable>();
  #isStopped = false;
  readonly #running = new Set<Promise<void>>();
  /** When each log that has something to flush was first seen so. */
  readonly #dirtySince = new Map<PartitionLog, number>();
  #isStarted = false;

  constructor(options: LogMaintenanceOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#every(flushCheckMs, () => this.#flushDue());
    this.#every(checkpointMs, () => this.#options.writeCheckpoints());
    this.#every(reopenMs, () => this.#openOffline());
    this.#every(this.#options.retentionCheckIntervalMs, () => this.#applyRetention());
    this.#every(this.#options.producerCheckIntervalMs, () =>
      this.#eachLog((log) => log.removeExpiredProducers()),
    );
    const { compact, cleanerBackoffMs } = this.#options;
    if (compact) this.#every(cleanerBackoffMs, compact);
  }

  /** No round begins any more; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) timer.dispose();
    await Promise.all(this.#running);
  }

  /** The next round is timed from the end of this one. */
  #every(intervalMs: number, round: () => Promise<void>): void {
    if (this.#isStopped) return;
    const timer = this.#options.clock.setTimer(intervalMs, () => {
      this.#timers.delete(timer);
      const running = round()
        .catch((error: unknown) => this.#options.logger.error(errorMessage(error)))
        .finally(() => {
          this.#running.delete(running);
          this.#every(intervalMs, round);
        });
      this.#running.add(running);
    });
    this.#timers.add(timer);
  }

  /** Logs that are compacted are left to the cleaner, also where there is none. [LogManager.cleanupLogs] */
  #applyRetention(): Promise<void> {
    return this.#eachLog(async (log) => {
      if (!log.config.cleanupPolicy.has('compact')) await log.applyRetention();
    });
  }

  async #flushDue(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    for (const log of [...this.#options.changed]) {
      if (this.#isStopped) return; // a stop flushes them all, many at a time
      if (!log.isDirty || log.isClosed) {
        this.#options.changed.delete(log);
        this.#dirtySince.delete(log);
        continue;
      }
      const since = this.#dirtySince.get(log) ?? nowMs;
      this.#dirtySince.set(log, since);
      const limitMs = Math.min(flushAfterMs, log.config.flushMs);
      if (log.unflushedBytes < flushBytes && nowMs - since < limitMs) continue;
      this.#dirtySince.delete(log);
      await this.#attempt(log, () => log.flush());
    }
  }

  async #openOffline(): Promise<void> {
    for (const log of [...this.#options.logs()]) {
      if (this.#isStopped) return;
      if (log.problem && !log.isClosed) await log.tryOpen();
    }
  }

  async #eachLog(work: (log: PartitionLog) => Promise<unknown>): Promise<void> {
    for (const log of [...this.#options.logs()]) {
      if (this.#isStopped) return;
      await this.#attempt(log, () => work(log));
    }
  }

  /** One log's trouble is not the next one's; what the disk does the log tells by itself. */
  async #attempt(log: PartitionLog, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (log.isClosed) return; // deleted since the round began
      if (error instanceof StorageError && error.cause instanceof FileSystemError) return;
      this.#options.logger.warn(`${log.topic}-${log.partition}: ${errorMessage(error)}`);
    }
  }
}
