import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RE2JS } from 're2js';
import { requiredLiteral } from '../../../src/cluster/regexLiteral.ts';

describe('the text that a regular expression cannot do without', () => {
  const cases: [string, string][] = [
    ['O-9999[0-9]', 'O-9999'],
    ['"total":[0-9]{3,}', '"total":'],
    ['^abc$', 'abc'],
    ['ab*cd', 'cd'],
    ['abc+d', 'abc'],
    ['ab?c{0,3}', 'a'],
    ['a{2}bc', 'bc'],
    ['a\\.b\\/c', 'a.b/c'],
    ['\\d+ orders', ' orders'],
    ['(abc|x)yz(q)*', 'yz'],
    ['(?:[)(]|\\)) end', ' end'],
    ['[]a]bc', 'bc'],
    ['abc|def', ''],
    ['(?i)abc', ''],
    ['(?iiiiiiiiiiiiiiiiiiii)abc', ''],
    ['\\Qa+b\\E', ''],
    ['[[:alpha:]]abc', ''],
    ['Zürich', 'rich'],
    ['', ''],
  ];
  for (const [pattern, literal] of cases) {
    it(`of ${pattern === '' ? 'nothing' : pattern} is ${literal === '' ? 'unknown' : literal} [D4]`, () => {
      assert.equal(requiredLiteral(pattern), literal);
    });
  }

  it('stands in everything that matches, whatever the pattern [D4]', () => {
    const parts = ['a', 'b', '-', '\\.', '[ab]', '(ab|c)', '(b)?', '\\d', '^', '$', '.', '|', 'é'];
    const repeats = ['', '', '', '*', '+', '?', '{2}', '{0,1}', '+?', '{x'];
    const letters = ['a', 'b', '-', '.', '0', 'c', 'é', 'x', '{'];
    let state = 7;
    const below = (count: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % count;
    };
    const any = (of: readonly string[], most: number): string =>
      Array.from({ length: below(most + 1) }, () => of[below(of.length)]).join('');
    let matched = 0;
    for (let round = 0; round < 3000; round++) {
      const pattern = Array.from(
        { length: 1 + below(4) },
        () => (parts[below(parts.length)] ?? '') + (repeats[below(repeats.length)] ?? ''),
      ).join('');
      let compiled: RE2JS;
      try {
        compiled = RE2JS.compile(pattern);
      } catch {
        continue; // Such as a repeated repeat.
      }
      const literal = requiredLiteral(pattern);
      for (let text = 0; text < 10; text++) {
        const subject = any(letters, 6);
        if (!compiled.matcher(subject).find()) continue;
        matched++;
        assert.ok(subject.includes(literal), `${pattern} matches ${subject} without ${literal}`);
      }
    }
    assert.ok(matched > 1000, String(matched));
  });
});
