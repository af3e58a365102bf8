import type { Disposable } from '../base/disposable.ts';
import { forEachConcurrently } from './forEachConcurrently.ts';
import type { PartitionLog } from './partitionLog.ts';
import type { StorageContext } from './storageContext.ts';

/** A stop that takes longer tells how far it is, again and again. */
const tellAfterMs = 1000;
/**
 * Logs that are closed, and synced, at the same time: nobody waits for another file then, and what is synced together
 * takes a third of the time.
 */
const concurrentlyClosed = 16;

export type ClosingOptions = Pick<StorageContext, 'clock' | 'logger' | 'syncLane'> & {
  readonly directory: string;
};

/** Closes logs at a stop; says how far it is, where it takes long. */
export async function closeLogs(
  logs: readonly PartitionLog[],
  { clock, logger, syncLane, directory }: ClosingOptions,
): Promise<void> {
  let count = 0;
  const tell = (): Disposable =>
    clock.setTimer(tellAfterMs, () => {
      logger.info(`stopping: ${count} of ${logs.length} logs in ${directory} are written`);
      telling = tell();
    });
  let telling = tell();
  syncLane.widen(concurrentlyClosed);
  try {
    await forEachConcurrently(logs, concurrentlyClosed, async (log) => {
      await log.close();
      count++;
    });
  } finally {
    telling.dispose();
  }
}
