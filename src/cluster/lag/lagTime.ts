import type { FetchedPartition } from '../../client/fetchedPartition.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { throwIfCancelled } from '../../client/kafkaError.ts';
import { PartitionReader } from '../../client/partitionReader.ts';
import { byTopic, PartitionMap, type TopicPartition } from '../../client/partitionMap.ts';
import { noTimestamp } from '../../protocol/records/recordBatch.ts';

/** How the time of a record is known, the surest first. */
export type TimeSource =
  /** The end was seen to pass it. */
  | 'history'
  /** The broker wrote it down: `message.timestamp.type=LogAppendTime`. */
  | 'appendTime'
  /** The producer said so. */
  | 'createTime';

/**
 * How long the first record that a group has not read has been in the log. Kafka has no such figure; clients
 * know only how many records they are behind (`records-lag`). [FetchMetricsManager]
 */
export type LagTime =
  /** There is nothing to read. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'known';
      readonly lagMs: number;
      readonly source: TimeSource;
      /** The record that the group stands at is gone; this is the first that is left. */
      readonly isAtLeast: boolean;
    }
  | { readonly kind: 'unknown' };

export interface RecordTime {
  readonly timestamp: bigint;
  readonly source: 'appendTime' | 'createTime';
}

/** The offset whose record is asked for, and up to where there is one. */
export interface TimeQuery extends TopicPartition {
  readonly offset: bigint;
  readonly end: bigint;
}

/** Most batches fit; what does not comes alone in a fetch of its own. */
const bytesOfPartition = 4096;
/** A stretch of markers and empty batches is followed so far. */
const mostFetches = 8;

/** What a look at a partition found: the record's time, a record without one, or no record before the end. */
export type TimeFound = RecordTime | 'untimed' | 'nothing';

/** Times of the first record at or after each offset. Partitions that could not be read are left out. */
export async function recordTimes(
  client: KafkaClient,
  queries: readonly TimeQuery[],
  signal?: AbortSignal,
): Promise<PartitionMap<TimeFound>> {
  const found = new PartitionMap<TimeFound>();
  for (const { topic, partitions } of byTopic(queries)) {
    try {
      await timesInTopic(client, partitions, found, signal);
    } catch (error) {
      throwIfCancelled(signal);
      client.logger.debug(`times of ${topic} could not be read: ${String(error)}`);
    }
  }
  return found;
}

async function timesInTopic(
  client: KafkaClient,
  queries: readonly TimeQuery[],
  found: PartitionMap<TimeFound>,
  signal?: AbortSignal,
): Promise<void> {
  const [first] = queries;
  if (!first) return;
  const { topic } = first;
  const reader = new PartitionReader(client, {
    topic,
    maxWaitMs: 0,
    partitionMaxBytes: bytesOfPartition,
  });
  const open = new Map(queries.map((query) => [query.partition, query]));
  try {
    for (const { partition, offset } of queries) reader.start(partition, offset);
    for (let left = mostFetches + queries.length; left > 0 && open.size > 0; left--) {
      const events = await reader.read(signal);
      if (events.length === 0) return;
      for (const event of events) {
        if (event.kind === 'trouble') return;
        const partition = event.kind === 'fetched' ? event.fetched.partition : event.partition;
        const query = open.get(partition);
        if (!query) continue;
        const time = event.kind === 'fetched' ? timeIn(event.fetched, query) : undefined;
        if (event.kind === 'fetched' && !time) continue;
        if (time) found.set(topic, partition, time);
        open.delete(partition);
        reader.stop(partition);
      }
    }
  } finally {
    reader.dispose();
  }
}

/** Undefined: there is no record in these batches, and more to come. */
function timeIn(
  { batches, nextOffset }: FetchedPartition,
  { end }: TimeQuery,
): TimeFound | undefined {
  for (const batch of batches) {
    const { header, isControl } = batch;
    if (isControl || header.recordCount === 0) continue;
    // The broker's own time is one for the whole batch, and in its header. [DefaultRecordBatch.maxTimestamp]
    if (header.timestampType === 'LogAppendTime') {
      return { timestamp: header.maxTimestamp, source: 'appendTime' };
    }
    for (const { timestamp } of batch.records()) {
      return timestamp === noTimestamp ? 'untimed' : { timestamp, source: 'createTime' };
    }
  }
  return nextOffset >= end ? 'nothing' : undefined;
}
