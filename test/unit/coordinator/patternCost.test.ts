import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compilePattern } from '../../../src/coordinator/pattern.ts';
import { patternCost } from '../../../src/coordinator/patternCost.ts';

describe('what a pattern costs', () => {
  for (const [pattern, cost] of [
    ['', 0],
    ['orders-.*', 9],
    ['x{1000}x{10,20}', 1020],
    ['[a-z{9}]{1,249}', 249],
    ['(?:ab{10}){20}c', 261],
    ['((a{10}){10}){10}', 1000],
    ['\\d{4}\\{9}', 7],
    ['a{3,}', 3],
    ['[]()]{5}', 5],
    ['(a{10}', 10],
  ] as const)
    it(`[A7] is ${cost} for "${pattern}"`, () => assert.equal(patternCost(pattern), cost));

  it('[A7] is bounded before it is compiled', () => {
    const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
    for (const allowed of [uuid, '[a-zA-Z0-9._-]{1,249}', 'x'.repeat(2048)])
      assert.ok('pattern' in compilePattern(allowed), allowed);
    for (const refused of ['x{1000}'.repeat(3), '\\pL{1000}'.repeat(200), '(.{60}){60}'])
      assert.ok('problem' in compilePattern(refused), refused);
  });
});
