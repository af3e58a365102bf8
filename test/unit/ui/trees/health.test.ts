import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isLagging } from '../../../../src/ui/trees/health.ts';

describe('a lag in the tree', () => {
  const cases: [lag: bigint | null, threshold: number, expected: boolean][] = [
    [99n, 100, false],
    [100n, 100, true],
    [100n, 100.5, false],
    [101n, 100.5, true],
    [2n ** 62n, 1e300, false],
    [2n ** 62n, Infinity, false],
    [2n ** 62n, 0, false],
    [null, 1, false],
  ];
  for (const [lag, threshold, expected] of cases) {
    it(`of ${lag} ${expected ? 'is' : 'is not'} too much for a threshold of ${threshold} [C3]`, () => {
      assert.equal(isLagging(lag, threshold), expected);
    });
  }
});
