/** Records in files: one JSON object a line, or CSV with a line of column names. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import * as v from 'valibot';

/** A record that a file holds. What the file leaves out is null or empty. */
export interface FileRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly {
    readonly key: string | Uint8Array;
    readonly value: Uint8Array | null;
  }[];
  readonly partition: number | null;
  /** Milliseconds since the epoch. */
  readonly timestamp?: bigint;
}

/** A record, or why a line is none. */
export type FileLine =
  | { readonly line: number; readonly record: FileRecord }
  | { readonly line: number; readonly problem: string };

const base64 = v.pipe(v.string(), v.base64('is not base64'));
const timestamp = v.union([
  v.pipe(v.number(), v.safeInteger('is not milliseconds since the epoch')),
  v.pipe(v.string(), v.regex(/^-?\d{1,19}$/, 'is not milliseconds since the epoch')),
]);
const headerValue = {
  value: v.optional(v.nullable(v.string())),
  valueBase64: v.optional(base64),
};
const headerLine = v.union([
  v.object({ key: v.string(), ...headerValue }),
  v.object({ keyBase64: base64, ...headerValue }),
]);
const recordLine = v.object({
  /** Text as it is; null; anything else as JSON. Bytes that are no text stand in base64 beside it. */
  key: v.optional(v.unknown()),
  keyBase64: v.optional(base64),
  value: v.optional(v.unknown()),
  valueBase64: v.optional(base64),
  headers: v.optional(v.union([v.array(headerLine), v.record(v.string(), v.nullable(v.string()))])),
  partition: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)))),
  timestamp: v.optional(v.nullable(timestamp)),
});

/** The records of a file, read as they are asked for. `.csv` is CSV, all else JSON lines. */
export function readRecordFile(path: string): AsyncGenerator<FileLine> {
  return path.toLowerCase().endsWith('.csv') ? readCsv(path) : readJsonLines(path);
}

async function* readJsonLines(path: string): AsyncGenerator<FileLine> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() !== '') yield { line, ...parseRecordLine(text) };
  }
}

/** One line of JSON. */
export function parseRecordLine(
  text: string,
): { readonly record: FileRecord } | { readonly problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (!isRecordObject(json))
    return { problem: `there is none of ${payloadNames.join(', ')} in it` };
  const parsed = v.safeParse(recordLine, json);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return { problem: `${v.getDotPath(issue) ?? 'the line'}: ${issue.message}` };
  }
  const { key, keyBase64, value, valueBase64, headers = [], partition, timestamp } = parsed.output;
  const list = Array.isArray(headers)
    ? headers
    : Object.entries(headers).map(([name, text]) => ({ key: name, value: text }));
  return {
    record: {
      key: bytesOf(key, keyBase64),
      value: bytesOf(value, valueBase64),
      headers: list.map((header) => ({
        key: 'key' in header ? header.key : Buffer.from(header.keyBase64, 'base64'),
        value: bytesOf(header.value, 'valueBase64' in header ? header.valueBase64 : undefined),
      })),
      partition: partition ?? null,
      ...(timestamp !== undefined && timestamp !== null && { timestamp: BigInt(timestamp) }),
    },
  };
}

const payloadNames = ['key', 'keyBase64', 'value', 'valueBase64'] as const;

/** An object about something else would pass for a record of nulls. */
function isRecordObject(json: unknown): boolean {
  return typeof json === 'object' && json !== null && payloadNames.some((name) => name in json);
}

function bytesOf(value: unknown, inBase64: string | undefined): Buffer | null {
  if (inBase64 !== undefined) return Buffer.from(inBase64, 'base64');
  if (value === undefined || value === null) return null;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Columns key, value, partition, timestamp, and header.NAME. An empty field is an empty text. */
async function* readCsv(path: string): AsyncGenerator<FileLine> {
  const rows = createReadStream(path).pipe(
    parse({
      columns: true,
      bom: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
    }),
  );
  const read = v.object({
    record: v.record(v.string(), v.string()),
    info: v.object({ lines: v.number() }),
  });
  for await (const row of rows) {
    const { record, info } = v.parse(read, row);
    yield { line: info.lines, ...csvRecord(record) };
  }
}

const headerColumn = 'header.';

function csvRecord(
  columns: Readonly<Record<string, string>>,
): { readonly record: FileRecord } | { readonly problem: string } {
  const { key, value, partition = '', timestamp = '' } = columns;
  if (key === undefined && value === undefined) {
    return { problem: 'there is no column “key” or “value”' };
  }
  if (!/^\d{0,9}$/.test(partition)) return { problem: `“${partition}” is not a partition` };
  if (!/^(-?\d{1,18})?$/.test(timestamp)) {
    return { problem: `“${timestamp}” is not milliseconds since the epoch` };
  }
  const headers = Object.entries(columns)
    .filter(([name]) => name.startsWith(headerColumn))
    .map(([name, text]) => ({ key: name.slice(headerColumn.length), value: Buffer.from(text) }));
  return {
    record: {
      key: key === undefined ? null : Buffer.from(key),
      value: value === undefined ? null : Buffer.from(value),
      headers,
      partition: partition === '' ? null : Number(partition),
      ...(timestamp !== '' && { timestamp: BigInt(timestamp) }),
    },
  };
}
