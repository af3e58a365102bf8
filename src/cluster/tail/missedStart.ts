import type { MissedOffset, MissedStart } from '../../shared/contracts/tailProgress.ts';
import type { TailRange } from './tailStart.ts';

export interface StartedPartition {
  readonly range: TailRange;
  /** The offset after the last one taken in. */
  readonly next: bigint;
  readonly highWatermark: bigint;
}

/**
 * Where a tail could not start as it was asked to: Kafka answers such a fetch with OFFSET_OUT_OF_RANGE and leaves it to
 * the consumer (auto.offset.reset); we go on from what there is, and have it said. Undefined: it has started there.
 */
export function missedStart(partitions: readonly StartedPartition[]): MissedStart | undefined {
  const awaiting = partitions.filter(({ range, next }) => next < range.from);
  const awaited = first(awaiting, ({ range, highWatermark }) => [range.from, highWatermark]);
  const before = partitions.filter(({ range }) => range.from < range.position);
  const gone = first(before, ({ range }) => [range.from, range.position]);
  const noneAsLate = partitions.length > 0 && partitions.every(({ range }) => range.noneAsLate);
  if (!awaited && !gone && !noneAsLate) return undefined;
  return {
    ...(awaited && { awaited, awaitsAll: awaiting.length === partitions.length }),
    ...(gone && { gone }),
    ...(noneAsLate && { noneAsLate }),
  };
}

function first(
  partitions: readonly StartedPartition[],
  of: (partition: StartedPartition) => readonly [offset: bigint, bound: bigint],
): MissedOffset | undefined {
  const [one] = partitions;
  if (!one) return undefined;
  const [offset, bound] = of(one);
  return {
    partition: one.range.partition,
    offset: String(offset),
    bound: String(bound),
    partitions: partitions.length,
  };
}
