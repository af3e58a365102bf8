import { errorMessage, type Logger } from '../base/logger.ts';
import { dirtyRatio, isWorthCleaning, type LogToClean } from './cleanable.ts';
import { CleaningAborted } from './logCleaning.ts';
import { Lane } from './lane.ts';
import type { PartitionLog } from './partitionLog.ts';

export interface LogCleanerOptions {
  readonly logger: Logger;
  readonly logs: () => Iterable<PartitionLog>;
  /** log.cleaner.dedupe.buffer.size */
  readonly maxMapBytes: number;
  /** Writes the checkpoints, so that a restart knows what is whole and what is compacted. */
  readonly writeCheckpoints: () => Promise<void>;
}

interface Candidate {
  readonly log: PartitionLog;
  readonly toClean: LogToClean;
}

const notCompacted = 'cannot be compacted';

/** What a compaction that was asked for did to a partition. */
export interface CompactedLog {
  readonly topic: string;
  readonly partition: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Compacts the logs of a data directory, one at a time, the dirtiest first [LogCleaner, LogCleanerManager]. */
export class LogCleaner {
  readonly #options: LogCleanerOptions;
  readonly #lane = new Lane();
  /** Logs whose compaction failed: left alone until the next start. */
  readonly #uncleanable = new WeakSet<PartitionLog>();
  #isStopped = false;

  constructor(options: LogCleanerOptions) {
    this.#options = options;
  }

  /** One round: goes on until no log is dirty enough, and deletes what is over the limits of each. */
  cleanDirty(): Promise<void> {
    return this.#lane.run(async () => {
      while (!this.#isStopped) {
        const filthiest = await this.#filthiest();
        const hasCleaned = filthiest !== undefined && (await this.#clean(filthiest));
        await this.#applyRetention();
        if (!hasCleaned) return;
      }
    });
  }

  /**
   * Compacts at once what may be compacted, however little it is, and after beginning a new segment: for people
   * who do not want to wait. Tombstones whose time is over go as well.
   */
  compactNow(topics?: ReadonlySet<string>): Promise<readonly CompactedLog[]> {
    return this.#lane.run(async () => {
      const compacted: CompactedLog[] = [];
      for (const log of this.#compactedLogs()) {
        if (topics !== undefined && !topics.has(log.topic)) continue;
        const toClean = await this.#surveyed(log, true);
        if (toClean === undefined || toClean.totalBytes === 0) continue;
        if (toClean.firstDirtyOffset > toClean.firstUncleanableOffset) continue;
        const { topic, partition, sizeInBytes: bytesBefore } = log;
        if (await this.#clean({ log, toClean }))
          compacted.push({ topic, partition, bytesBefore, bytesAfter: log.sizeInBytes });
      }
      return compacted;
    });
  }

  /** Nothing is begun any more; what is under way is given up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#lane.run(() => Promise.resolve());
  }

  #compactedLogs(): PartitionLog[] {
    return [...this.#options.logs()].filter(
      (log) =>
        log.isBegun &&
        log.problem === undefined &&
        log.config.cleanupPolicy.has('compact') &&
        !this.#uncleanable.has(log),
    );
  }

  /**
   * Of compacted logs this is the cleaner's, however it is with those of other policies.
   * [LogCleanerManager.deletableLogs]
   */
  async #applyRetention(): Promise<void> {
    for (const log of this.#compactedLogs()) {
      if (this.#isStopped) return;
      try {
        await log.applyRetention();
      } catch (error) {
        this.#giveUp(log, 'has segments over its limits that cannot be deleted', error);
      }
    }
  }

  async #filthiest(): Promise<Candidate | undefined> {
    let filthiest: Candidate | undefined;
    for (const log of this.#compactedLogs()) {
      const toClean = await this.#surveyed(log, false);
      if (toClean === undefined || !isWorthCleaning(toClean, log.config)) continue;
      if (filthiest === undefined || dirtyRatio(toClean) > dirtyRatio(filthiest.toClean))
        filthiest = { log, toClean };
    }
    return filthiest;
  }

  async #surveyed(log: PartitionLog, rolls: boolean): Promise<LogToClean | undefined> {
    if (this.#isStopped) return undefined;
    try {
      if (rolls) await log.roll();
      return await log.surveyCompaction();
    } catch (error) {
      this.#giveUp(log, notCompacted, error);
      return undefined;
    }
  }

  /** Answers whether it came to its end. */
  async #clean({ log, toClean }: Candidate): Promise<boolean> {
    const checkAborted = (): void => {
      if (this.#isStopped || log.isClosed) throw new CleaningAborted('the log is closed');
    };
    const { maxMapBytes, writeCheckpoints } = this.#options;
    try {
      // Compaction leaves gaps. Below a recovery point that is on the disk, none is taken for a loss.
      await log.flush();
      await writeCheckpoints();
      await log.compact({ toClean, maxMapBytes, checkAborted });
      await writeCheckpoints();
      return true;
    } catch (error) {
      if (!(error instanceof CleaningAborted)) this.#giveUp(log, notCompacted, error);
      return false;
    }
  }

  #giveUp(log: PartitionLog, trouble: string, error: unknown): void {
    if (log.isClosed || log.problem) return;
    this.#uncleanable.add(log);
    this.#options.logger.warn(
      `${log.topic}-${log.partition} ${trouble} and is left as it is until the next start: ${errorMessage(error)}`,
    );
  }
}
