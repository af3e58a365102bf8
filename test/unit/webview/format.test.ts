import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  formatDelta,
  formatInt64,
  formatSize,
  formatTimestamp,
  oneLine,
  showPayload,
} from '../../../webview/kit/format.ts';

describe('formatInt64', () => {
  it('is exact beyond 2^53, grouped, with a minus sign', () => {
    assert.equal(formatInt64('9223372036854775807'), '9,223,372,036,854,775,807');
    assert.equal(formatInt64('-3368'), '−3,368');
    assert.equal(formatInt64('0'), '0');
  });
});

describe('formatDelta', () => {
  for (const [delta, expected] of [
    ['550', '+550'],
    ['-3368', '−3,368'],
    ['0', '0'],
  ] as const) {
    it(`writes ${delta} as ${expected}`, () => assert.equal(formatDelta(delta), expected));
  }
});

describe('formatSize', () => {
  for (const [bytes, expected] of [
    [0, '0 bytes'],
    [1, '1 byte'],
    [9999, '9,999 bytes'],
    [10_000, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [1_234_567, '1.2 MB'],
    [5_000_000_000_000, '5000 GB'],
  ] as const) {
    it(`writes ${bytes} as ${expected}`, () => assert.equal(formatSize(bytes), expected));
  }
});

describe('formatTimestamp', () => {
  it('is local to the millisecond, in the long form with its zone and in UTC, once where that is the same', () => {
    const { TZ } = process.env;
    try {
      for (const [zone, long] of [
        ['Asia/Seoul', '2026-11-29T14:03:07.048+09:00 (2026-11-29T05:03:07.048Z)'],
        ['UTC', '2026-11-29T14:03:07.048Z'],
      ] as const) {
        process.env['TZ'] = zone;
        const date = new Date(2026, 10, 29, 14, 3, 7, 48);
        const formatted = formatTimestamp(String(date.getTime()));
        assert.deepEqual(formatted, { short: '14:03:07.048', long });
      }
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });

  it('says that there is no timestamp', () =>
    assert.deepEqual(formatTimestamp('-1'), {
      short: 'no time',
      long: 'The record has no timestamp (−1).',
    }));

  it('takes an int64 that no date can be', () =>
    assert.equal(formatTimestamp('9223372036854775807').short, 'bad time'));
});

describe('oneLine', () => {
  it('shows line breaks and escapes what would hide or turn text', () => {
    assert.equal(oneLine('a\r\nb\nc\rd\te'), 'a↵b↵c↵d e');
    assert.equal(oneLine('\0\x1b[31m\x7f\x85'), '\\u0000\\u001b[31m\\u007f\\u0085');
    assert.equal(oneLine('abc\u202edef\u2066'), 'abc\\u202edef\\u2066');
    assert.equal(oneLine('a\u2028b\u2029'), 'a\\u2028b\\u2029');
    assert.equal(oneLine('Løvenskiold 田中 🙂'), 'Løvenskiold 田中 🙂');
  });
});

describe('showPayload', () => {
  it('tells null, empty, text and bytes apart', () => {
    assert.deepEqual(showPayload({ kind: 'null' }, 'null (tombstone)'), {
      kind: 'null',
      text: '⌀ null (tombstone)',
    });
    assert.deepEqual(showPayload({ kind: 'empty' }), { kind: 'empty', text: 'empty' });
    assert.deepEqual(showPayload({ kind: 'text', text: 'null', size: 4, truncated: false }), {
      kind: 'text',
      text: 'null',
    });
    assert.deepEqual(showPayload({ kind: 'binary', hex: '00ff10', size: 90, truncated: true }), {
      kind: 'binary',
      text: 'hex 00 ff 10 …',
    });
  });

  it('says that a text goes on', () =>
    assert.equal(
      showPayload({ kind: 'text', text: 'abc', size: 9, truncated: true }).text,
      'abc…',
    ));
});
