import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { sortedInSteps } from '../../../src/base/sortedInSteps.ts';
import { inOneGo } from '../../../src/base/turns.ts';

describe('sortedInSteps', () => {
  it('gives what sort gives, whatever the length', () => {
    const random = seededRandom(1);
    for (const length of [0, 1, 255, 256, 257, 511, 512, 513, 1000, 5000]) {
      const texts = Array.from({ length }, () => `${random.below(2000)}é${random.below(9)}`);
      assert.deepEqual(inOneGo(sortedInSteps(texts)), [...texts].sort(), `${length} texts`);
    }
  });

  it('does no more than a few hundred comparisons a step', () => {
    const steps = sortedInSteps(Array.from({ length: 10_000 }, (_, index) => `t${index % 977}`));
    let count = 0;
    while (steps.next().done !== true) count++;
    assert.ok(count > 10_000, `${count} steps`);
  });
});
