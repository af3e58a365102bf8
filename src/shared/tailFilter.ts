/** The one grammar of the filter input: text, `/regular expression/`, or `js:` and an expression. */
import { t } from '../base/l10n.ts';

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

const comparison =
  /^!?\(*\s*(?:key|value|headers|offset|partition|timestamp)\b[\w.?()[\]"']*\s*(?:[=!]==?|[<>]=?|&&|\|\|)/;
const call =
  /^!?\(*(?:key|value|headers)[\w.?[\]"']*\.(?:includes|startsWith|endsWith|some|every|match)\(/;

/** Text that was likely meant as an expression: it is one, but for the `js:`. */
export function looksLikeScript(typed: string): boolean {
  const filter = parseTailFilter(typed);
  return filter.kind === 'text' && (comparison.test(filter.text) || call.test(filter.text));
}

/** What a filter does, in words. */
export function describeTailFilter(filter: TailFilter): string {
  switch (filter.kind) {
    case 'none':
      return t('Every record.');
    case 'text':
      return t(
        'Records with “{0}” in the key, the value or a header, in capitals or not.',
        filter.text,
      );
    case 'regex':
      return t('Records whose key, value or a header matches {0} (RE2 syntax).', filter.pattern);
    case 'script':
      return t('Records for which {0} is true.', filter.source);
  }
}

/** Examples, each with what it finds. */
export const tailFilterExamples = (): readonly {
  readonly text: string;
  readonly meaning: string;
}[] => [
  { text: 'O-1182', meaning: t('text in the key, the value or a header') },
  { text: '/"total":[0-9]{3,}/', meaning: t('a regular expression; /…/i for any case') },
  { text: 'js: value.total > 100', meaning: t('JavaScript; a JSON value is an object') },
  {
    text: 'js: key === null || value === null',
    meaning: t('JavaScript: keyless records and tombstones'),
  },
  {
    text: 'js: headers.some(h => h.key === "retry")',
    meaning: t('JavaScript over headers, in order'),
  },
];
