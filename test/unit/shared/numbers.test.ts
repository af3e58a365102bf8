import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { groupThousands } from '../../../src/shared/numbers.ts';

describe('groupThousands', () => {
  const cases: [string | number | bigint, string][] = [
    [0, '0'],
    [-1, '-1'],
    [999, '999'],
    [1000, '1,000'],
    [-123456, '-123,456'],
    ['9007199254740993', '9,007,199,254,740,993'],
    [2n ** 63n - 1n, '9,223,372,036,854,775,807'],
    [-(2n ** 63n), '-9,223,372,036,854,775,808'],
  ];
  for (const [given, expected] of cases) {
    it(`writes ${given} as ${expected}`, () => assert.equal(groupThousands(given), expected));
  }
});
