import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PrefixIndex } from '../../../../../src/broker/security/authorizer/prefixIndex.ts';

describe('an index by prefix', () => {
  it('[A9] finds every beginning of a name, also where texts have the same hash', () => {
    const index = new PrefixIndex<string>();
    for (const prefix of ['Aa', 'BB', 'AaAa', 'BBBB', 'AaBB', 'A', 'z']) index.set(prefix, prefix);
    assert.deepEqual([...index.beginningsOf('AaBBx')], ['A', 'Aa', 'AaBB']);
    assert.deepEqual([...index.beginningsOf('BBAa')], ['BB']);
    assert.deepEqual([...index.beginningsOf('')], []);
    index.delete('Aa');
    index.delete('unknown');
    assert.deepEqual([...index.beginningsOf('AaBBx')], ['A', 'AaBB']);
    assert.deepEqual([index.get('BB'), index.get('Aa')], ['BB', undefined]);
  });
});
