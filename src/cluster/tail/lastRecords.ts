import type { IsolationLevel } from '../../client/admin/listOffsets.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { readRange } from '../../client/readRange.ts';
import { recordsOf } from '../recordsOf.ts';

export interface LogPart {
  readonly topic: string;
  readonly partition: number;
  readonly logStart: bigint;
  /** Not included. */
  readonly end: bigint;
  /** At read_committed, records of aborted transactions do not count. */
  readonly isolation: IsolationLevel;
}

/** The first look back is at least this far: a request costs more than a few hundred offsets. */
const shortestLook = 256n;

interface SeenBatch {
  readonly baseOffset: bigint;
  readonly recordCount: number;
}

/**
 * The offset of the oldest of the last `count` records before the end. Counted, not calculated: offsets
 * have gaps where compaction removed records and where markers stand. Looks back in steps that double,
 * and reads no batch twice but the one in which it ends.
 */
export async function startOfLastRecords(
  client: KafkaClient,
  { topic, partition, logStart, end, isolation }: LogPart,
  count: number,
  signal?: AbortSignal,
): Promise<bigint> {
  let missing = count;
  let upper = end;
  let look = BigInt(count) > shortestLook ? BigInt(count) : shortestLook;
  while (upper > logStart && missing > 0) {
    const from = upper - look > logStart ? upper - look : logStart;
    const range = { topic, partition, from, to: upper, isolation };
    const seen = await seenBatches(client, range, signal);
    for (const batch of seen.reverse()) {
      if (batch.recordCount >= missing) {
        const found = { ...range, from: batch.baseOffset };
        return offsetInBatch(client, found, batch.recordCount - missing, signal);
      }
      missing -= batch.recordCount;
    }
    // The oldest batch may reach back beyond where this look began: it has been counted whole.
    const oldest = seen.at(-1)?.baseOffset ?? from;
    upper = oldest < from ? oldest : from;
    look *= 2n;
  }
  return missing === 0 ? upper : logStart;
}

type Range = Omit<LogPart, 'logStart' | 'end'> & { readonly from: bigint; readonly to: bigint };

/** The batches with records for people, in order. */
async function seenBatches(
  client: KafkaClient,
  range: Range,
  signal?: AbortSignal,
): Promise<SeenBatch[]> {
  const seen: SeenBatch[] = [];
  for await (const { header, isControl, isAborted } of readRange(client, range, signal)) {
    const { baseOffset, recordCount } = header;
    if (!isControl && !isAborted && recordCount > 0) seen.push({ baseOffset, recordCount });
  }
  return seen;
}

/** The offset of a record by its place in the batch that begins the range. */
async function offsetInBatch(
  client: KafkaClient,
  range: Range,
  index: number,
  signal?: AbortSignal,
): Promise<bigint> {
  for await (const batch of readRange(client, range, signal)) {
    const record = [...recordsOf(batch, range.from)].at(index);
    if (record) return record.offset;
  }
  // Retention or compaction took it while we were looking.
  return range.from;
}
