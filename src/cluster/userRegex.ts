import { RE2JS } from 're2js';
import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import { filterLengthMax } from '../shared/tailFilter.ts';
import { ProblemError } from './problems.ts';

const regexFlags: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/**
 * A regular expression that a person typed. RE2 takes time in proportion to the text, whatever the expression: nobody's
 * pattern can hang it. Throws a ProblemError for what cannot be read.
 */
export function compileRegex(pattern: string, flags: string): RE2JS {
  if (pattern.length > filterLengthMax) throw new ProblemError(t('the expression is too long'));
  const bits = Object.entries(regexFlags).reduce(
    (sum, [flag, bit]) => (flags.includes(flag) ? sum | bit : sum),
    0,
  );
  try {
    return RE2JS.compile(pattern, bits);
  } catch (error) {
    const reason = errorMessage(error);
    throw new ProblemError(
      t('This regular expression cannot be read: {0}', reason),
      t('The syntax is RE2’s, which has no look-around and no back references.'),
    );
  }
}
