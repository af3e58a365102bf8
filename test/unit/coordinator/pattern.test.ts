import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compilePattern, matchesWhole } from '../../../src/coordinator/pattern.ts';

describe('a pattern of a client', () => {
  it('is in RE2’s syntax, and matches the whole name [A7]', () => {
    const compiled = compilePattern('orders-.*');
    assert.ok('pattern' in compiled);
    assert.equal(compiled.pattern.matches('orders-1'), true);
    assert.equal(compiled.pattern.matches('my-orders-1'), false);
  });

  for (const [name, text] of [
    ['an open bracket', '('],
    ['a reference back, which RE2 does not have', String.raw`(a)\1`],
    ['a pattern that would take long to compile', `[${String.raw`\pL`.repeat(10_000)}]`],
  ] as const) {
    it(`refuses ${name} and says why [A7]`, () => {
      const compiled = compilePattern(text);
      assert.ok('problem' in compiled && compiled.problem.length > 0);
    });
  }
});

describe('a pattern that is held against a text of a client', () => {
  const patternOf = (text: string) => {
    const compiled = compilePattern(text);
    assert.ok('pattern' in compiled);
    return compiled.pattern;
  };

  it('[A3] has to match all of it', () => {
    assert.equal(matchesWhole(patternOf('[a-z]+'), 'a'.repeat(10_000)), true);
    assert.equal(matchesWhole(patternOf('[a-z]+'), 'abc1'), false);
  });

  it('[A3] is not tried where pattern and text together would take seconds', () => {
    const letters = '\\pL'.repeat(500);
    assert.equal(matchesWhole(patternOf(letters), 'a'.repeat(500)), true);
    assert.equal(matchesWhole(patternOf(`(${letters})+`), 'a'.repeat(32_500)), false);
  });
});
