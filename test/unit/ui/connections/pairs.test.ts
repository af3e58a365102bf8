import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pairsProblem, pairsText, parsePairs } from '../../../../src/ui/connections/pairs.ts';

describe('names and values in one line', () => {
  it('are read as they were written [B1]', () => {
    const pairs = { logicalCluster: 'lkc-1', audience: 'https://a?b=c' };
    assert.deepEqual(parsePairs(pairsText(pairs)), pairs);
    assert.deepEqual(parsePairs(' a = b ,, c=d '), { a: 'b', c: 'd' });
    assert.deepEqual(parsePairs(''), {});
  });

  it('are each a name, an equals sign and a value [B1]', () => {
    for (const right of ['', 'a=b', 'a=b, c = d=e'])
      assert.equal(pairsProblem(right), undefined, right);
    for (const wrong of ['a', '=b', 'a=', 'a=b, c', 'a b=c'])
      assert.match(pairsProblem(wrong) ?? '', /is not name=value/, wrong);
  });
});
