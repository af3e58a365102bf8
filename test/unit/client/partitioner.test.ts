import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { murmur2, partitionForKey } from '../../../src/client/partitioner.ts';

describe('murmur2', () => {
  // From Kafka's own UtilsTest.
  const hashes: [string, number][] = [
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ];
  for (const [key, hash] of hashes) {
    it(`hashes “${key}” as Kafka does [E1]`, () => {
      assert.equal(murmur2(Buffer.from(key)), hash);
    });
  }

  it('reads a key that lies anywhere in its memory', () => {
    const memory = Buffer.from('xxabcxx');
    assert.equal(murmur2(memory.subarray(2, 5)), 479470107);
  });
});

describe('the partition for a key', () => {
  it('is never negative, and stays below the count', () => {
    for (let index = 0; index < 500; index++) {
      const partition = partitionForKey(Buffer.from(`key ${index}`), 7);
      assert.ok(partition >= 0 && partition < 7);
    }
  });
});
