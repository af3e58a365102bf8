import { type LogConfig, maxSegmentMs } from './logConfig.ts';
import type { PendingAppend } from './logWriter.ts';
import type { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';

/** Kafka draws from 31 bits. */
const longestJitterMs = 2 ** 31 - 1;

/** When a log goes on in a new segment [UnifiedLog.maybeRoll, LogSegment.shouldRoll]. */
export class SegmentRoll {
  readonly #context: StorageContext;
  readonly #config: () => LogConfig;
  /** What is taken off the age at which the active segment ends. */
  #jitter: { readonly segment: Segment; readonly ms: number } | undefined;

  constructor(context: StorageContext, config: () => LogConfig) {
    this.#context = context;
    this.#config = config;
  }

  /** Whether an append, after others that are to be written together, has no place in the active segment. */
  isDue(
    active: Segment,
    append: PendingAppend,
    before: { readonly sizeInBytes: number; readonly nextOffset: bigint },
  ): boolean {
    const config = this.#config();
    const size = active.size + before.sizeInBytes;
    const { maxTimestamp, recordCount } = summaryOf(append);
    if (size > config.segmentBytes - append.sizeInBytes) return size > 0;
    const nowMs = this.#context.clock.nowMs();
    if (active.size > 0 && active.ageMs(nowMs, maxTimestamp) > this.#ageMs(active)) return true;
    const base = baseOffsetOf(append);
    const lastOffset = (base > before.nextOffset ? base : before.nextOffset) + recordCount;
    return !active.hasRoomFor(lastOffset, config);
  }

  /** The age at which a segment ends: a random part is taken off, once for each [LogConfig.randomSegmentJitter]. */
  #ageMs(segment: Segment): number {
    const config = this.#config();
    if (this.#jitter?.segment !== segment) {
      const limit = Math.min(config.segmentJitterMs, config.segmentMs, longestJitterMs);
      const ms = limit > 0 ? this.#context.random.below(limit) : 0;
      this.#jitter = { segment, ms };
    }
    return maxSegmentMs(config) - this.#jitter.ms;
  }
}

/** Where a replica's append begins; 0: wherever the log ends. */
export function baseOffsetOf(append: PendingAppend): bigint {
  if (append.origin !== 'replication') return 0n;
  return append.batches[0]?.header.baseOffset ?? 0n;
}

function summaryOf({ batches }: PendingAppend): { maxTimestamp: bigint; recordCount: bigint } {
  const first = batches[0]?.header;
  const last = batches.at(-1)?.header;
  let maxTimestamp = -1n;
  for (const { header } of batches)
    if (header.maxTimestamp > maxTimestamp) maxTimestamp = header.maxTimestamp;
  if (first === undefined || last === undefined) return { maxTimestamp, recordCount: 0n };
  return { maxTimestamp, recordCount: last.lastOffset - first.baseOffset };
}
