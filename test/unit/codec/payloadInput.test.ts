import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { encodePayload } from '../../../src/codec/payloadInput.ts';

type Kind = 'text' | 'json' | 'hex' | 'base64';

describe('what a person typed', () => {
  const good: [Kind, string, string][] = [
    ['text', '', ''],
    ['text', 'null', '6e756c6c'],
    ['text', 'é🐙', 'c3a9f09f9099'],
    ['json', '{"id": 12345678901234567890, "a":1.0}', ''],
    ['hex', '', ''],
    ['hex', 'DE ad:be\nef', 'deadbeef'],
    ['hex', '0xff00', 'ff00'],
    ['base64', '', ''],
    ['base64', '3q2+7w==', 'deadbeef'],
    ['base64', '3q2-7w', 'deadbeef'],
    ['base64', '3q2+\n7w==', 'deadbeef'],
  ];
  for (const [kind, text, hex] of good) {
    it(`is encoded exactly: ${kind} “${text}” [E1]`, () => {
      const encoded = encodePayload({ kind, text });
      assert.ok('bytes' in encoded);
      const expected = kind === 'json' ? Buffer.from(text) : Buffer.from(hex, 'hex');
      assert.deepEqual(encoded.bytes, expected);
    });
  }

  it('may be null, which is not empty [E1]', () => {
    assert.deepEqual(encodePayload({ kind: 'null' }), { bytes: null });
  });

  const bad: [Kind, string, RegExp][] = [
    ['text', '\ud800', /half of a character/],
    ['json', '', /empty/],
    ['json', '{"a":}', /JSON/],
    ['hex', 'abc', /3 digits/],
    ['hex', 'xy', /“x” is not/],
    ['base64', 'abcde', /not whole bytes/],
    ['base64', 'ab=', /not whole bytes/],
    ['base64', 'a*b=', /“\*” is not/],
    ['base64', 'ab=cd', /“=” is not/],
  ];
  for (const [kind, text, words] of bad) {
    it(`is refused in words: ${kind} ${JSON.stringify(text)} [E1]`, () => {
      const encoded = encodePayload({ kind, text });
      assert.ok('problem' in encoded);
      assert.match(encoded.problem, words);
    });
  }
});
