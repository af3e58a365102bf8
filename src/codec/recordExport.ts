import { isUtf8 } from 'node:buffer';
import type { KafkaRecord } from '../protocol/records/recordReader.ts';

export type ExportFormat = 'jsonl' | 'csv';

export interface ExportedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly record: KafkaRecord;
}

/** The first line of a CSV file. */
export const csvHead = 'topic,partition,offset,timestamp,key,value,headers\n';

/** A record as a line of a file, of which every byte can be had back. */
export function exportLine(format: ExportFormat, exported: ExportedRecord): string {
  return format === 'jsonl' ? jsonLine(exported) : csvLine(exported);
}

/** What the produce panel reads from a file. Bytes that are no text are in base64 under a name that says so. */
function jsonLine({ topic, partition, record }: ExportedRecord): string {
  const { offset, timestamp, key, value, headers } = record;
  const line = {
    topic,
    partition,
    offset: String(offset),
    timestamp: String(timestamp),
    ...payload('key', key),
    ...payload('value', value),
    headers: headers.map((header) => ({
      ...payload('key', header.key),
      ...payload('value', header.value),
    })),
  };
  return `${JSON.stringify(line)}\n`;
}

function payload(name: string, bytes: Buffer | null): Record<string, string | null> {
  if (bytes === null) return { [name]: null };
  return isUtf8(bytes)
    ? { [name]: bytes.toString('utf8') }
    : { [`${name}Base64`]: bytes.toString('base64') };
}

/** Null is an empty field, and empty text is a quoted one. */
function csvLine({ topic, partition, record }: ExportedRecord): string {
  const { offset, timestamp, key, value, headers } = record;
  const list = headers.map((header) => ({
    ...payload('key', header.key),
    ...payload('value', header.value),
  }));
  return `${[
    topic,
    partition,
    offset,
    timestamp,
    csvPayload(key),
    csvPayload(value),
    headers.length === 0 ? '' : quoted(JSON.stringify(list)),
  ].join(',')}\n`;
}

function csvPayload(bytes: Buffer | null): string {
  if (bytes === null) return '';
  return quoted(isUtf8(bytes) ? bytes.toString('utf8') : `base64:${bytes.toString('base64')}`);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
