/** Numbers and counts in words, as every view shows them. */
export { counted } from '../shared/counted.ts';

/** A whole number, grouped by thousands, exact for any int64, with a true minus sign: `6,667`, `−3,368`. */
export function grouped(value: bigint | number): string {
  // Not Intl, whose first formatter costs 10 ms of the extension's activation.
  return value
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
    .replace('-', '−');
}

/** `1, 2, 3`, or `none`. */
export function listed(values: readonly (number | string)[]): string {
  return values.length ? values.join(', ') : 'none';
}

const durationUnits = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** `7d`, `1d 12h`: days at most, as retention is set in them. */
export function durationText(durationMs: number): string {
  let leftMs = durationMs;
  const parts = durationUnits.flatMap(([unit, unitMs]) => {
    const count = Math.floor(leftMs / unitMs);
    leftMs -= count * unitMs;
    return count > 0 ? [`${grouped(count)}${unit}`] : [];
  });
  return parts.join(' ') || '0s';
}
