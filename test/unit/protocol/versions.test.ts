import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { includesVersion, parseVersions } from '../../../src/protocol/versions.ts';

describe('version ranges', () => {
  it('are one version, two bounds, open, or none', () => {
    assert.deepEqual(parseVersions('3'), { min: 3, max: 3 });
    assert.deepEqual(parseVersions('0-12'), { min: 0, max: 12 });
    assert.deepEqual(parseVersions('4+'), { min: 4, max: 32767 });
    assert.equal(includesVersion('none', 0), false);
  });

  it('in any other form are an error in the program', () => {
    for (const text of ['', '4-', '-1', 'x', '1 - 2']) {
      assert.throws(() => parseVersions(text), { name: 'AssertionError' });
    }
  });
});
