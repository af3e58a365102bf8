import { previewDecoded } from '../../codec/payloadPreview.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
import type { RowPart, TailRow } from '../../shared/contracts/tailRows.ts';
import type { BatchHeader } from '../../protocol/records/recordBatch.ts';
import type { KafkaRecord } from '../../protocol/records/recordReader.ts';
import { decodedField, decodedHeader, type TailDecoders } from './tailDecoders.ts';
import { partsOf } from './tailRowParts.ts';
import type { StoredRow } from './keptBatch.ts';

/** A row as the panel lists it. */
export function tailRow(
  row: StoredRow,
  decoders: TailDecoders = {},
  parts: readonly RowPart[] = [],
): TailRow {
  if (row.kind === 'note') {
    const { partition, offset, text } = row.note;
    return { ...emptyRow, partition, offset: String(offset), note: text };
  }
  const { partition, batch } = row;
  if (row.kind === 'problem') {
    return {
      ...emptyRow,
      partition,
      offset: String(batch.header.baseOffset),
      timestamp: String(batch.header.baseTimestamp),
      problem: row.problem,
    };
  }
  const { offset, timestamp, key, value, headers } = row.record;
  return {
    partition,
    offset: String(offset),
    timestamp: String(timestamp),
    key: previewDecoded(key, decodedField(decoders, 'key', row.record)),
    value: previewDecoded(value, decodedField(decoders, 'value', row.record)),
    headerCount: headers.length,
    size: recordBytes(row.record),
    ...(parts.length > 0 && { parts: partsOf(row.record, parts, decoders) }),
    ...(row.transaction && { transaction: row.transaction.state }),
  };
}

const emptyRow = {
  timestamp: '-1',
  key: { kind: 'null' },
  value: { kind: 'null' },
  headerCount: 0,
  size: 0,
} as const;

/** Bytes of key, value and headers: what was written, without what Kafka adds. */
export function recordBytes({ key, value, headers }: KafkaRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const header of headers) bytes += header.key.length + (header.value?.length ?? 0);
  return bytes;
}

export interface LocatedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly header: BatchHeader;
  readonly record: KafkaRecord;
}

/** A whole record with its batch, as the panel's details show it. */
export function recordDetails(
  { topic, partition, header, record }: LocatedRecord,
  decoders: TailDecoders = {},
): RecordDetails {
  return {
    topic,
    partition,
    offset: String(record.offset),
    timestamp: String(record.timestamp),
    timestampType: header.timestampType,
    key: base64(record.key),
    value: base64(record.value),
    headers: record.headers.map(({ key, value }) => ({
      key: base64(key),
      value: base64(value),
      decoded: decodedHeader(decoders, value),
    })),
    decodedKey: decodedField(decoders, 'key', record),
    decodedValue: decodedField(decoders, 'value', record),
    batch: {
      baseOffset: String(header.baseOffset),
      lastOffset: String(header.lastOffset),
      recordCount: header.recordCount,
      sizeInBytes: header.sizeInBytes,
      compression: header.compression,
      leaderEpoch: header.partitionLeaderEpoch,
      producerId: String(header.producerId),
      producerEpoch: header.producerEpoch,
      baseSequence: header.baseSequence,
      isTransactional: header.isTransactional,
    },
  };
}

function base64(bytes: Buffer | null): string | null {
  return bytes?.toString('base64') ?? null;
}
