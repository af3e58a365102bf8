import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { snappyCompress } from '@platformatic/wasm-utils/bundled';
import { seededRandom } from '../../../../src/base/random.ts';
import { compressLz4, decompressLz4 } from '../../../../src/protocol/records/lz4.ts';
import { OutputTooLargeError } from '../../../../src/protocol/records/outputTooLarge.ts';
import { compressSnappy, decompressSnappy } from '../../../../src/protocol/records/snappy.ts';

const codecs = [
  { name: 'snappy', compress: compressSnappy, decompress: decompressSnappy },
  { name: 'lz4', compress: compressLz4, decompress: decompressLz4 },
];
const plenty = 10_000_000;

function samples(): Buffer[] {
  const random = seededRandom(7);
  const words = Array.from({ length: 20_000 }, () => `word${random.below(50)} `).join('');
  return [
    Buffer.alloc(0),
    Buffer.from('a'),
    Buffer.from('abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc'),
    Buffer.alloc(300_000, 7),
    Buffer.from(words),
    Buffer.from(random.bytes(100_000)),
  ];
}

for (const { name, compress, decompress } of codecs) {
  describe(`${name} decompression`, () => {
    it('gives back what was compressed', () => {
      for (const sample of samples()) {
        assert.deepEqual(decompress(compress(sample), plenty), sample);
      }
    });

    it('takes no memory for more than it is allowed', () => {
      const bomb = compress(Buffer.alloc(5_000_000));
      assert.throws(() => decompress(bomb, 4_999_999), OutputTooLargeError);
    });

    it('only throws on damaged input, at whichever byte it is damaged', () => {
      const random = seededRandom(11);
      const whole = compress(Buffer.from('the quick brown fox, the quick brown dog, '.repeat(40)));
      for (let size = 0; size < whole.length; size++)
        attempt(() => decompress(whole.subarray(0, size), plenty));
      for (let i = 0; i < 3000; i++) {
        const damaged = Buffer.from(whole);
        damaged[random.below(damaged.length)] = random.below(256);
        attempt(() => assert.ok(decompress(damaged, plenty).length <= plenty));
      }
    });
  });
}

/** Either outcome is fine; a hang, a crash or an AssertionError is not. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
}

describe('snappy', () => {
  it('reads the raw block that librdkafka sends', () => {
    const sample = Buffer.from('raw raw raw raw raw raw block');
    assert.deepEqual(decompressSnappy(snappyCompress(sample), plenty), sample);
  });

  it('refuses a size that the block cannot hold', () => {
    assert.throws(() => decompressSnappy(Buffer.from('ffffffff0f00', 'hex'), 2 ** 33), /announced/);
  });
});
