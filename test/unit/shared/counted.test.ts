import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { speak, spoken } from '../../../src/base/l10n.ts';
import { counted } from '../../../src/shared/counted.ts';

describe('counts', () => {
  const english = spoken();
  afterEach(() => speak(english));

  it('agree with their noun', () => {
    assert.equal(counted(1, 'partition'), '1 partition');
    assert.equal(counted('1', 'record'), '1 record');
    assert.equal(counted(0, 'record'), '0 records');
    assert.equal(counted(20_000n, 'record'), '20,000 records');
  });

  it('are said in the language, with the same figures [K3]', () => {
    speak({ tag: 'ko', words: { '{0} records': '레코드 {0}개' } });
    assert.equal(counted(20_000n, 'record'), '레코드 20,000개');
  });
});
