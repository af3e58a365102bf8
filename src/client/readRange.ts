import type { IsolationLevel } from './admin/listOffsets.ts';
import { errorCodes } from '../protocol/errors.ts';
import type { FetchedBatch } from './fetchedPartition.ts';
import type { KafkaClient } from './kafkaClient.ts';
import { KafkaError } from './kafkaError.ts';
import { PartitionReader } from './partitionReader.ts';

export interface OffsetRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: bigint;
  /** Not included. At most the end of the log as it was known. */
  readonly to: bigint;
  readonly isolation?: IsolationLevel;
}

/**
 * The batches that have offsets in the range, read at once and not waited for. Where the log ends or has
 * nothing more before `to`, so does this. Throws what a broker refuses with.
 */
export async function* readRange(
  client: KafkaClient,
  { topic, partition, from, to, isolation = 'read_uncommitted' }: OffsetRange,
  signal?: AbortSignal,
): AsyncGenerator<FetchedBatch, void, undefined> {
  if (from >= to) return;
  const reader = new PartitionReader(client, { topic, isolation, maxWaitMs: 100 });
  try {
    reader.start(partition, from);
    for (;;) {
      const events = await reader.read(signal);
      if (events.length === 0) return;
      for (const event of events) {
        if (event.kind === 'failed') throw event.error;
        if (event.kind === 'outOfRange') {
          const context = { api: 'fetch', topic, partition } as const;
          throw new KafkaError(errorCodes.OFFSET_OUT_OF_RANGE, context);
        }
        if (event.kind !== 'fetched') continue;
        for (const batch of event.fetched.batches) {
          if (batch.header.baseOffset >= to) return;
          yield batch;
        }
        const { batches, nextOffset } = event.fetched;
        if (batches.length === 0 || nextOffset >= to) return;
      }
    }
  } finally {
    reader.dispose();
  }
}
