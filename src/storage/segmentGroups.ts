import type { LogConfig } from './logConfig.ts';
import type { Segment } from './segment.ts';

/** A segment with what decides how many of them become one. */
interface Sized {
  readonly segment: Segment;
  readonly bytes: number;
  readonly offsetIndexBytes: number;
  readonly timeIndexBytes: number;
  /** The last offset that it may hold. */
  readonly lastOffset: bigint;
}

/** Relative offsets in an index have 31 bits. */
const maxOffsetRange = 0x7fff_ffffn;

/**
 * Which segments are compacted into one: neighbours that together are no larger than one may be
 * [Cleaner.groupSegmentsBySize].
 */
export async function groupSegments(
  segments: readonly Segment[],
  config: LogConfig,
  firstUncleanableOffset: bigint,
): Promise<Segment[][]> {
  const groups: Sized[][] = [];
  for (const [n, segment] of segments.entries()) {
    const end = segments[n + 1]?.baseOffset ?? firstUncleanableOffset;
    const sized = await sizeOf(segment, end - 1n);
    const group = groups.at(-1);
    if (group !== undefined && fits(group, sized, config)) group.push(sized);
    else groups.push([sized]);
  }
  return groups.map((group) => group.map(({ segment }) => segment));
}

async function sizeOf(segment: Segment, lastOffset: bigint): Promise<Sized> {
  const { offset, time } = await segment.indexes();
  return {
    segment,
    bytes: segment.size,
    offsetIndexBytes: offset.entries.sizeOfEntries,
    timeIndexBytes: time.entries.sizeOfEntries,
    lastOffset,
  };
}

function fits(group: readonly Sized[], next: Sized, config: LogConfig): boolean {
  const total = (size: (sized: Sized) => number): number =>
    group.reduce((sum, sized) => sum + size(sized), size(next));
  const base = group[0]?.segment.baseOffset ?? 0n;
  return (
    total(({ bytes }) => bytes) <= config.segmentBytes &&
    total(({ offsetIndexBytes }) => offsetIndexBytes) <= config.segmentIndexBytes &&
    total(({ timeIndexBytes }) => timeIndexBytes) <= config.segmentIndexBytes &&
    (next.bytes === 0 || next.lastOffset - base <= maxOffsetRange)
  );
}
