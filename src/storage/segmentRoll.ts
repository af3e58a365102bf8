import { maxSegmentMs } from './logConfig.ts';
import type { LogParts } from './logParts.ts';
import type { LogTail } from './logTail.ts';
import type { PendingAppend } from './logWriter.ts';
import { Segment } from './segment.ts';

/** Kafka draws from 31 bits. */
const longestJitterMs = 2 ** 31 - 1;
/** How far from its segment's base a batch may begin; relative offsets have 31 bits. */
const farthestOffset = 2n ** 30n;

/** When and how a log goes on in a new segment [UnifiedLog.maybeRoll, LogSegment.shouldRoll]. */
export class SegmentRoll {
  readonly #parts: LogParts;
  readonly #tail: LogTail;
  /** What is taken off the age at which the active segment ends. */
  #jitter: { readonly segment: Segment; readonly ms: number } | undefined;
  /** How large index files of the active segment become: as the topic said when it was begun. [LogSegment.open] */
  #indexBytes: number;

  /** `indexBytes`: of the segment that is active now. */
  constructor(parts: LogParts, tail: LogTail, indexBytes: number) {
    this.#parts = parts;
    this.#tail = tail;
    this.#indexBytes = indexBytes;
  }

  /** Whether an append, after others that are to be written together, has no place in the active segment. */
  isDue(
    active: Segment,
    append: PendingAppend,
    before: { readonly sizeInBytes: number; readonly nextOffset: bigint },
  ): boolean {
    const config = this.#parts.config();
    const size = active.size + before.sizeInBytes;
    const { maxTimestamp, recordCount } = summaryOf(append);
    if (size > config.segmentBytes - append.sizeInBytes) return size > 0;
    const nowMs = this.#parts.context.clock.nowMs();
    if (active.size > 0 && active.ageMs(nowMs, maxTimestamp) > this.#ageMs(active)) return true;
    const base = baseOffsetOf(append);
    const lastOffset = (base > before.nextOffset ? base : before.nextOffset) + recordCount;
    return !active.hasRoomFor(lastOffset, this.#indexBytes);
  }

  /**
   * Begins a new segment at the log end, unless the active one is empty. Kafka begins a replica's segment at
   * the offset of `next`; ours does only where that is too far from the log end, so that after a crash a gap
   * between segments says that something was lost.
   */
  async begin(next = 0n): Promise<void> {
    const { context, directory, config, offsets, segments, snapshots, producers, sync } =
      this.#parts;
    const { active } = segments;
    const { logEnd } = offsets;
    const baseOffset = next - logEnd > farthestOffset ? next : logEnd;
    if (active.baseOffset === baseOffset) return;
    const indexBytes = config().segmentIndexBytes;
    await this.#tail.clean();
    await active.writeIndexes(true);
    const segment = await Segment.create(context, directory, baseOffset);
    await snapshots.take(producers, baseOffset, false);
    segments.append(segment);
    this.#indexBytes = indexBytes;
    sync.noteNames();
  }

  /** The age at which a segment ends: a random part is taken off, once for each [LogConfig.randomSegmentJitter]. */
  #ageMs(segment: Segment): number {
    const config = this.#parts.config();
    if (this.#jitter?.segment !== segment) {
      const limit = Math.min(config.segmentJitterMs, config.segmentMs, longestJitterMs);
      const ms = limit > 0 ? this.#parts.context.random.below(limit) : 0;
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
