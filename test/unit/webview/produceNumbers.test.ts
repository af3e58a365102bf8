import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCount, readRate, readTimestamp } from '../../../webview/produce/draftRules.ts';

describe('figures typed in the produce panel', () => {
  it('take a count up to ten million, grouped or not [E2]', () => {
    assert.equal(readCount(' 2,000 '), 2000);
    assert.equal(readCount('10000000'), 10_000_000);
    for (const wrong of ['', '0', '-1', '1.5', '10000001', 'many']) {
      assert.equal(readCount(wrong), undefined, wrong);
    }
  });

  it('take a rate, or nothing for no limit [E2]', () => {
    assert.equal(readRate(''), null);
    assert.equal(readRate('0.5'), 0.5);
    for (const wrong of ['0', '-1', 'fast', '1000001']) assert.equal(readRate(wrong), undefined);
  });

  it('take a timestamp as milliseconds or as a date and time, or nothing for now [E1]', () => {
    assert.equal(readTimestamp(' '), null);
    assert.equal(readTimestamp('-1'), '-1');
    assert.equal(readTimestamp('9223372036854775807'), '9223372036854775807');
    assert.equal(readTimestamp('2026-11-29 14:03:07.482Z'), '1795960987482');
    for (const wrong of ['noon', '2026-13-45', '1.5']) {
      assert.equal(readTimestamp(wrong), undefined, wrong);
    }
  });
});
