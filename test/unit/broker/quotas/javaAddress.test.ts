import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { javaAddress } from '../../../../src/broker/quotas/javaAddress.ts';

describe('An address as Java reads it', () => {
  for (const [text, address] of [
    ['127.1', '127.0.0.1'],
    ['1.65535', '1.0.255.255'],
    ['010.08.0.1', '10.8.0.1'],
    ['LocalHost', '127.0.0.1'],
    ['[ABCD::00001]', 'abcd::1'],
    ['fe80::1%07', 'fe80::1'],
    ['::ffff:102:304', '1.2.3.4'],
  ] as const)
    it(`[A9] is ${address} of ${text}`, () => {
      assert.equal(javaAddress(text), address);
    });

  it('[A9] is none of a text longer than any address, however it is dotted', () => {
    assert.equal(javaAddress(`${'.'.repeat(32_000)}:`), undefined);
  });

  for (const text of ['0x7f.1', '1.2.3.256', '[1.2.3.4]', '::ffff:1.2.3.4%0', '::1%lo', 'host'])
    it(`[A9] is none of ${text}, which the name service or an interface would have to know`, () => {
      assert.equal(javaAddress(text), undefined);
    });
});
