import { t } from '../base/l10n.ts';
import { listOffsets, offsetSpec, type ListedOffset } from '../client/admin/listOffsets.ts';
import { describeTopic } from '../client/admin/topics.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import type { TopicMetadata } from '../client/metadata.ts';
import { type Outcome, valueOf } from '../client/outcome.ts';
import { PartitionMap, type TopicPartition } from '../client/partitionMap.ts';
import type { CallOptions } from '../client/request.ts';
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

/** The partitions of a topic with their offsets. Throws where the topic is not there. */
export async function readPartitions(
  client: KafkaClient,
  topic: string,
  options: CallOptions,
): Promise<PartitionRow[]> {
  const { partitions } = await describeTopic(client, topic, options);
  const wanted = partitions.map(({ partition }) => ({ topic, partition }));
  const offsets = await readOffsets(client, wanted, options);
  return partitions.map((partition) => {
    const read = offsets.get(topic, partition.partition);
    return { ...partition, topic, offsets: read ?? unread() };
  });
}

function unread(): { problem: Problem } {
  return { problem: { message: t('the broker did not answer for it') } };
}

/**
 * Log start, last stable offset and high watermark of partitions. They are read one after the other, so
 * on a partition being written the later may be newer: the last stable offset is asked for before the
 * high watermark, which it never passes.
 */
export async function readOffsets(
  client: KafkaClient,
  partitions: readonly TopicPartition[],
  options: CallOptions,
): Promise<PartitionMap<Readable<PartitionOffsets>>> {
  const at = (timestamp: bigint): (TopicPartition & { timestamp: bigint })[] =>
    partitions.map(({ topic, partition }) => ({ topic, partition, timestamp }));
  const committed = { ...options, isolation: 'read_committed' } as const;
  const [starts, stable, ends] = await Promise.all([
    listOffsets(client, at(offsetSpec.earliest), options),
    listOffsets(client, at(offsetSpec.latest), committed),
    listOffsets(client, at(offsetSpec.latest), options),
  ]);
  const result = new PartitionMap<Readable<PartitionOffsets>>();
  for (const { topic, partition } of partitions) {
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

/** High watermarks only: what lag is counted from. */
export async function readHighWatermarks(
  client: KafkaClient,
  partitions: readonly TopicPartition[],
  options: CallOptions,
): Promise<PartitionMap<bigint>> {
  const queries = partitions.map(({ topic, partition }) => ({
    topic,
    partition,
    timestamp: offsetSpec.latest,
  }));
  const result = new PartitionMap<bigint>();
  for (const { topic, partition, value } of await listOffsets(client, queries, options)) {
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
