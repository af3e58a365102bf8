export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** Partitions by topic. */
export type PartitionSet = ReadonlyMap<string, ReadonlySet<number>>;

export const noPartitions: PartitionSet = new Map();

export function withPartitions(
  set: PartitionSet,
  partitions: Iterable<TopicPartition>,
): PartitionSet {
  const result = new Map([...set].map(([topic, indexes]) => [topic, new Set(indexes)]));
  for (const { topic, partition } of partitions) {
    const indexes = result.get(topic) ?? new Set();
    result.set(topic, indexes.add(partition));
  }
  return result;
}

export function hasPartition(set: PartitionSet, { topic, partition }: TopicPartition): boolean {
  return set.get(topic)?.has(partition) === true;
}

export function* eachPartition(set: PartitionSet): Generator<TopicPartition> {
  for (const [topic, indexes] of set) {
    for (const partition of indexes) yield { topic, partition };
  }
}
