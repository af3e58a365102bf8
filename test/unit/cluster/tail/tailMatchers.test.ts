import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plainMatcher } from '../../../../src/cluster/tail/tailMatchers.ts';
import type { KafkaRecord } from '../../../../src/protocol/records/recordReader.ts';

const TEXTS = [
  'O-9999 and more',
  'o-9999',
  'O-999',
  'x-9999O-9998',
  'STRASSE straße Straſſe',
  'Kelvin \u212a and \u0130stanbul',
  'a.b*c[d]^e$f(g)|h\\i/j{k}',
  'A.B*C[D]^E$F(G)|H\\I/J{K}',
  'axb*c',
  '42',
  ' ',
];
const NEEDLES = [
  ...['o-9999', 'O-9999', '-9999', '9999', '9', 'ss', 'ſ', 'ß', 'k', 'K', 'i', 'istanbul', ' '],
  ...['a.b*c', '[d]^e$', '(g)|h\\i/j{k}', '.', '\\', 'kelvin k', 'O-9999 And'],
];

describe('matchers of text', () => {
  it('find in bytes what JavaScript finds in small letters, with or without letters in it [D4]', () => {
    const records = TEXTS.map((text, i) => ({ partition: 0, record: record(text, i) }));
    for (const needle of NEEDLES) {
      const matcher = plainMatcher({ kind: 'text', text: needle }, {});
      const expected = TEXTS.map((text) => text.toLowerCase().includes(needle.toLowerCase()));
      assert.deepEqual(matcher.match(records), expected, needle);
    }
  });
});

function record(text: string, offset: number): KafkaRecord {
  const value = Buffer.from(text);
  return { offset: BigInt(offset), timestamp: 0n, key: null, value, headers: [] };
}
