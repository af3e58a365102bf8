import { t } from '../base/l10n.ts';

const deepest = 200;

/** JSON for people: an int64 keeps all its digits, bytes are hex, and a number that JSON lacks is a string. */
export function jsonText(value: unknown, depth = 0): string {
  if (depth > deepest) throw new Error(t('the value is nested too deeply'));
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`;
  if (value instanceof Uint8Array) return `"0x${Buffer.from(value).toString('hex')}"`;
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown) => jsonText(item, depth + 1)).join(',')}]`;
  }
  if (typeof value === 'object') {
    const pairs = Object.entries(value).map(
      ([name, item]) => `${JSON.stringify(name)}:${jsonText(item, depth + 1)}`,
    );
    return `{${pairs.join(',')}}`;
  }
  // A string, or what no decoder of ours makes.
  return JSON.stringify(typeof value === 'string' ? value : typeof value);
}
