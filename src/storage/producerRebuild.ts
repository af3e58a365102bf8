import type { ProducerSnapshots } from './producerSnapshots.ts';
import type { ProducerState } from './producerState.ts';
import type { Segment } from './segment.ts';
import type { ScannedBatch } from './segmentScan.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';
import { readTransactionMarker } from './transactionMarker.ts';

/** What the state of a log's producers is read from, and the state. */
export interface Producers {
  readonly segments: readonly Segment[];
  readonly producers: ProducerState;
  readonly snapshots: ProducerSnapshots;
}

/**
 * Makes the producers' state that of offset `upTo`: the newest snapshot, and the batches after it
 * [UnifiedLog.rebuildProducerState].
 */
export async function rebuildProducers(
  { segments, producers, snapshots }: Producers,
  logStart: bigint,
  upTo: bigint,
): Promise<void> {
  const from = await snapshots.load(producers, { logStart, upTo });
  for (const [index, segment] of segments.entries()) {
    if (segment.baseOffset >= upTo) break;
    const end = segments[index + 1]?.baseOffset ?? upTo;
    if (end <= from) continue;
    const { position } = (await segment.indexes()).offset.floor(from);
    await segment.scan({ from: position, depth: 'headers' }, (found) => {
      if (found.header.lastOffset < from) return undefined;
      if (found.header.lastOffset >= upTo) return false;
      replayBatch(producers, found);
      return undefined;
    });
  }
}

/** Takes a batch that is in the log already; answers the transactions that it aborts. */
export function replayBatch(
  producers: ProducerState,
  found: ScannedBatch,
): AbortedTransactionEntry[] {
  const { header, batch } = found;
  if (header.producerId < 0n) return [];
  const staged = producers.stage();
  if (!header.isControl) staged.appendData(header, 'replication');
  else {
    const marker = batch && readTransactionMarker(batch);
    if (marker === undefined) return [];
    staged.appendMarker(header, marker, 'replication');
  }
  return staged.commit();
}
