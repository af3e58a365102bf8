import type { EpochEntry } from './checkpoints.ts';
import type { LogCheckpoint } from './logCheckpoint.ts';
import type { LogConfig } from './logConfig.ts';
import { type Producers, rebuildProducers, replayBatch } from './producerRebuild.ts';
import type { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';

const maxOffset = 2n ** 63n - 1n;

export interface LogRecoveryOptions {
  readonly context: StorageContext;
  readonly config: LogConfig;
  readonly checkpoint: LogCheckpoint;
}

/**
 * Makes a log sound after an unclean stop [LogLoader.recoverLog]: reads each segment past the recovery point byte by
 * byte and cuts it where the first unsound batch begins; what follows it goes.
 */
export class LogRecovery {
  readonly epochs: EpochEntry[] = [];
  readonly #options: LogRecoveryOptions;
  readonly #found: Producers;

  constructor(options: LogRecoveryOptions, found: Producers) {
    this.#options = options;
    this.#found = found;
  }

  /** Answers the segments that are left: at least one. */
  async run(recoveryPoint: bigint): Promise<Segment[]> {
    const { segments } = this.#found;
    const { checkpoint, context } = this.#options;
    const isPastRecoveryPoint = (_: Segment, index: number): boolean => {
      const next = segments[index + 1];
      return next === undefined || next.baseOffset > recoveryPoint;
    };
    const firstUnsound = segments.findIndex(isPastRecoveryPoint);
    const kept = segments.slice(0, firstUnsound);
    const first = segments[0]?.baseOffset ?? 0n;
    const start = checkpoint.logStartOffset > first ? checkpoint.logStartOffset : first;
    const upTo = segments[firstUnsound]?.baseOffset ?? 0n;
    await rebuildProducers({ ...this.#found, segments: kept }, start, upTo);
    const compactedUpTo = checkpoint.mayHaveGaps ? maxOffset : (checkpoint.cleanedOffset ?? 0n);
    for (const segment of segments.slice(firstUnsound)) {
      const { endOffset, fault } = await this.#recover(segment);
      kept.push(segment);
      // A power cut can lose the end of a segment and keep the next one; compaction leaves gaps as well.
      const next = segments[kept.length];
      const isGapFree = next === undefined || next.baseOffset === endOffset;
      const isComplete = isGapFree || next.baseOffset <= compactedUpTo;
      if (fault === undefined && isComplete) continue;
      const reason = fault ?? 'what follows was lost';
      context.logger.warn(`${segment.logPath}: cut at offset ${endOffset}: ${reason}`);
      break;
    }
    for (const gone of segments.slice(kept.length)) {
      context.logger.warn(`${gone.logPath}: removed, it lies behind damaged data`);
      await gone.removeFiles();
    }
    return kept;
  }

  async #recover(
    segment: Segment,
  ): Promise<{ readonly endOffset: bigint; readonly fault: string | undefined }> {
    const { producers, snapshots } = this.#found;
    const aborted: AbortedTransactionEntry[] = [];
    await snapshots.removeWhere((offset) => offset > segment.baseOffset);
    if (producers.size > 0 && !snapshots.offsets.includes(segment.baseOffset))
      await snapshots.take(producers, segment.baseOffset, true);
    let endOffset = segment.baseOffset;
    const fault = await segment.recover(this.#options.config.indexIntervalBytes, (found) => {
      endOffset = found.header.lastOffset + 1n;
      const { partitionLeaderEpoch: epoch, baseOffset: startOffset } = found.header;
      if (epoch > (this.epochs.at(-1)?.epoch ?? -1)) this.epochs.push({ epoch, startOffset });
      aborted.push(...replayBatch(producers, found));
    });
    for (const entry of aborted) await segment.noteAborted(entry);
    await segment.writeIndexes(true);
    return { endOffset, fault };
  }
}
