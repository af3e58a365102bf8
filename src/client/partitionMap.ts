export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** By topic, and by partition within one. */
export function inOrder(a: TopicPartition, b: TopicPartition): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition;
}

/** Values by topic and partition. */
export class PartitionMap<T> {
  readonly #topics = new Map<string, Map<number, T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(topic: string, partition: number): T | undefined {
    return this.#topics.get(topic)?.get(partition);
  }

  set(topic: string, partition: number, value: T): void {
    let partitions = this.#topics.get(topic);
    if (partitions === undefined) this.#topics.set(topic, (partitions = new Map<number, T>()));
    if (!partitions.has(partition)) this.#size++;
    partitions.set(partition, value);
  }

  /** Takes over what another map has. */
  setAll(other: PartitionMap<T>): void {
    for (const [topic, partitions] of other.#topics) {
      for (const [partition, value] of partitions) this.set(topic, partition, value);
    }
  }

  *[Symbol.iterator](): Generator<TopicPartition & { readonly value: T }> {
    for (const [topic, partitions] of this.#topics) {
      for (const [partition, value] of partitions) yield { topic, partition, value };
    }
  }
}

/** What to ask of each topic, in the shape that requests have. */
export function byTopic<P extends TopicPartition>(
  partitions: Iterable<P>,
): { readonly topic: string; readonly partitions: P[] }[] {
  const topics = Map.groupBy(partitions, ({ topic }) => topic);
  return [...topics].map(([topic, list]) => ({ topic, partitions: list }));
}
