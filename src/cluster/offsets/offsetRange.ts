import type { FetchedBatch } from '../../client/fetchedPartition.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import type { TopicPartition } from '../../client/partitionMap.ts';
import { readRange } from '../../client/readRange.ts';
import type { KafkaRecord } from '../../protocol/records/recordReader.ts';
import { recordsOf } from '../recordsOf.ts';

export interface RangeFacts {
  /** The first record at or after the range's start, if there is one before its end. */
  readonly first: KafkaRecord | undefined;
  /** The last record of the range. */
  readonly last: KafkaRecord | undefined;
  /** Records in it, counted; undefined: more than are worth reading for this. */
  readonly count: number | undefined;
}

export interface Range extends TopicPartition {
  readonly from: bigint;
  /** Not included. */
  readonly to: bigint;
}

/** Above this many offsets only the ends of a range are read. */
const countedOffsets = 10_000n;

/** What records lie in a range of offsets. Offsets are more than records: markers and compaction make gaps. */
export async function inspectRange(
  client: KafkaClient,
  range: Range,
  signal?: AbortSignal,
): Promise<RangeFacts> {
  if (range.to - range.from <= countedOffsets) return countRecords(client, range, signal);
  const lastOffset = { ...range, from: range.to - 1n };
  const [first, { last }] = await Promise.all([
    firstRecord(client, range, signal),
    countRecords(client, lastOffset, signal),
  ]);
  return { first, last, count: undefined };
}

/** The first record at or after an offset and before another. */
export async function firstRecord(
  client: KafkaClient,
  range: Range,
  signal?: AbortSignal,
): Promise<KafkaRecord | undefined> {
  for await (const batch of readRange(client, range, signal)) {
    for (const record of recordsIn(batch, range)) return record;
  }
  return undefined;
}

async function countRecords(
  client: KafkaClient,
  range: Range,
  signal?: AbortSignal,
): Promise<RangeFacts> {
  let first: KafkaRecord | undefined;
  let last: KafkaRecord | undefined;
  let count = 0;
  for await (const batch of readRange(client, range, signal)) {
    for (const record of recordsIn(batch, range)) {
      first ??= record;
      last = record;
      count++;
    }
  }
  return { first, last, count };
}

function* recordsIn(batch: FetchedBatch, { from, to }: Range): Generator<KafkaRecord> {
  if (batch.isControl) return;
  for (const record of recordsOf(batch, from)) {
    if (record.offset >= to) return;
    yield record;
  }
}
