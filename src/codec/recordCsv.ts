/**
 * Records as CSV. Null is an empty field, and empty text a quoted one; bytes that are no text, and text that would
 * pass for them, stand in base64 behind a mark. Headers are in one column, as in lines of JSON; a file that a person
 * wrote may have a column for each, `header.NAME`.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import * as v from 'valibot';
import { t } from '../base/l10n.ts';
import type { PayloadInput } from '../shared/contracts/produce.ts';
import {
  bytesFrom,
  type ExportedRecord,
  type FileLine,
  mostLineChars,
  type ParsedRecord,
  problemOf,
  timestampText,
} from './fileRecord.ts';
import { headerArray, headerList } from './recordJson.ts';

/** The first line of a file. */
export const csvHead = 'topic,partition,offset,timestamp,key,value,headers\n';

const base64Mark = 'base64:';
const headerColumn = 'header.';

export function csvLine({ topic, partition, record }: ExportedRecord): string {
  const { offset, timestamp, key, value, headers } = record;
  return `${[
    topic,
    partition,
    offset,
    timestamp,
    csvPayload(key),
    csvPayload(value),
    headers.length === 0 ? '' : quoted(JSON.stringify(headerList(headers))),
  ].join(',')}\n`;
}

function csvPayload(bytes: Buffer | null): string {
  if (bytes === null) return '';
  const text = isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  const isPlain = text !== undefined && !text.startsWith(base64Mark);
  return quoted(isPlain ? text : base64Mark + bytes.toString('base64'));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const field = v.nullable(v.string());
const payload = v.pipe(field, bytesFrom(inputOfField));

function inputOfField(text: string | null): PayloadInput {
  if (text === null) return { kind: 'null' };
  return text.startsWith(base64Mark)
    ? { kind: 'base64', text: text.slice(base64Mark.length) }
    : { kind: 'text', text };
}

const row = v.object({
  key: v.optional(payload),
  value: v.optional(payload),
  partition: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,9}$/, () => t('is not a partition')),
        v.transform(Number),
      ),
    ),
  ),
  timestamp: v.optional(v.nullable(timestampText)),
  headers: v.optional(v.nullable(v.pipe(v.string(), v.parseJson(), headerArray))),
});

export async function* readCsv(path: string): AsyncGenerator<FileLine> {
  const rows = createReadStream(path).pipe(
    parse({
      columns: true,
      bom: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: mostLineChars,
      cast: (text, { header, quoting }) => (text === '' && !quoting && !header ? null : text),
    }),
  );
  const read = v.object({
    record: v.record(v.string(), field),
    info: v.object({ lines: v.number() }),
  });
  for await (const found of rows) {
    const { record, info } = v.parse(read, found);
    yield { line: info.lines, ...csvRecord(record) };
  }
}

function csvRecord(columns: Readonly<Record<string, string | null>>): ParsedRecord {
  if (columns['key'] === undefined && columns['value'] === undefined) {
    return { problem: t('there is no column “key” or “value”') };
  }
  const parsed = v.safeParse(row, columns);
  if (!parsed.success) return { problem: problemOf(parsed.issues) };
  const named = v.safeParse(v.record(v.string(), payload), headerColumns(columns));
  if (!named.success) return { problem: problemOf(named.issues) };
  const { key, value, partition, timestamp, headers } = parsed.output;
  const more = Object.entries(named.output).map(([name, bytes]) => ({
    key: Buffer.from(name.slice(headerColumn.length)),
    value: bytes,
  }));
  return {
    record: {
      key: key ?? null,
      value: value ?? null,
      headers: [...(headers ?? []), ...more],
      partition: partition ?? null,
      ...(timestamp !== undefined && timestamp !== null && { timestamp }),
    },
  };
}

function headerColumns(columns: Readonly<Record<string, string | null>>) {
  return Object.fromEntries(
    Object.entries(columns).filter(([name]) => name.startsWith(headerColumn)),
  );
}
