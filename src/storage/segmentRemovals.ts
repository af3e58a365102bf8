import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/logger.ts';
import type { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';

export interface SegmentRemovalsOptions {
  readonly context: StorageContext;
  /** Whether a segment of the log has that file. */
  readonly isInUse: (logPath: string) => boolean;
}

/**
 * Segments that are out of their log: readers that found one before it went get file.delete.delay.ms to finish, and
 * then its files go [LocalLog.deleteSegmentFiles]. Where one cannot be renamed, Kafka takes the whole directory out of
 * service; here it keeps its name and is tried again with the next ones.
 */
export class SegmentRemovals {
  readonly #options: SegmentRemovalsOptions;
  /** By base offset, with the timer that ends them. */
  readonly #pending = new Map<bigint, { readonly segment: Segment; readonly timer: Disposable }>();
  /** Those that could not be renamed. */
  #refused: readonly Segment[] = [];

  constructor(options: SegmentRemovalsOptions) {
    this.#options = options;
  }

  /** Some could not be renamed. */
  get hasRefused(): boolean {
    return this.#refused.length > 0;
  }

  /** Takes segments, and again those that could not be renamed before; answers why one could not, if that is so. */
  async add(segments: readonly Segment[], delayMs: number): Promise<Error | undefined> {
    const wasTold = this.hasRefused;
    // What has the name of such a segment now is over its files.
    const again = this.#refused.filter(({ logPath }) => !this.#options.isInUse(logPath));
    const refused: Segment[] = [];
    let reason: Error | undefined;
    for (const segment of [...again, ...segments]) {
      try {
        await this.#rename(segment, delayMs);
      } catch (error) {
        reason ??= error instanceof Error ? error : new Error(String(error));
        refused.push(segment);
      }
    }
    this.#refused = refused;
    const [first] = refused;
    if (first && !wasTold)
      this.#options.context.logger.warn(
        `${refused.length} segments that are over, ${first.logPath} the first of them, cannot be renamed and are tried again: ${errorMessage(reason)}`,
      );
    return reason;
  }

  /** Nothing goes any more: what is there still stays for the next start. */
  async release(): Promise<void> {
    for (const { timer } of this.#pending.values()) timer.dispose();
    const pending = [...this.#pending.values()].map(({ segment }) => segment);
    for (const segment of [...pending, ...this.#refused]) await segment.releaseFiles();
  }

  async #rename(segment: Segment, delayMs: number): Promise<void> {
    const { clock, logger } = this.#options.context;
    const { baseOffset } = segment;
    // A segment that was compacted a short while ago may have had the same name.
    await this.#pending.get(baseOffset)?.segment.removeFiles();
    this.#forget(baseOffset);
    await segment.changeSuffix('.deleted');
    const timer = clock.setTimer(delayMs, () => {
      this.#forget(baseOffset);
      segment.removeFiles().catch((error: unknown) => {
        logger.warn(`${segment.logPath} was not removed: ${errorMessage(error)}`);
      });
    });
    this.#pending.set(baseOffset, { segment, timer });
  }

  #forget(baseOffset: bigint): void {
    this.#pending.get(baseOffset)?.timer.dispose();
    this.#pending.delete(baseOffset);
  }
}
