import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { recordTime } from '../../../webview/tail/recordTime.ts';

const now = new Date(2026, 10, 30, 12).getTime();
const at = (...parts: [number, number, number, number, number, number, number]) =>
  recordTime(String(new Date(...parts).getTime()), now);

describe('the time in the row of a record', () => {
  it('is the time of day alone where that is today', () => {
    const { text, brief, hasDay } = at(2026, 10, 30, 9, 5, 7, 48);
    assert.deepEqual(
      { text, brief, hasDay },
      {
        ...{ text: '09:05:07.048', brief: '09:05:07.048', hasDay: false },
      },
    );
  });

  it('has the day of another, also where there is little room', () => {
    const { text, brief, hasDay } = at(2026, 10, 29, 9, 5, 7, 48);
    assert.deepEqual(
      { text, brief, hasDay },
      {
        ...{ text: '2026-11-29 09:05:07.048', brief: '11-29 09:05:07', hasDay: true },
      },
    );
    assert.equal(at(2001, 0, 3, 10, 30, 0, 0).brief, '2001-01-03 10:30');
  });

  it('is none where the record has none', () => {
    assert.equal(recordTime('-1', now).hasDay, false);
  });
});
