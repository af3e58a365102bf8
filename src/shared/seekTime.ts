/** The times of a seek expression: instants with or without a zone, and durations before now. */
import { t } from '../base/l10n.ts';
import { counted } from './counted.ts';
import { type Scanner, SeekSyntaxError } from './seekScanner.ts';

export type SeekTime =
  | { readonly kind: 'time'; readonly epochMs: number }
  | { readonly kind: 'ago'; readonly agoMs: number };

const INSTANT =
  /(\d{4})-(\d\d)-(\d\d)(?!\d)(?:[Tt ](\d\d):(\d\d)(?!\d)(?::(\d\d)(?!\d)(?:\.(\d{1,9}))?)?([Zz]|[+-]\d\d(?!\d)(?::\d\d(?!\d))?|[+-]\d{4}(?!\d))?)?/y;
/** A date that takes more than four digits for its year. */
export const FAR_DATE = /\d{5,}-\d\d-\d\d/y;
const EPOCH_MS = /\d{12,15}(?!\d)/y;
const EPOCH_MS_MAX = Date.UTC(9999, 11, 31);
const ISO_DURATION =
  /P(?=[\dT])(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,3})\d*)?S)?)?(?![\dA-Z])/iy;
const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const NAMES = {
  w: 'week',
  d: 'day',
  h: 'hour',
  m: 'minute',
  s: 'second',
  ms: 'millisecond',
} as const;
const AGO_MAX_MS = 36_525 * UNITS.d;

const TIMES = ['2026-11-29T14:00', '2026-11-29T14:00Z', '-1h', '-90m', '-2d', '-PT1H'];
const DURATIONS = ['-1h', '-90m', '-1h30m', '-2d', '-PT1H'];

/** Reads what comes after the `@`. Throws SeekSyntaxError. */
export function readTime(scanner: Scanner): SeekTime {
  const position = scanner.position;
  if (scanner.take('-')) return { kind: 'ago', agoMs: readDuration(scanner, position) };
  if (scanner.take('+')) {
    throw new SeekSyntaxError(t('a time from now is in the future'), position, DURATIONS);
  }
  if (scanner.match(FAR_DATE, { peek: true })) {
    throw new SeekSyntaxError(t('this is past the year 9999'), position, TIMES);
  }
  const milliseconds = scanner.match(EPOCH_MS);
  if (milliseconds) {
    const epochMs = Number(milliseconds[0]);
    if (epochMs > EPOCH_MS_MAX) {
      throw new SeekSyntaxError(t('this is past the year 9999'), position, TIMES);
    }
    return { kind: 'time', epochMs };
  }
  const instant = scanner.match(INSTANT);
  if (!instant) {
    const what = scanner.atEnd()
      ? t('a time is missing')
      : t('{0} is not a time', scanner.quoteNext());
    throw new SeekSyntaxError(what, position, TIMES);
  }
  return { kind: 'time', epochMs: toEpochMs(instant, position) };
}

function toEpochMs(instant: RegExpExecArray, position: number): number {
  const [text, y = '', mo = '', d = '', h = '0', mi = '0', s = '0', fraction = '', zone] = instant;
  const [year, month, day] = [Number(y), Number(mo), Number(d)];
  const [hour, minute, second] = [Number(h), Number(mi), Number(s)];
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const refuse = (what: string, at: number, expected: string): never => {
    throw new SeekSyntaxError(what, position + at, [expected]);
  };
  if (year < 1970) refuse(t('no record is from {0}', y), 0, t('{0} to {1}', '1970', '9999'));
  if (month < 1 || month > 12)
    refuse(t('there is no month {0}', mo), 5, t('{0} to {1}', '01', '12'));
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > days)
    refuse(t('{0}-{1} has no day {2}', y, mo, d), 8, t('{0} to {1}', '01', days));
  if (hour > 23) refuse(t('there is no hour {0}', h), 11, t('{0} to {1}', '00', '23'));
  if (minute > 59) refuse(t('there is no minute {0}', mi), 14, t('{0} to {1}', '00', '59'));
  if (second > 59) refuse(t('there is no second {0}', s), 17, t('{0} to {1}', '00', '59'));
  if (zone === undefined) {
    return new Date(year, month - 1, day, hour, minute, second, ms).getTime();
  }
  const offsetMinutes = zoneMinutes(zone);
  if (offsetMinutes === undefined) {
    return refuse(
      t('{0} is not a zone', zone),
      text.length - zone.length,
      t('Z or -18:00 to +18:00'),
    );
  }
  return Date.UTC(year, month - 1, day, hour, minute, second, ms) - offsetMinutes * UNITS.m;
}

/** Minutes east of UTC; undefined where no place on earth has such a zone. */
function zoneMinutes(zone: string): number | undefined {
  if (/^z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''));
  if (minutes > 18 * 60 || Number(zone.slice(-2)) > 59) return undefined;
  return zone.startsWith('-') ? -minutes : minutes;
}

function readDuration(scanner: Scanner, position: number): number {
  const totalMs = scanner.match(/P/iy, { peek: true })
    ? readIsoDuration(scanner)
    : readShortDuration(scanner);
  if (totalMs === 0) {
    throw new SeekSyntaxError(t('this is no time ago'), position, ['latest', ...DURATIONS]);
  }
  if (totalMs > AGO_MAX_MS) {
    throw new SeekSyntaxError(t('this is over a hundred years ago'), position, ['earliest']);
  }
  return totalMs;
}

function readShortDuration(scanner: Scanner): number {
  let totalMs = 0;
  do {
    const position = scanner.position;
    const [, digits, unit = ''] = scanner.match(/(\d{1,9})(ms|[wdhms])(?![a-z])/y) ?? [];
    if (digits === undefined) {
      const what = scanner.atEnd()
        ? t('how long is missing')
        : t('{0} is no duration', scanner.quoteNext());
      throw new SeekSyntaxError(what, position, DURATIONS);
    }
    totalMs += Number(digits) * UNITS[unit as keyof typeof UNITS];
  } while (scanner.match(/\d/y, { peek: true }));
  return totalMs;
}

function readIsoDuration(scanner: Scanner): number {
  const found = scanner.match(ISO_DURATION);
  if (!found) {
    throw scanner.problem(t('{0} is no duration', scanner.quoteNext()), [
      'PT1H',
      'PT90M',
      t('P2D (years and months vary in length and are not taken)'),
    ]);
  }
  const [w = 0, d = 0, h = 0, m = 0, s = 0] = found
    .slice(1, 6)
    .map((digits) => Number(digits || 0));
  const ms = Number((found[6] ?? '').padEnd(3, '0'));
  return w * UNITS.w + d * UNITS.d + h * UNITS.h + m * UNITS.m + s * UNITS.s + ms;
}

/** `1d2h30m`: the largest units first, none that is zero. */
export function formatDuration(durationMs: number): string {
  return parts(durationMs)
    .map(([count, unit]) => `${count}${unit}`)
    .join('');
}

/** `1 hour 30 minutes`. */
export function describeDuration(durationMs: number): string {
  return parts(durationMs)
    .map(([count, unit]) => counted(count, NAMES[unit]))
    .join(' ');
}

function parts(durationMs: number): [number, keyof typeof UNITS][] {
  const found: [number, keyof typeof UNITS][] = [];
  let leftMs = durationMs;
  for (const [unit, unitMs] of Object.entries(UNITS) as [keyof typeof UNITS, number][]) {
    const count = Math.floor(leftMs / unitMs);
    leftMs -= count * unitMs;
    if (count > 0) found.push([count, unit]);
  }
  return found;
}

/** An instant in this process's zone, with the zone: `2026-11-29T14:00+09:00`; seconds where they matter. */
export function formatInstant(epochMs: number): string {
  const offsetMinutes = -new Date(epochMs).getTimezoneOffset();
  const iso = new Date(epochMs + offsetMinutes * UNITS.m).toISOString();
  const time = iso.slice(0, -1).replace(/(?::00)?\.000$/, '');
  if (offsetMinutes === 0) return `${time}Z`;
  const two = (n: number): string => String(Math.trunc(n)).padStart(2, '0');
  const size = Math.abs(offsetMinutes);
  return `${time}${offsetMinutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}
