/** Where a share group may start that is nowhere yet, in words if it may not. [ShareGroupAutoOffsetResetStrategy] */
export function offsetResetProblem(value: string): string | undefined {
  if (value === 'earliest' || value === 'latest') return undefined;
  const [, duration] = /^by_duration:(.*)$/s.exec(value) ?? [];
  const isDuration = duration !== undefined && isPastDuration(duration);
  return isDuration ? undefined : `${value} is none of earliest, latest, by_duration:PnDTnHnMn.nS`;
}

const duration =
  /^(?<sign>[-+]?)P(?:(?<days>[-+]?\d+)D)?(?<time>T(?:(?<hours>[-+]?\d+)H)?(?:(?<minutes>[-+]?\d+)M)?(?:(?<seconds>[-+]?\d+)(?:[.,](?<fraction>\d{0,9}))?S)?)?$/i;

const unitSeconds = { days: 86_400n, hours: 3600n, minutes: 60n, seconds: 1n };
/** A long has no more digits. */
const mostLetters = 80;
const mostSeconds = 2n ** 63n - 1n;

/** ISO 8601 as Java reads it, and not less than nothing. [Duration.parse] */
function isPastDuration(text: string): boolean {
  const parts = text.length > mostLetters ? undefined : duration.exec(text)?.groups;
  if (!parts || /t$/i.test(parts['time'] ?? '')) return false;
  const given = Object.entries(unitSeconds).filter(([unit]) => parts[unit] !== undefined);
  if (given.length === 0) return false;
  const seconds = given.reduce((sum, [unit, size]) => sum + BigInt(plain(parts[unit])) * size, 0n);
  const fraction = Number(parts['fraction'] || '0');
  const nanos = parts['seconds']?.startsWith('-') ? -fraction : fraction;
  const sign = parts['sign'] === '-' ? -1 : 1;
  const whole = seconds * BigInt(sign);
  if (whole > mostSeconds) return false;
  return whole > 0n || (whole === 0n && nanos * sign >= 0);
}

/** As JavaScript reads whole numbers. */
const plain = (number: string | undefined): string => (number ?? '0').replace(/^\+/, '');
