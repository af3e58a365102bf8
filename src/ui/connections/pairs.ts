import { t } from '../../base/l10n.ts';

/** `name=value, name=value`, as people type several small things in one line. */
export function parsePairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    itemsIn(text).map((item) => {
      const equals = item.indexOf('=');
      return [item.slice(0, equals).trim(), item.slice(equals + 1).trim()];
    }),
  );
}

export function pairsProblem(text: string): string | undefined {
  const wrong = itemsIn(text).find((item) => !/^[^=\s]+\s*=\s*\S/.test(item));
  return wrong === undefined ? undefined : t('{0} is not name=value.', wrong);
}

export function pairsText(pairs: Readonly<Record<string, string>> = {}): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

function itemsIn(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}
