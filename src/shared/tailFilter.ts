/** The one grammar of the filter input: text, `/regular expression/`, or `js:` and an expression. */

export type TailFilter =
  | { readonly kind: 'none' }
  /** Part of a key, a value or a header; capital and small letters are the same. */
  | { readonly kind: 'text'; readonly text: string }
  /** In RE2's syntax. */
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  /** An expression over key, value, headers, offset, partition and timestamp. */
  | { readonly kind: 'script'; readonly source: string };

export const filterLengthMax = 10_000;

const regex = /^\/(?<pattern>.+)\/(?<flags>[ims]*)$/s;
const script = /^js:(?<source>.*)$/s;

/** Reads what was typed. Never fails: what is no expression is text. */
export function parseTailFilter(typed: string): TailFilter {
  const trimmed = typed.trim();
  if (trimmed === '') return { kind: 'none' };
  const source = script.exec(trimmed)?.groups?.['source']?.trim();
  if (source !== undefined) return source === '' ? { kind: 'none' } : { kind: 'script', source };
  const expression = regex.exec(trimmed)?.groups;
  if (expression) {
    return {
      kind: 'regex',
      pattern: expression['pattern'] ?? '',
      flags: expression['flags'] ?? '',
    };
  }
  return { kind: 'text', text: trimmed };
}

/** What a filter does, in words. */
export function describeTailFilter(filter: TailFilter): string {
  switch (filter.kind) {
    case 'none':
      return 'Every record.';
    case 'text':
      return `Records with “${filter.text}” in the key, the value or a header, in capitals or not.`;
    case 'regex':
      return `Records whose key, value or a header matches ${filter.pattern} (RE2 syntax).`;
    case 'script':
      return `Records for which ${filter.source} is true.`;
  }
}

/** Examples, each with what it finds. */
export const tailFilterExamples: readonly { readonly text: string; readonly meaning: string }[] = [
  { text: 'O-1182', meaning: 'text in the key, the value or a header' },
  { text: '/"total":[0-9]{3,}/', meaning: 'a regular expression; /…/i for any case' },
  { text: 'js: value.total > 100', meaning: 'JavaScript; a JSON value is an object' },
  {
    text: 'js: key === null || value === null',
    meaning: 'JavaScript: keyless records and tombstones',
  },
  {
    text: 'js: headers.some(h => h.key === "retry")',
    meaning: 'JavaScript over headers, in order',
  },
];
