/** Text with `{{…}}` in it, filled in anew for every record that is sent. */
import { t } from '../base/l10n.ts';
import type { Random } from '../base/random.ts';
import { randomUuidText } from '../base/uuid.ts';

/** What a placeholder may look at. */
export interface TemplateScene {
  /** Number of the record, from 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly random: Random;
}

type Filler = (scene: TemplateScene) => string;

export interface Template {
  readonly fill: (scene: TemplateScene) => string;
  readonly hasPlaceholders: boolean;
}

/** The placeholder is not one that there is. The message says which there are. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

/** What can be written, for people. */
export const placeholders = [
  '{{n}}',
  '{{uuid}}',
  '{{now}}',
  '{{isoNow}}',
  '{{int 1 100}}',
  '{{decimal 1 100 2}}',
  '{{pick red green blue}}',
] as const;

/** What follows `{{` where somebody means a placeholder. */
const named = /^ {0,9}(n|uuid|now|isoNow|int|decimal|pick)\b/;

interface Found {
  readonly start: number;
  readonly end: number;
  /** Between the braces. */
  readonly text: string;
}

/** Each begins and ends on one line. In one pass: texts have a million characters. */
function* placeholdersOf(text: string): Generator<Found> {
  let close = 0;
  let lineEnd = 0;
  const next = (what: string, from: number, known: number): number => {
    if (known >= from) return known;
    const found = text.indexOf(what, from);
    return found === -1 ? text.length : found;
  };
  for (let start = text.indexOf('{{'); start !== -1;) {
    const inside = start + 2;
    close = next('}}', inside, close);
    lineEnd = next('\n', inside, lineEnd);
    const isClosed = close < text.length && close < lineEnd;
    const [, name] = named.exec(text.slice(inside, inside + 20)) ?? [];
    if (!isClosed && name !== undefined)
      throw new TemplateError(t('{{{0} does not end: it wants }} on its line.', name));
    if (isClosed) yield { start, end: close + 2, text: text.slice(inside, close).trim() };
    start = text.indexOf('{{', isClosed ? close + 2 : inside);
  }
}

/** Reads a template. Throws a TemplateError. */
export function compileTemplate(text: string): Template {
  const fillers: Filler[] = [];
  let end = 0;
  for (const found of placeholdersOf(text)) {
    const literal = text.slice(end, found.start);
    fillers.push(() => literal, compilePlaceholder(found.text));
    end = found.end;
  }
  const rest = text.slice(end);
  return {
    fill: (scene) => fillers.map((filler) => filler(scene)).join('') + rest,
    hasPlaceholders: fillers.length > 0,
  };
}

function compilePlaceholder(text: string): Filler {
  const [name = '', ...words] = text.split(/\s+/);
  switch (name) {
    case 'n':
      return ({ number }) => String(number);
    case 'uuid':
      return ({ random }) => randomUuidText(random);
    case 'now':
      return ({ nowMs }) => String(nowMs);
    case 'isoNow':
      return ({ nowMs }) => new Date(nowMs).toISOString();
    case 'int':
      return wholeNumber(numbers(text, words, 2));
    case 'decimal':
      return decimal(numbers(text, words, 3));
    case 'pick':
      if (words.length > 0 && !text.includes('{{'))
        return ({ random }) => words[random.below(words.length)] ?? '';
      break;
  }
  throw new TemplateError(t('{{{0}}} is not known. There are {1}.', text, placeholders.join(', ')));
}

function numbers(text: string, words: readonly string[], count: number): number[] {
  const values = words.map(Number);
  if (values.length === count && values.every(Number.isFinite)) return values;
  throw new TemplateError(
    t('{{{0}}} takes {1} numbers, as {2} show.', text, count, placeholders.join(', ')),
  );
}

/** Both ends included. */
function wholeNumber([first = 0, last = 0]: readonly number[]): Filler {
  const low = Math.ceil(Math.min(first, last));
  const count = Math.floor(Math.max(first, last)) - low + 1;
  if (count < 1 || count > 2 ** 32) {
    throw new TemplateError(
      t('{{int {0} {1}}} has no whole number in it, or too many.', first, last),
    );
  }
  return ({ random }) => String(low + random.below(count));
}

function decimal([low = 0, high = 0, digits = 0]: readonly number[]): Filler {
  if (!Number.isInteger(digits) || digits < 0 || digits > 20) {
    throw new TemplateError(t('{{decimal}} takes 0 to 20 digits, not {0}.', digits));
  }
  const span = high - low;
  if (!Number.isFinite(span)) {
    throw new TemplateError(t('{{decimal {0} {1}}} spans more than a number can.', low, high));
  }
  return ({ random }) => (low + (random.below(2 ** 32) / (2 ** 32 - 1)) * span).toFixed(digits);
}
