/** A record as text in which two can be told apart line by line. */
import { isUtf8 } from 'node:buffer';
import { t } from '../../base/l10n.ts';
import { isJsonContainer, prettyJson } from '../../shared/jsonLayout.ts';
import type { DecodedPayload, RecordDetails } from '../../shared/contracts/recordDetails.ts';
import { hexLines } from './hexLines.ts';

/** Of a larger payload the beginning: an editor is no place for more. */
const shownCharacters = 2_000_000;

export function recordText(record: RecordDetails): string {
  const { topic, partition, offset, timestamp, timestampType, headers } = record;
  const facts = [
    `topic: ${topic}`,
    `partition: ${partition}`,
    `offset: ${offset}`,
    `timestamp: ${timestamp} (${isoTime(timestamp)}, ${timestampType})`,
    ...section('key', payloadText(record.key, record.decodedKey)),
    `headers: ${headers.length}`,
    ...headers.flatMap(({ key, value, decoded }) =>
      section(`  ${oneLineText(key)}`, payloadText(value, decoded)),
    ),
    ...section('value', payloadText(record.value, record.decodedValue)),
  ];
  return `${facts.join('\n')}\n`;
}

function section(name: string, text: string): string[] {
  return text.includes('\n') ? [`${name}:`, text] : [`${name}: ${text}`];
}

function isoTime(timestamp: string): string {
  const date = new Date(Number(timestamp));
  return Number.isNaN(date.getTime()) ? t('no date') : date.toISOString();
}

function oneLineText(key: string | null): string {
  return payloadText(key, undefined).replaceAll('\n', '\\n');
}

function payloadText(payload: string | null, decoded: DecodedPayload): string {
  if (payload === null) return t('⌀ null');
  if (payload === '') return t('empty');
  if (decoded && 'text' in decoded) return laidOut(decoded.text);
  const bytes = Buffer.from(payload, 'base64');
  return isUtf8(bytes) ? laidOut(bytes.toString('utf8')) : hexLines(bytes).join('\n');
}

function laidOut(text: string): string {
  if (text.length > shownCharacters) {
    return `${text.slice(0, shownCharacters)}\n${t('… {0} characters in all', text.length)}`;
  }
  return isJsonContainer(text) ? prettyJson(text) : text;
}
