import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { crc32c } from '../../../src/protocol/crc32c.ts';

/** The definition, bit by bit. */
function byDefinition(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}

describe('CRC-32C', () => {
  it('gives the check values of RFC 3720 and of the catalogue', () => {
    assert.equal(crc32c(Buffer.from('123456789')), 0xe3069283);
    assert.equal(crc32c(Buffer.alloc(32)), 0x8a9136aa);
    assert.equal(crc32c(Buffer.alloc(32, 0xff)), 0x62a8ab43);
    assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e);
    assert.equal(crc32c(Buffer.alloc(0)), 0);
  });

  it('agrees with its definition at every length and alignment', () => {
    const bytes = seededRandom(1).bytes(400);
    for (let start = 0; start < 20; start++) {
      for (let end = start; end < 400; end += 7) {
        const piece = bytes.subarray(start, end);
        assert.equal(crc32c(piece), byDefinition(piece), `${start} to ${end}`);
      }
    }
  });

  it('can be taken piece by piece', () => {
    const bytes = seededRandom(2).bytes(1000);
    for (const cut of [0, 1, 63, 64, 500, 999]) {
      const first = crc32c(bytes.subarray(0, cut));
      assert.equal(crc32c(bytes.subarray(cut), first), crc32c(bytes));
    }
  });
});
