import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/logger.ts';
import type { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';

/**
 * Segments that are out of their log: readers that found one before it went get file.delete.delay.ms to finish, and then
 * its files go [LocalLog.deleteSegmentFiles].
 */
export class SegmentRemovals implements Disposable {
  readonly #context: StorageContext;
  /** By base offset, with the timer that ends them. */
  readonly #pending = new Map<bigint, { readonly segment: Segment; readonly timer: Disposable }>();

  constructor(context: StorageContext) {
    this.#context = context;
  }

  async add(segment: Segment, delayMs: number): Promise<void> {
    const { baseOffset } = segment;
    // A segment that was compacted a short while ago may have had the same name.
    await this.#pending.get(baseOffset)?.segment.removeFiles();
    this.#forget(baseOffset);
    await segment.changeSuffix('.deleted');
    const timer = this.#context.clock.setTimer(delayMs, () => {
      this.#forget(baseOffset);
      segment.removeFiles().catch((error: unknown) => {
        this.#context.logger.warn(`${segment.logPath} was not removed: ${errorMessage(error)}`);
      });
    });
    this.#pending.set(baseOffset, { segment, timer });
  }

  /** What is still there stays for the next start. */
  dispose(): void {
    for (const { timer } of this.#pending.values()) timer.dispose();
  }

  #forget(baseOffset: bigint): void {
    this.#pending.get(baseOffset)?.timer.dispose();
    this.#pending.delete(baseOffset);
  }
}
