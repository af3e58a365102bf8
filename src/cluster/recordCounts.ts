import { listOffsets, offsetSpec } from '../client/admin/listOffsets.ts';
import { listTopics } from '../client/admin/topics.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import type { CallOptions } from '../client/request.ts';

/**
 * Offsets between log start and high watermark, by topic, for at most `limit` topics: two requests a
 * broker, however many topics. Topics of which a partition could not be read are left out. Offsets are not
 * records: compaction and transaction markers leave gaps, so it is the most that there can be.
 */
export async function readRecordCounts(
  client: KafkaClient,
  limit: number,
  options: CallOptions,
): Promise<ReadonlyMap<string, bigint>> {
  const topics = (await listTopics(client, options))
    .flatMap((outcome) => ('value' in outcome ? [outcome.value] : []))
    .slice(0, limit);
  const queries = topics.flatMap(({ name, partitions }) =>
    partitions.map(({ partition }) => ({ topic: name, partition })),
  );
  const [starts, ends] = await Promise.all(
    [offsetSpec.earliest, offsetSpec.latest].map((timestamp) =>
      listOffsets(
        client,
        queries.map((query) => ({ ...query, timestamp })),
        options,
      ),
    ),
  );
  const counts = new Map<string, bigint>();
  for (const { name, partitions } of topics) {
    let count: bigint | undefined = 0n;
    for (const { partition } of partitions) {
      const start = starts?.get(name, partition);
      const end = ends?.get(name, partition);
      const isKnown = start && end && 'value' in start && 'value' in end;
      if (!isKnown || start.value.offset === null || end.value.offset === null) {
        count = undefined;
        break;
      }
      count += end.value.offset - start.value.offset;
    }
    if (count !== undefined) counts.set(name, count);
  }
  return counts;
}
