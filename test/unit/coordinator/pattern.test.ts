import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compilePattern } from '../../../src/coordinator/pattern.ts';

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
