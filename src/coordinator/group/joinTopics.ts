import type { Steps } from '../../base/turns.ts';

/** What an answer says of a partition. */
export interface ToldPartition {
  readonly partitionIndex: number;
  readonly errorCode: number;
}

/**
 * The topics of an answer: what was refused before the coordinator was asked comes first, and a topic that is told of
 * again is joined with what came before. Where nothing was refused, topics are told of as often as they were named.
 * [OffsetCommitResponse.Builder, OffsetDeleteResponse.Builder]
 */
export function* joinTopics<Told extends { readonly partitions: readonly ToldPartition[] }>(
  refused: readonly Told[],
  decided: readonly Told[],
  keyOf: (told: Told) => string,
): Steps<readonly Told[]> {
  if (refused.length === 0) return decided;
  const joined = new Map<string, Told & { readonly partitions: ToldPartition[] }>();
  for (const topics of [refused, decided]) {
    for (const told of topics) {
      yield;
      const key = keyOf(told);
      const known = joined.get(key) ?? { ...told, partitions: [] };
      joined.set(key, known);
      for (const partition of told.partitions) {
        known.partitions.push(partition);
        yield;
      }
    }
  }
  return [...joined.values()];
}
