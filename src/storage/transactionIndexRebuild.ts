import { type Producers, rebuildProducers, replayBatch } from './producerRebuild.ts';
import { ProducerState } from './producerState.ts';
import type { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';

/**
 * Makes damaged indexes of aborted transactions anew, from the log: without them their records would be read.
 * [LogSegment.sanityCheck, LogLoader.recoverSegment]
 */
export async function mendTransactionIndexes(
  found: Omit<Producers, 'producers'>,
  aborting: readonly Segment[],
  logStart: bigint,
  { logger }: StorageContext,
): Promise<void> {
  for (const segment of aborting) {
    if (await segment.areAbortedSound()) continue;
    logger.warn(`the index of aborted transactions of ${segment.logPath} is damaged: rebuilding`);
    const producers = new ProducerState();
    await rebuildProducers({ ...found, producers }, logStart, segment.baseOffset);
    const aborted: AbortedTransactionEntry[] = [];
    await segment.scan({ from: 0, depth: 'headers' }, (batch) => {
      for (const entry of replayBatch(producers, batch)) aborted.push(entry);
      return undefined;
    });
    await segment.replaceAborted(aborted);
  }
}
