import type { KafkaClient } from '../../client/kafkaClient.ts';
import { KafkaError } from '../../client/kafkaError.ts';
import { readRange } from '../../client/readRange.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
import type { TailDecoders } from './tailDecoders.ts';
import { recordDetails } from './tailRows.ts';

export interface RecordPlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly decoders: TailDecoders;
}

/** Reads one record from the log. Undefined: it is not there any more. */
export async function readRecordAgain(
  client: KafkaClient,
  { topic, partition, offset, decoders }: RecordPlace,
  signal?: AbortSignal,
): Promise<RecordDetails | undefined> {
  const range = { topic, partition, from: offset, to: offset + 1n };
  try {
    for await (const batch of readRange(client, range, signal)) {
      const [record] = batch.isControl ? [] : batch.records();
      if (record?.offset !== offset) continue;
      return recordDetails({ topic, partition, header: batch.header, record }, decoders);
    }
  } catch (error) {
    const isGone = error instanceof KafkaError && error.kafkaName === 'OFFSET_OUT_OF_RANGE';
    if (!isGone) throw error;
  }
  return undefined;
}
