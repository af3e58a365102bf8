import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { speak, spoken, t } from '../../../src/base/l10n.ts';

describe('words', () => {
  const english = spoken();
  afterEach(() => speak(english));

  it('are English until another language is spoken [K3]', () => {
    assert.equal(t('Delete topic {0}?', 'orders'), 'Delete topic orders?');
    speak({ tag: 'ko', words: { 'Delete topic {0}?': '토픽 {0}: 삭제할까요?' } });
    assert.equal(t('Delete topic {0}?', 'orders'), '토픽 orders: 삭제할까요?');
    assert.equal(spoken().tag, 'ko');
  });

  it('are English where the language has none, whatever they are called [K3]', () => {
    speak({ tag: 'ko', words: { 'Not yet': '' } });
    assert.equal(t('Not yet'), 'Not yet');
    assert.equal(t('toString'), 'toString');
  });

  it('may put values into another order, twice, or leave one out [K3]', () => {
    speak({ tag: 'ko', words: { '{0} of {1}': '{1} 중 {0}', '{0} and {1}': '{1}, {1}' } });
    assert.equal(t('{0} of {1}', 3, 20n), '20 중 3');
    assert.equal(t('{0} and {1}', 'a', 'b'), 'b, b');
  });

  it('take a value as it is, even if it looks like a place for one', () => {
    assert.equal(t('{0} {1} {2}', '{1}', '$&'), '{1} $& {2}');
  });
});
