import { compilePattern, type Pattern } from '../../coordinator/pattern.ts';
import { BrokerConfigError } from '../config/brokerConfigs.ts';
import { ClosingError } from '../requestError.ts';

/** What a rule makes of a name; undefined: it does not fit. */
type Rule = (name: string) => string | undefined;

/** `DEFAULT`, or `RULE:pattern/replacement/` with `L` or `U`; then a comma or the end. */
const ruleText =
  /\s*(?:(?:DEFAULT|RULE:(?<pattern>(?:\\.|[^\\/])*)\/(?<replacement>(?:\\.|[^\\/])*)\/(?<letters>[LU]?))\s*)?(?:,|$)/y;

/**
 * Who somebody is by the distinguished name in their certificate: the first rule that fits says. Patterns are RE2's,
 * not Java's: names come from outside. Throws a BrokerConfigError; what it returns throws a ClosingError where no
 * rule fits. [SslPrincipalMapper, KIP-371]
 */
export function principalMapping(rules: string): (distinguishedName: string) => string {
  const parsed = parseRules(rules);
  return (distinguishedName) => {
    for (const rule of parsed) {
      const name = rule(distinguishedName);
      if (name !== undefined) return name;
    }
    throw new ClosingError(`no rule of ssl.principal.mapping.rules fits ${distinguishedName}`);
  };
}

function parseRules(text: string): Rule[] {
  const parsed: Rule[] = [];
  for (let at = 0; at < text.length;) {
    ruleText.lastIndex = at;
    const match = ruleText.exec(text);
    if (match === null || match[0] === '')
      throw new BrokerConfigError(
        `ssl.principal.mapping.rules: "${text.slice(at)}" is neither DEFAULT nor RULE:pattern/replacement/[LU]`,
      );
    at += match[0].length;
    const { pattern, replacement = '', letters = '' } = match.groups ?? {};
    if (pattern !== undefined) parsed.push(rule(compiled(pattern), replacement, letters));
    else if (match[0].includes('DEFAULT')) parsed.push((name) => name);
  }
  return parsed;
}

function compiled(text: string): Pattern {
  const result = compilePattern(text);
  if ('pattern' in result) return result.pattern;
  throw new BrokerConfigError(
    `ssl.principal.mapping.rules: ${text} is no pattern: ${result.problem}`,
  );
}

function rule(pattern: Pattern, replacement: string, letters: string): Rule {
  const filled = withoutUnknownGroups(replacement, pattern.groupCount());
  return (name) => {
    if (!pattern.matcher(name).matches()) return undefined;
    if (filled === undefined)
      throw new ClosingError(`${replacement} in ssl.principal.mapping.rules names no group`);
    const mapped = pattern.matcher(name).replaceAll(filled, true);
    if (letters === '') return mapped;
    return letters === 'L' ? mapped.toLowerCase() : mapped.toUpperCase();
  };
}

/**
 * `$4` stands for itself where there is no fourth group; `$12` is then group 1 and a 2. A pattern without groups has
 * its replacement as it stands: with a `$1` it is one that lets nobody in. Undefined: neither does it with a number
 * that is no int. [SslPrincipalMapper.escapeLiteralBackReferences]
 */
function withoutUnknownGroups(replacement: string, groupCount: number): string | undefined {
  if (groupCount === 0) return replacement;
  let value = replacement;
  for (const { index, 1: digits } of replacement.matchAll(/\$([1-9]\d*)/g)) {
    let group = Number(digits);
    if (group >= 2 ** 31) return undefined;
    while (group > groupCount && group >= 10) group = Math.floor(group / 10);
    // Java's offsets are those of the replacement as it was: the second backslash comes one place early, and so on.
    if (group > groupCount) value = `${value.slice(0, index)}\\${value.slice(index)}`;
  }
  return value;
}
