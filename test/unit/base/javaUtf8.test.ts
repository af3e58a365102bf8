import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeUtf8 } from '../../../src/base/javaUtf8.ts';

// What new String(bytes, UTF_8) of Java 17 makes of them; "?" stands for U+FFFD.
const cases: readonly (readonly [hex: string, text: string])[] = [
  ['', ''],
  ['61c3a9f09f9880', 'aé😀'],
  ['eda080', '?'],
  ['eda0bdedb880', '??'],
  ['eda041', '?A'],
  ['edbf', '?'],
  ['ed9fbf', '\ud7ff'],
  ['ed', '?'],
  ['28f47feda0', '(?\u007f?'],
  ['edf3eeedad', '????'],
  ['a3edbfa08ff097', '????'],
  ['edeea0', '??'],
  ['efbfbdeda080ed', '???'],
];

describe('text that is no UTF-8', () => {
  for (const [hex, text] of cases)
    it(`is read as by Java: ${hex || 'none'}`, () => {
      assert.equal(decodeUtf8(Buffer.from(hex, 'hex')), text.replaceAll('?', '\ufffd'));
    });

  it('is read within its bounds', () => {
    assert.equal(decodeUtf8(Buffer.from('aa61eda080aa', 'hex'), 1, 5), 'a\ufffd');
    assert.equal(decodeUtf8(Buffer.from('61eda080', 'hex'), 1, 3), '\ufffd');
  });
});
