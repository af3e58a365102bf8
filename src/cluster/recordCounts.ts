import { Slices } from '../base/slices.ts';
import { offsetSpec } from '../client/admin/listOffsets.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import type { CallOptions } from '../client/request.ts';
import type { PartitionRow, TopicSummary } from './model.ts';
import { listOffsetsAt, soon } from './topicReads.ts';

/**
 * Offsets between log start and high watermark, by topic: two requests a broker, however many topics. Topics of which
 * a partition could not be read are left out. Offsets are not records: compaction and transaction markers leave gaps,
 * so it is the most that there can be.
 */
export async function readRecordCounts(
  client: KafkaClient,
  topics: readonly Pick<TopicSummary, 'name' | 'partitionCount'>[],
  options: CallOptions,
): Promise<ReadonlyMap<string, bigint>> {
  const partitions = topics.flatMap(({ name: topic, partitionCount }) =>
    Array.from({ length: partitionCount }, (_, partition) => ({ topic, partition })),
  );
  const [starts, ends] = await Promise.all(
    [offsetSpec.earliest, offsetSpec.latest].map((timestamp) =>
      listOffsetsAt(client, partitions, { timestamp, ...soon, ...options }),
    ),
  );
  const counts = new Map<string, bigint>(topics.map(({ name }) => [name, 0n]));
  const slices = new Slices(client.clock);
  for (const { topic, partition } of partitions) {
    if (slices.isOver) await slices.pause();
    const start = starts?.get(topic, partition);
    const end = ends?.get(topic, partition);
    const isKnown = start && end && 'value' in start && 'value' in end;
    const count = counts.get(topic);
    if (!isKnown || start.value.offset === null || end.value.offset === null) counts.delete(topic);
    else if (count !== undefined) counts.set(topic, count + end.value.offset - start.value.offset);
  }
  return counts;
}

/** Offsets between log start and end; undefined where a partition's could not be read. */
export function recordCount(rows: readonly PartitionRow[]): bigint | undefined {
  let count = 0n;
  for (const { offsets } of rows) {
    if ('problem' in offsets) return undefined;
    count += offsets.value.highWatermark - offsets.value.logStart;
  }
  return count;
}
