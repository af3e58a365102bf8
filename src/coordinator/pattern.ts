import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { patternCost } from './patternCost.ts';

/** Compiling takes time and memory with a pattern's length, though matching does not; Kafka has no such limit. */
const mostPatternChars = 2048;
/** Of repetitions written out: `[a-z]{1,249}` has 249. Kafka has no such limit. */
const mostCost = 2048;

export type Pattern = RE2JS;

/** States of a pattern by characters of a text: this many take about 25 ms. */
const mostWork = 1 << 18;

/**
 * Whether all of a text is as the pattern says; a text that is too long for the pattern is not. Kafka has no such
 * limit.
 */
export function matchesWhole(pattern: Pattern, text: string): boolean {
  return pattern.programSize() * text.length <= mostWork && pattern.matches(text);
}

/** A pattern of a client, in RE2's syntax as Kafka has it; or, in words, why it is none. */
export function compilePattern(
  text: string,
): { readonly pattern: Pattern } | { readonly problem: string } {
  if (text.length > mostPatternChars) {
    return { problem: `it has ${text.length} characters, and ${mostPatternChars} are allowed` };
  }
  if (patternCost(text) > mostCost) {
    return { problem: `it repeats more than ${mostCost} characters by their count` };
  }
  try {
    return { pattern: RE2JS.compile(text) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const isSyntax = error instanceof RE2JSSyntaxException;
    return { problem: isSyntax ? error.getDescription() : error.message };
  }
}
