import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  fnv1a,
  keyPartitioners,
  murmur2,
  partitionForKey,
} from '../../../src/client/partitioner.ts';

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

describe('fnv1a', () => {
  // From the authors' own test vectors.
  const hashes: [string, number][] = [
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ];
  for (const [key, hash] of hashes) {
    it(`hashes “${key}” as its authors do [E1]`, () => {
      assert.equal(fnv1a(Buffer.from(key)), hash);
    });
  }
});

describe('the partitioners of client libraries', () => {
  const choices = (key: string): (number | null)[] =>
    keyPartitioners.map(({ partitionFor }) => partitionFor(Buffer.from(key), 7));

  it('choose by murmur2, CRC-32 and FNV-1a [E1]', () => {
    assert.deepEqual(choices('foobar'), [
      (-790332482 & 0x7fffffff) % 7,
      0x9ef61f95 % 7,
      Math.abs((0xbf9cf968 | 0) % 7),
    ]);
  });

  it('of librdkafka chooses at random for an empty key, where the others hash it [E1]', () => {
    assert.deepEqual(
      choices('').map((partition) => partition === null),
      [false, true, false],
    );
  });
});
