/** How figures and payloads are written. Nothing here touches the page. */
import { t } from '../../src/base/l10n.ts';
import type { PayloadPreview, UserError } from '../../src/shared/contracts/common.ts';
import type { TailPayload } from '../../src/shared/contracts/tailRows.ts';
import { counted } from '../../src/shared/counted.ts';
import { groupThousands } from '../../src/shared/numbers.ts';

export { counted as count } from '../../src/shared/counted.ts';
export { groupThousands } from '../../src/shared/numbers.ts';

/** An int64 with a real minus sign, grouped: `−3,368`. */
export function formatInt64(value: string): string {
  return groupThousands(value).replace('-', '−');
}

/** A difference, with its sign: `+550`, `−3,368`, `0`. */
export function formatDelta(value: string): string {
  return /^-|^0+$/.test(value) ? formatInt64(value) : `+${groupThousands(value)}`;
}

const UNITS = ['kB', 'MB', 'GB'] as const;

/** A number of bytes: exact below 10,000, then in powers of 1,000. */
export function formatSize(bytes: number): string {
  if (bytes < 10_000) return counted(bytes, 'byte');
  let scaled = bytes / 1000;
  let unit = 0;
  while (scaled >= 999.5 && unit < UNITS.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${UNITS[unit] ?? ''}`;
}

export interface FormattedTime {
  /** `14:03:07.482` in local time, or a sign that there is none. */
  readonly short: string;
  /** The local date and time with the zone, then UTC where that is another. */
  readonly long: string;
}

/** A record's timestamp in milliseconds since the epoch; -1 is none. */
export function formatTimestamp(timestamp: string): FormattedTime {
  const epochMs = Number(timestamp);
  const date = new Date(epochMs);
  if (timestamp === '-1')
    return { short: t('no time'), long: t('The record has no timestamp (−1).') };
  if (Number.isNaN(date.getTime())) {
    return {
      short: t('bad time'),
      long: t('{0} ms is past what a date can be.', formatInt64(timestamp)),
    };
  }
  const zoneMinutes = -date.getTimezoneOffset();
  const short = timeWithMs(date);
  if (zoneMinutes === 0) return { short, long: date.toISOString() };
  const size = Math.abs(zoneMinutes);
  const zone = `${zoneMinutes < 0 ? '-' : '+'}${pad(size / 60, 2)}:${pad(size % 60, 2)}`;
  return { short, long: `${dayOf(date)}T${short}${zone} (${date.toISOString()})` };
}

/** The local date and time to the second. */
export function formatMoment(epochMs: number): string {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? t('bad time') : `${dayOf(date)} ${timeOf(date)}`;
}

/** The local day, as in `2026-11-29`. */
export function dayOf(date: Date): string {
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}

/** The local time to the second. */
export function timeOf(date: Date): string {
  return `${pad(date.getHours(), 2)}:${pad(date.getMinutes(), 2)}:${pad(date.getSeconds(), 2)}`;
}

/** The local time to the millisecond. */
export function timeWithMs(date: Date): string {
  return `${timeOf(date)}.${pad(date.getMilliseconds(), 3)}`;
}

function pad(value: number, width: number): string {
  return String(Math.trunc(value)).padStart(width, '0');
}

/** A payload in a row: what it is, and its text on one line. */
export interface ShownPayload {
  readonly kind: PayloadPreview['kind'] | TailPayload['kind'];
  readonly text: string;
}

export function showPayload(
  payload: PayloadPreview | TailPayload,
  meaningOfNull = 'null',
): ShownPayload {
  switch (payload.kind) {
    case 'null':
      return { kind: 'null', text: `⌀ ${meaningOfNull}` };
    case 'empty':
      return { kind: 'empty', text: t('empty') };
    case 'text':
    case 'decoded':
      return { kind: payload.kind, text: oneLine(payload.text) + (payload.truncated ? '…' : '') };
    case 'failed':
      return { kind: 'failed', text: `${payload.problem} · hex ${spaced(payload.hex)}` };
    case 'binary':
      return {
        kind: 'binary',
        text: `hex ${spaced(payload.hex)}${payload.truncated ? ' …' : ''}`,
      };
  }
}

function spaced(hex: string): string {
  return hex.replace(/..(?=.)/g, '$& ');
}

/**
 * Text on one line: a line break becomes ↵ and a tab a space; other controls, separators of lines,
 * and the characters that turn the direction of text around are written as escapes, so that a record cannot disguise
 * itself.
 */
export function oneLine(text: string): string {
  return text
    .replace(/\r\n|\r|\n/g, '↵')
    .replaceAll('\t', ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** An error as one line: what failed, and what to do. */
export function errorWords({ message, hint }: UserError): string {
  if (hint === undefined) return message;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
}
