/** A piece of a pattern: an escape, a class, a counted repetition, or a character. */
const piece =
  /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(?<least>\d+)(?:,(?<most>\d*))?\}|./gsu;

/**
 * How many pieces a pattern of RE2 has once what is repeated by count is written out, about: `(ab{10}){20}` has 220.
 * Compiling it takes time and memory with that, and matching time with that for each character.
 */
export function patternCost(pattern: string): number {
  const outer: number[] = [];
  let total = 0;
  let last = 0;
  for (const { 0: text, groups } of pattern.matchAll(piece)) {
    const { least, most } = groups ?? {};
    if (text === '(') {
      outer.push(total);
      total = 0;
      last = 0;
    } else if (text === ')') {
      last = total;
      total += outer.pop() ?? 0;
    } else if (least !== undefined) {
      const repeated = last * Math.max(Number(least), Number(most || 0), 1);
      total += repeated - last;
      last = repeated;
    } else {
      last = 1;
      total++;
    }
  }
  return total + outer.reduce((sum, each) => sum + each, 0);
}
