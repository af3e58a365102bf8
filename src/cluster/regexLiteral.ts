/** Letters that stand for one character or place after a backslash, and take nothing more. */
const simpleEscapes = new Set('dDwWsSbBAzntrfva');
const flagsAlone = /\(\?[a-zA-Z-]*\)/y;
const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

/**
 * Text that stands in everything that an RE2 expression matches: the longest run of plain ASCII characters that no part
 * of it makes optional. Empty where there is none, or where too much would have to be understood to be sure. So most
 * texts can be passed over without running the expression, as RE2's own prefilter does.
 */
export function requiredLiteral(pattern: string): string {
  let longest = '';
  let run = '';
  const endRun = (): void => {
    if (run.length > longest.length) longest = run;
    run = '';
  };
  for (let at = 0; at < pattern.length;) {
    const part = nextPart(pattern, at);
    if (!part) return '';
    at = part.end;
    const repeat = quantifier.exec(pattern.slice(at, at + 16))?.[0] ?? '';
    at += repeat.length;
    const isOnce = repeat === '';
    if (part.literal !== undefined && isOnce) {
      run += part.literal;
      continue;
    }
    // One that comes at least once ends the run that it is in.
    if (part.literal !== undefined && repeat.startsWith('+')) run += part.literal;
    endRun();
  }
  endRun();
  return longest;
}

interface Part {
  readonly end: number;
  /** A character that stands for itself. */
  readonly literal?: string;
}

/** Undefined: nothing can be said of the pattern. */
function nextPart(pattern: string, at: number): Part | undefined {
  const character = pattern[at] ?? '';
  switch (character) {
    case '|':
    case ')':
      return undefined;
    case '\\':
      return escapePart(pattern, at);
    case '[': {
      const end = classEnd(pattern, at);
      return end === undefined ? undefined : { end };
    }
    case '(':
      return groupPart(pattern, at);
    case '^':
    case '$':
    case '.':
    case '{':
    case '*':
    case '+':
    case '?':
      return { end: at + 1 };
    default:
      return /[\x20-\x7e]/.test(character) ? { end: at + 1, literal: character } : { end: at + 1 };
  }
}

function escapePart(pattern: string, at: number): Part | undefined {
  const escaped = pattern[at + 1] ?? '';
  if (simpleEscapes.has(escaped)) return { end: at + 2 };
  return /[^\w\s]/.test(escaped) && escaped < '\x7f'
    ? { end: at + 2, literal: escaped }
    : undefined;
}

/** Where a class ends; undefined: not sure. */
function classEnd(pattern: string, at: number): number | undefined {
  let end = at + 1;
  if (pattern[end] === '^') end++;
  if (pattern[end] === ']') end++;
  for (; end < pattern.length; end++) {
    const character = pattern[end];
    if (character === '[') return undefined;
    if (character === '\\') end++;
    else if (character === ']') return end + 1;
  }
  return undefined;
}

/** A group is passed over whole; one that sets flags for what follows is not understood. */
function groupPart(pattern: string, at: number): Part | undefined {
  flagsAlone.lastIndex = at;
  if (flagsAlone.test(pattern)) return undefined;
  let depth = 0;
  for (let end = at; end < pattern.length;) {
    const character = pattern[end];
    if (character === '\\') {
      if (pattern[end + 1] === 'Q') return undefined;
      end += 2;
      continue;
    }
    if (character === '[') {
      const after = classEnd(pattern, end);
      if (after === undefined) return undefined;
      end = after;
      continue;
    }
    if (character === '(') depth++;
    if (character === ')' && --depth === 0) return { end: end + 1 };
    end++;
  }
  return undefined;
}
