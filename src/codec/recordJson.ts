/**
 * A record as a line of JSON. Text stands as it is, null as null, and bytes that are no text in base64 under a name
 * that says so. A line that a person wrote may hold any JSON for a key or value, and headers as an object.
 */
import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import type { RecordHeader } from '../protocol/records/recordReader.ts';
import type { PayloadInput } from '../shared/contracts/produce.ts';
import {
  bytesFrom,
  type ExportedRecord,
  type FileHeader,
  type FileLine,
  mostLineChars,
  type ParsedRecord,
  problemOf,
  timestampNumber,
  timestampText,
} from './fileRecord.ts';
import { textLines } from './textLines.ts';

export function jsonLine({ topic, partition, record }: ExportedRecord): string {
  const { offset, timestamp, key, value, headers } = record;
  const line = {
    topic,
    partition,
    offset: String(offset),
    timestamp: String(timestamp),
    ...payload('key', key),
    ...payload('value', value),
    headers: headerList(headers),
  };
  return `${JSON.stringify(line)}\n`;
}

export function headerList(headers: readonly RecordHeader[]): object[] {
  return headers.map(({ key, value }) => ({ ...payload('key', key), ...payload('value', value) }));
}

function payload(name: string, bytes: Buffer | null): Record<string, string | null> {
  if (bytes === null) return { [name]: null };
  return isUtf8(bytes)
    ? { [name]: bytes.toString('utf8') }
    : { [`${name}Base64`]: bytes.toString('base64') };
}

const anyJson = v.pipe(v.unknown(), bytesFrom(inputOfJson));
const text = v.pipe(
  v.string(),
  bytesFrom((text) => ({ kind: 'text', text })),
);
const base64 = v.pipe(
  v.string(),
  bytesFrom((text) => ({ kind: 'base64', text })),
);

function inputOfJson(json: unknown): PayloadInput {
  if (json === undefined || json === null) return { kind: 'null' };
  return { kind: 'text', text: typeof json === 'string' ? json : JSON.stringify(json) };
}

const header = v.pipe(
  v.object({
    key: v.optional(text),
    keyBase64: v.optional(base64),
    value: v.optional(v.nullable(text)),
    valueBase64: v.optional(base64),
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }): FileHeader => {
    const { key, keyBase64, value, valueBase64 } = dataset.value;
    const name = keyBase64 ?? key;
    if (name) return { key: name, value: valueBase64 ?? value ?? null };
    addIssue({ message: t('a header needs “key” or “keyBase64”') });
    return NEVER;
  }),
);

export const headerArray = v.array(header);

const headerObject = v.pipe(
  v.record(v.string(), v.nullable(text)),
  v.transform((values) =>
    Object.entries(values).map(([name, value]): FileHeader => ({ key: Buffer.from(name), value })),
  ),
);

const recordLine = v.object({
  key: v.optional(anyJson),
  keyBase64: v.optional(base64),
  value: v.optional(anyJson),
  valueBase64: v.optional(base64),
  headers: v.optional(v.union([headerArray, headerObject])),
  partition: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)))),
  timestamp: v.optional(v.nullable(v.union([timestampNumber, timestampText]))),
});

const payloadNames = ['key', 'keyBase64', 'value', 'valueBase64'] as const;

/** One line of JSON. */
export function parseRecordLine(text: string): ParsedRecord {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problem: errorMessage(error) };
  }
  if (!isRecordObject(json)) {
    return { problem: t('there is none of {0} in it', payloadNames.join(', ')) };
  }
  const parsed = v.safeParse(recordLine, json);
  if (!parsed.success) return { problem: problemOf(parsed.issues) };
  const { key, keyBase64, value, valueBase64, headers, partition, timestamp } = parsed.output;
  return {
    record: {
      key: keyBase64 ?? key ?? null,
      value: valueBase64 ?? value ?? null,
      headers: headers ?? [],
      partition: partition ?? null,
      ...(timestamp !== undefined && timestamp !== null && { timestamp }),
    },
  };
}

/** An object about something else would pass for a record of nulls. */
function isRecordObject(json: unknown): boolean {
  return typeof json === 'object' && json !== null && payloadNames.some((name) => name in json);
}

export async function* readJsonLines(path: string): AsyncGenerator<FileLine> {
  let line = 0;
  for await (const text of textLines(path, mostLineChars)) {
    line++;
    if (text === null) yield { line, problem: t('it has more than {0} characters', mostLineChars) };
    else if (text.trim() !== '') yield { line, ...parseRecordLine(text.replace(/^\ufeff/, '')) };
  }
}
