/** Numbers and counts in words, as every view shows them. */
import { t } from '../base/l10n.ts';

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
  return values.length ? values.join(', ') : t('none');
}

const durationUnits = [
  [(figure: string) => t('{0}d', figure), 86_400_000],
  [(figure: string) => t('{0}h', figure), 3_600_000],
  [(figure: string) => t('{0}m', figure), 60_000],
  [(figure: string) => t('{0}s', figure), 1000],
  [(figure: string) => t('{0}ms', figure), 1],
] as const;

/** `7d`, `1d 12h`: days at most, as retention is set in them. */
export function durationText(durationMs: number): string {
  let leftMs = durationMs;
  const parts = durationUnits.flatMap(([inUnit, unitMs]) => {
    const count = Math.floor(leftMs / unitMs);
    leftMs -= count * unitMs;
    return count > 0 ? [inUnit(grouped(count))] : [];
  });
  return parts.join(' ') || t('{0}s', 0);
}
