import { AdjustableClock } from '../base/adjustableClock.ts';
import type { Clock } from '../base/clock.ts';
import { replaceFile } from '../storage/atomicFile.ts';
import type { FileSystem } from '../storage/fileSystem.ts';
import { Lane } from '../storage/lane.ts';
import { StorageError } from '../storage/storageError.ts';

const fileName = 'clock.properties';

/** The end of the year 9999: what every client can print. */
const lastMs = 253_402_300_799_999;

/**
 * The cluster's time. How far it is ahead is kept in the data directory before it counts, so that a restart does
 * not go back behind timestamps that are written.
 */
export class ClusterClock {
  readonly clock: AdjustableClock;
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #lane = new Lane();

  /** Rejects with a StorageError where the advance that was kept cannot be read. */
  static async open(
    fileSystem: FileSystem,
    dataDir: string,
    machine: Clock,
  ): Promise<ClusterClock> {
    const path = `${dataDir}/${fileName}`;
    const aheadMs = parse(path, await fileSystem.readFile(path));
    return new ClusterClock(fileSystem, path, new AdjustableClock(machine, aheadMs));
  }

  private constructor(fileSystem: FileSystem, path: string, clock: AdjustableClock) {
    this.#fileSystem = fileSystem;
    this.#path = path;
    this.clock = clock;
  }

  /** Moves the wall time forward once that is on the disk. */
  advance(byMs: number): Promise<void> {
    return this.#lane.run(async () => {
      if (this.clock.nowMs() + byMs > lastMs) {
        throw new RangeError('the clock would pass the year 9999; advance it by less');
      }
      const aheadMs = this.clock.aheadMs + byMs;
      await replaceFile(this.#fileSystem, this.#path, `ahead.ms=${aheadMs}\n`);
      this.clock.advance(byMs);
    });
  }
}

function parse(path: string, contents: Buffer | undefined): number {
  if (contents === undefined) return 0;
  const digits = /^ahead\.ms=(\d{1,15})\n?$/.exec(contents.toString('utf8'))?.[1];
  if (digits !== undefined) return Number(digits);
  throw new StorageError(
    'KAFKA_STORAGE_ERROR',
    `${path} does not say how far the cluster's clock is ahead. Restore it, or delete it: the clock is the machine's then.`,
  );
}
