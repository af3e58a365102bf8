import { t } from '../base/l10n.ts';
import { Slices } from '../base/slices.ts';
import { listOffsets, offsetSpec, type ListedOffset } from '../client/admin/listOffsets.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import type { PerLeaderOptions } from '../client/leaderRouting.ts';
import type { TopicMetadata } from '../client/metadata.ts';
import { chunked, type Outcome, valueOf } from '../client/outcome.ts';
import { PartitionMap, type TopicPartition } from '../client/partitionMap.ts';
import { Batched } from './batched.ts';
import type { PartitionOffsets, PartitionRow, Problem, Readable, TopicSummary } from './model.ts';
import { toProblem } from './problems.ts';

export function summariseTopic(topic: TopicMetadata): TopicSummary {
  const { name, topicId, isInternal, partitions } = topic;
  return {
    name,
    topicId,
    isInternal,
    partitionCount: partitions.length,
    underReplicated: partitions.filter(({ isr, replicas }) => isr.length < replicas.length).length,
    offline: partitions.filter(({ leader }) => leader < 0).length,
  };
}

/** Topics and their offsets; what several rows ask for at once is read at once. */
export class TopicReads {
  readonly #client: KafkaClient;
  readonly #partitions = new Batched((topics) => this.#readPartitions(topics));

  constructor(client: KafkaClient) {
    this.#client = client;
  }

  /** The partitions of a topic with their offsets. Throws where the topic is not there. */
  partitions(topic: string, signal?: AbortSignal): Promise<PartitionRow[]> {
    return this.#client.retry((call) => this.#partitions.get(topic, call.signal), { signal });
  }

  async #readPartitions(names: readonly string[]): Promise<Map<string, Outcome<PartitionRow[]>>> {
    this.#client.forgetTopics(names);
    const topics = await this.#client.topics(names);
    const wanted = [...topics.values()].flatMap((outcome) =>
      'value' in outcome ? partitionsOf(outcome.value) : [],
    );
    const offsets = await readOffsets(this.#client, wanted, soon);
    return new Map(
      [...topics].map(([topic, outcome]): [string, Outcome<PartitionRow[]>] => {
        if ('error' in outcome) return [topic, outcome];
        const rows = outcome.value.partitions.map((partition) => {
          const read = offsets.get(topic, partition.partition);
          return { ...partition, topic, offsets: read ?? unread() };
        });
        return [topic, { value: rows }];
      }),
    );
  }
}

/** How long a view waits for partitions without a leader: not until one is elected, as it reads again in a moment. */
export const soon = { mostTries: 2 } as const;

export function partitionsOf({ name: topic, partitions }: TopicMetadata): TopicPartition[] {
  return partitions.map(({ partition }) => ({ topic, partition }));
}

const unread = (): { problem: Problem } => ({
  problem: { message: t('the broker did not answer for it') },
});

/**
 * Log start, last stable offset and high watermark of partitions. They are read one after the other, so
 * on a partition being written the later may be newer: the last stable offset is asked for before the
 * high watermark, which it never passes.
 */
export async function readOffsets(
  client: KafkaClient,
  partitions: readonly TopicPartition[],
  options: PerLeaderOptions,
): Promise<PartitionMap<Readable<PartitionOffsets>>> {
  const [starts, stable, ends] = await Promise.all([
    listOffsetsAt(client, partitions, { timestamp: offsetSpec.earliest, ...options }),
    listOffsetsAt(client, partitions, {
      timestamp: offsetSpec.latest,
      isolation: 'read_committed',
      ...options,
    }),
    listOffsetsAt(client, partitions, { timestamp: offsetSpec.latest, ...options }),
  ]);
  const result = new PartitionMap<Readable<PartitionOffsets>>();
  const slices = new Slices(client.clock);
  for (const { topic, partition } of partitions) {
    if (slices.isOver) await slices.pause();
    try {
      const lastStable = offsetOf(stable.get(topic, partition));
      const highWatermark = maximum(offsetOf(ends.get(topic, partition)), lastStable);
      const logStart = offsetOf(starts.get(topic, partition));
      result.set(topic, partition, { value: { logStart, lastStable, highWatermark } });
    } catch (error) {
      result.set(topic, partition, { problem: toProblem(error) });
    }
  }
  return result;
}

interface WhichOffsets extends PerLeaderOptions {
  readonly timestamp: bigint;
  readonly isolation?: 'read_committed';
}

/** Partitions in one request: a response of this size takes a few milliseconds to read. */
const partitionsAtOnce = 1000;

/** The same offset of many partitions, or that of the same time. */
export async function listOffsetsAt(
  client: KafkaClient,
  partitions: readonly TopicPartition[],
  { timestamp, ...options }: WhichOffsets,
): Promise<PartitionMap<Outcome<ListedOffset>>> {
  const found = new PartitionMap<Outcome<ListedOffset>>();
  for (const part of chunked(partitions, partitionsAtOnce)) {
    const queries = part.map(({ topic, partition }) => ({ topic, partition, timestamp }));
    found.setAll(await listOffsets(client, queries, options));
  }
  return found;
}

/** High watermarks only: what lag is counted from. */
export async function readHighWatermarks(
  client: KafkaClient,
  partitions: readonly TopicPartition[],
  options: PerLeaderOptions,
): Promise<PartitionMap<bigint>> {
  const result = new PartitionMap<bigint>();
  const latest = { timestamp: offsetSpec.latest, ...options };
  for (const { topic, partition, value } of await listOffsetsAt(client, partitions, latest)) {
    if ('value' in value && value.value.offset !== null) {
      result.set(topic, partition, value.value.offset);
    }
  }
  return result;
}

function offsetOf(outcome: Outcome<ListedOffset> | undefined): bigint {
  if (!outcome) throw new Error(unread().problem.message);
  const { offset } = valueOf(outcome);
  if (offset === null) throw new Error(t('the broker knows no such offset'));
  return offset;
}

function maximum(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
