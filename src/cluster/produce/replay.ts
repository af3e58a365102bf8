/** Records that were read, written again as they were. */
import { t } from '../../base/l10n.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import type { FileRecord } from '../../codec/fileRecord.ts';
import { parseRecordLine } from '../../codec/recordJson.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
import { produceAll } from './produceJob.ts';

export interface ReplayOptions {
  readonly topic: string;
  /** Else each goes where its key sends it. */
  readonly keepsPartition: boolean;
  /** Else each has the time of writing. */
  readonly keepsTimestamp: boolean;
  readonly signal: AbortSignal;
  /** Told how many records have been acknowledged so far. */
  readonly onProgress: (acknowledged: number) => void;
}

/**
 * Writes records with key, value and headers byte for byte; those of a partition stay in order. Throws the first
 * failure; what was acknowledged until then has been told.
 */
export function replay(
  client: KafkaClient,
  records: AsyncIterable<FileRecord>,
  { keepsPartition, keepsTimestamp, ...options }: ReplayOptions,
): Promise<void> {
  const written = mapped(records, ({ timestamp, ...record }) => ({
    ...record,
    partition: keepsPartition ? record.partition : null,
    ...(keepsTimestamp && timestamp !== undefined && { timestamp }),
  }));
  return produceAll(client, written, { ...options, perSecond: null });
}

/** The records of pages that a tail exported as lines of JSON. */
export async function* exportedRecords(
  pages: AsyncIterable<{ readonly text: string }>,
): AsyncGenerator<FileRecord> {
  for await (const { text } of pages) {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const parsed = parseRecordLine(line);
      if ('problem' in parsed)
        throw new Error(t('a record could not be taken: {0}', parsed.problem));
      yield parsed.record;
    }
  }
}

/** A record that was read whole. */
export function recordOfDetails(details: RecordDetails): FileRecord {
  const { partition, timestamp, key, value, headers } = details;
  return {
    partition,
    timestamp: BigInt(timestamp),
    key: bytesOf(key),
    value: bytesOf(value),
    // Kafka knows no header without a key.
    headers: headers.map((header) => ({
      key: bytesOf(header.key) ?? Buffer.alloc(0),
      value: bytesOf(header.value),
    })),
  };
}

function bytesOf(payload: string | null): Buffer | null {
  return payload === null ? null : Buffer.from(payload, 'base64');
}

async function* mapped<T, R>(items: AsyncIterable<T>, map: (item: T) => R): AsyncGenerator<R> {
  for await (const item of items) yield map(item);
}
