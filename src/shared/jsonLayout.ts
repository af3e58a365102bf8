/**
 * JSON laid out for reading, without ever turning a number into one: digits, escapes, duplicate keys and
 * their order stay as the record has them.
 */

export interface JsonToken {
  readonly kind: 'key' | 'string' | 'number' | 'literal' | 'punctuation' | 'space';
  readonly text: string;
}

const BARE = /-?\d[\d.eE+-]*|true|false|null|[[\]{},:]/y;
const INDENT = 2;
/** Deeper levels are not indented further, or nested brackets would write the square of their number. */
const INDENT_LEVELS_MAX = 64;

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether `text` is a JSON object or array: worth laying out. */
export function isJsonContainer(text: string): boolean {
  return /^\s*[[{]/.test(text) && isJson(text);
}

/** The tokens of `text`, with line breaks and indentation between them. `text` must be JSON. */
export function* layOutJson(text: string): Generator<JsonToken> {
  let depth = 0;
  let previous = '';
  for (const token of tokens(text)) {
    const afterOpening = previous === '{' || previous === '[';
    if (token.text === '}' || token.text === ']') {
      depth--;
      if (!afterOpening) yield newLine(depth);
    } else if (afterOpening || previous === ',') {
      yield newLine(depth);
    }
    yield token;
    if (token.text === ':') yield { kind: 'space', text: ' ' };
    if (token.text === '{' || token.text === '[') depth++;
    previous = token.kind === 'punctuation' ? token.text : 'value';
  }
}

function newLine(depth: number): JsonToken {
  return { kind: 'space', text: `\n${' '.repeat(Math.min(depth, INDENT_LEVELS_MAX) * INDENT)}` };
}

function* tokens(text: string): Generator<JsonToken> {
  const space = /\s*/y;
  for (let position = 0; ;) {
    space.lastIndex = position;
    space.exec(text);
    const start = space.lastIndex;
    if (start >= text.length) return;
    const isString = text[start] === '"';
    const end = isString ? endOfString(text, start) : endOfBare(text, start);
    const token = text.slice(start, end);
    yield { kind: isString ? stringKind(text, end) : bareKind(token), text: token };
    position = end;
  }
}

/** By hand: an expression would need a stack as deep as the string is long. */
function endOfString(text: string, start: number): number {
  for (let quote = start + 1; ; quote++) {
    quote = text.indexOf('"', quote);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function endOfBare(text: string, start: number): number {
  BARE.lastIndex = start;
  return BARE.exec(text) ? BARE.lastIndex : start + 1;
}

function bareKind(token: string): JsonToken['kind'] {
  if (/^[-\d]/.test(token)) return 'number';
  return /^[a-z]/.test(token) ? 'literal' : 'punctuation';
}

/** Outside of an object no string can stand before a colon. */
function stringKind(text: string, end: number): JsonToken['kind'] {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  return colon.test(text) ? 'key' : 'string';
}

/** The whole text, laid out. `text` must be JSON. */
export function prettyJson(text: string): string {
  return Array.from(layOutJson(text), (token) => token.text).join('');
}
