import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { durationText, grouped, listed } from '../../../src/ui/text.ts';

describe('numbers in words', () => {
  it('are grouped by thousands and exact beyond 2^53', () => {
    assert.equal(grouped(0n), '0');
    assert.equal(grouped(6667n), '6,667');
    assert.equal(grouped(9_223_372_036_854_775_807n), '9,223,372,036,854,775,807');
    assert.equal(grouped(9_007_199_254_740_993n), '9,007,199,254,740,993');
  });

  it('have a true minus sign', () => {
    assert.equal(grouped(-3368n), '−3,368');
  });

  it('list what there is, and say when there is nothing', () => {
    assert.equal(listed([0, 1, 2]), '0, 1, 2');
    assert.equal(listed([]), 'none');
  });

  it('count time in days at most', () => {
    assert.equal(durationText(7 * 86_400_000), '7d');
    assert.equal(durationText(36 * 3_600_000), '1d 12h');
    assert.equal(durationText(0), '0s');
  });
});
