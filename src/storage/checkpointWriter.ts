import { replaceFile } from './atomicFile.ts';
import { type CheckpointEntry, checkpointNames, encodeOffsetCheckpoint } from './checkpoints.ts';
import type { FileSystem } from './fileSystem.ts';
import { GroupCommit } from './groupCommit.ts';
import { Lane } from './lane.ts';
import type { PartitionLog } from './partitionLog.ts';

export interface CheckpointWriterOptions {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly logs: () => Iterable<PartitionLog>;
}

/** Writes a data directory's checkpoints: what its logs do not say of themselves. */
export class CheckpointWriter {
  readonly #options: CheckpointWriterOptions;
  readonly #lane = new Lane();
  readonly #logStarts = new GroupCommit(() => this.#writeLogStarts(), this.#lane);
  /** What the files hold: idle logs cost no writes. */
  readonly #written = new Map<string, string>();

  constructor(options: CheckpointWriterOptions) {
    this.#options = options;
  }

  /** All that have changed. */
  async write(): Promise<void> {
    await this.#lane.run(async () => {
      await this.#writeOffsets(checkpointNames.recoveryPoint, (log) => log.recoveryPoint);
      await this.#writeOffsets(checkpointNames.highWatermark, (log) => log.highWatermark);
      await this.#writeLogStarts();
      await this.#writeCleanedOffsets();
    });
  }

  /** Together with those of all others who ask meanwhile. */
  writeLogStarts(): Promise<void> {
    return this.#logStarts.run();
  }

  async #writeOffsets(name: string, offsetOf: (log: PartitionLog) => bigint): Promise<void> {
    const begun = [...this.#options.logs()].filter(({ isBegun }) => isBegun);
    const entries = begun.map((log) => ({
      topic: log.topic,
      partition: log.partition,
      offset: offsetOf(log),
    }));
    await this.#writeIfChanged(name, entries);
  }

  /** Logs that begin at 0 need no entry [LogManager.checkpointLogStartOffsetsInDir]. */
  async #writeLogStarts(): Promise<void> {
    const entries = [...this.#options.logs()]
      .filter((log) => log.logStartOffset > 0n)
      .map(({ topic, partition, logStartOffset: offset }) => ({ topic, partition, offset }));
    await this.#writeIfChanged(checkpointNames.logStart, entries);
  }

  /** Logs that were never compacted have no entry [LogCleanerManager]. */
  async #writeCleanedOffsets(): Promise<void> {
    const entries = [...this.#options.logs()].flatMap(({ topic, partition, cleanedOffset }) =>
      cleanedOffset === undefined ? [] : [{ topic, partition, offset: cleanedOffset }],
    );
    await this.#writeIfChanged(checkpointNames.cleaner, entries);
  }

  async #writeIfChanged(name: string, entries: readonly CheckpointEntry[]): Promise<void> {
    const contents = encodeOffsetCheckpoint(entries);
    if (this.#written.get(name) === contents) return;
    const { fileSystem, directory } = this.#options;
    await replaceFile(fileSystem, `${directory}/${name}`, contents);
    this.#written.set(name, contents);
  }
}
