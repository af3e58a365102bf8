import { errorMessage } from '../base/logger.ts';
import { writeFully } from './atomicFile.ts';
import { decodeProducerSnapshot, encodeProducerSnapshot } from './producerSnapshot.ts';
import type { ProducerState } from './producerState.ts';
import { segmentFileName } from './segmentFiles.ts';
import type { StorageContext } from './storageContext.ts';

/**
 * The `.snapshot` files of a log: the producers as of an offset. One at each segment's beginning and one at
 * the end of a log that was closed, so that a restart reads few batches [ProducerStateManager].
 */
export class ProducerSnapshots {
  readonly #context: StorageContext;
  readonly #directory: string;
  #offsets: bigint[];

  constructor(context: StorageContext, directory: string, offsets: readonly bigint[]) {
    this.#context = context;
    this.#directory = directory;
    this.#offsets = sorted(offsets);
  }

  get offsets(): readonly bigint[] {
    return this.#offsets;
  }

  /**
   * Fills `state` from the newest sound snapshot in (logStart, upTo]; answers the offset it is of, from
   * which the log is to be replayed. Snapshots outside that range, and damaged ones, are removed.
   */
  async load(
    state: ProducerState,
    { logStart, upTo }: { readonly logStart: bigint; readonly upTo: bigint },
  ): Promise<bigint> {
    state.clear();
    await this.removeWhere((offset) => offset <= logStart || offset > upTo);
    for (const offset of this.#offsets.toReversed()) {
      const bytes = await this.#context.fileSystem.readFile(this.#path(offset));
      try {
        if (bytes === undefined) throw new Error('it is gone');
        const { clock, producerIdExpirationMs: expirationMs } = this.#context;
        state.load(decodeProducerSnapshot(bytes), { nowMs: clock.nowMs(), expirationMs });
        return offset;
      } catch (error) {
        this.#context.logger.warn(
          `${this.#path(offset)} cannot be used (${errorMessage(error)}); reading the log instead`,
        );
        await this.removeWhere((each) => each === offset);
      }
    }
    return logStart;
  }

  /** Writes the state as of `offset`; `isSynced` makes it durable at once. */
  async take(state: ProducerState, offset: bigint, isSynced: boolean): Promise<void> {
    const path = this.#path(offset);
    const file = await this.#context.fileSystem.open(path, 'create');
    try {
      await file.truncate(0);
      await writeFully(file, [encodeProducerSnapshot(state.entries)], 0);
      if (isSynced) await file.sync();
    } finally {
      await file.close();
    }
    this.#offsets = sorted([...this.#offsets, offset]);
  }

  async removeWhere(isRemoved: (offset: bigint) => boolean): Promise<void> {
    const removed = this.#offsets.filter(isRemoved);
    this.#offsets = this.#offsets.filter((offset) => !isRemoved(offset));
    for (const offset of removed) await this.#context.fileSystem.remove(this.#path(offset));
  }

  #path(offset: bigint): string {
    return `${this.#directory}/${segmentFileName(offset, '.snapshot')}`;
  }
}

function sorted(offsets: readonly bigint[]): bigint[] {
  return [...new Set(offsets)].sort((a, b) => (a < b ? -1 : 1));
}
