import { previewDecoded } from '../../codec/payloadPreview.ts';
import type { KafkaRecord } from '../../protocol/records/recordReader.ts';
import type { RowPart, TailPayload } from '../../shared/contracts/tailRows.ts';
import { decodedHeader, fieldText, type TailDecoders } from './tailDecoders.ts';

/** Larger values are not parsed to show a part of them in a row. */
const parsedCharacters = 1_000_000;

/** Of ECMAScript 2025; the compiler’s library does not know it yet. */
const exactJson = JSON as unknown as {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};

/** Parts of a record that have a column of their own; null where it has none of it. */
export function partsOf(
  record: KafkaRecord,
  parts: readonly RowPart[],
  decoders: TailDecoders,
): (TailPayload | null)[] {
  let json: unknown;
  if (parts.some(({ kind }) => kind === 'json')) json = parsedValue(record, decoders);
  return parts.map((part) =>
    part.kind === 'header'
      ? headerPart(record, part.name, decoders)
      : jsonPart(json, part.path.split('.')),
  );
}

/** The last header of a name, as consumers read it. [Headers.lastHeader] */
function headerPart(
  { headers }: KafkaRecord,
  name: string,
  decoders: TailDecoders,
): TailPayload | null {
  const header = headers.findLast(({ key }) => key.toString() === name);
  return header ? previewDecoded(header.value, decodedHeader(decoders, header.value)) : null;
}

function parsedValue(record: KafkaRecord, decoders: TailDecoders): unknown {
  const text = fieldText(decoders, 'value', record);
  if (text === null || text.length > parsedCharacters) return undefined;
  try {
    // A number keeps the digits that it is written with.
    return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && context?.source !== undefined
        ? exactJson.rawJSON(context.source)
        : value,
    );
  } catch {
    return undefined;
  }
}

function jsonPart(json: unknown, path: readonly string[]): TailPayload | null {
  let part = json;
  for (const name of path) {
    const isInside = typeof part === 'object' && part !== null && !exactJson.isRawJSON(part);
    if (!isInside || !Object.hasOwn(part as object, name)) return null;
    part = (part as Record<string, unknown>)[name];
  }
  if (part === undefined) return null;
  if (part === null) return { kind: 'null' };
  const text = typeof part === 'string' ? part : JSON.stringify(part);
  if (text === '') return { kind: 'empty' };
  const size = Buffer.byteLength(text);
  const shown = text.slice(0, 512).toWellFormed();
  return { kind: 'decoded', text: shown, size, truncated: shown.length < text.length };
}
