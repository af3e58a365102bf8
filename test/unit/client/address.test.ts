import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatAddress, parseAddress } from '../../../src/client/address.ts';

describe('an address', () => {
  for (const text of ['localhost:9092', '127.0.0.1:1', '[::1]:65535', 'kafka-1.example.com:9093']) {
    it(`is read and written the same: ${text}`, () => {
      assert.equal(formatAddress(parseAddress(text)), text);
    });
  }

  for (const text of [
    '',
    'localhost',
    'localhost:',
    ':9092',
    'localhost:0',
    'a:65536',
    '::1:9092',
    'a b:1',
  ]) {
    it(`is refused with what to write: “${text}”`, () => {
      assert.throws(() => parseAddress(text), /write host:port/);
    });
  }
});
