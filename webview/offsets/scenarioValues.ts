/** What is typed into the fields of an offset reset, as the contract takes it. */
import { t } from '../../src/base/l10n.ts';
import { parseSeek, SeekSyntaxError } from '../../src/shared/seek.ts';

/** An offset in plain digits; thousands may be grouped, as we show them. */
export function toOffset(text: string): string | undefined {
  const digits = text.trim().replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  if (!/^\d{1,19}$/.test(digits) || BigInt(digits) >= 2n ** 63n) return undefined;
  return BigInt(digits).toString();
}

/** Why what is typed is no offset. */
export function offsetFault(text: string): string {
  return isWhole(text, /^\+?/)
    ? t('That is beyond what an offset can be.')
    : t('An offset is a whole number from 0 up, such as 1200.');
}

/** Why what is typed is no shift. */
export function shiftFault(text: string): string {
  return isWhole(text, /^[+−-]?\s*/)
    ? t('That is further than an offset can be.')
    : t('A shift is a whole number, such as -100.');
}

function isWhole(text: string, sign: RegExp): boolean {
  return /^\d[\d,]*$/.test(text.trim().replace(sign, ''));
}

/** How far to shift, with a sign or without; a minus of either kind. */
export function toShift(text: string): string | undefined {
  const [, sign = '', digits = ''] = /^\s*([+\-−]?)\s*(.*)$/.exec(text) ?? [];
  const size = toOffset(digits);
  if (size === undefined) return undefined;
  return sign === '' || sign === '+' || size === '0' ? size : `-${size}`;
}

/** Milliseconds of a duration: `90m`, `1h30m`, `2d`, or Java's `PT1H`. */
export function toDurationMs(text: string): string | undefined {
  try {
    const { start, end } = parseSeek(`@-${text.trim().replace(/^-/, '')}`);
    return start.kind === 'ago' && !end ? String(start.agoMs) : undefined;
  } catch (error) {
    if (error instanceof SeekSyntaxError) return undefined;
    throw error;
  }
}

/** Milliseconds since the epoch of a `datetime-local` field. */
export function toInstant(text: string): string | undefined {
  const epochMs = /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text).getTime() : NaN;
  return Number.isNaN(epochMs) ? undefined : String(epochMs);
}

/** An instant as a `datetime-local` field takes it, in local time and to the millisecond. */
export function toLocalDateTime(epochMs: number): string {
  const local = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}
