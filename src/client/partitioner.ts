/** The partition that each kind of client gives a key by default. */
import { crc32 } from 'node:zlib';

/** Client libraries that agree, and how they choose. Names are those of their default partitioners. */
export interface KeyPartitioner {
  readonly clients: string;
  readonly hash: string;
  /** Null: at random. */
  readonly partitionFor: (key: Uint8Array, partitionCount: number) => number | null;
}

export const keyPartitioners: readonly KeyPartitioner[] = [
  {
    // [BuiltInPartitioner.partitionForKey; kafkajs DefaultPartitioner; franz-go StickyKeyPartitioner]
    clients: 'Java, kafkajs, kafka-python, franz-go',
    hash: 'murmur2',
    partitionFor: partitionForKey,
  },
  {
    // Its default, consistent_random, takes an empty key for no key. [rdkafka_msg.c]
    clients: 'librdkafka: kcat, confluent-kafka',
    hash: 'CRC-32',
    partitionFor: (key, count) => (key.length === 0 ? null : crc32(key) % count),
  },
  {
    // [NewHashPartitioner]
    clients: 'sarama',
    hash: 'FNV-1a',
    partitionFor: (key, count) => Math.abs((fnv1a(key) | 0) % count),
  },
];

const seed = 0x9747b28c;
const multiplier = 0x5bd1e995;

/** As Java's default partitioner: toPositive(murmur2(key)) % count. [BuiltInPartitioner.partitionForKey] */
export function partitionForKey(key: Uint8Array, partitionCount: number): number {
  return (murmur2(key) & 0x7fffffff) % partitionCount;
}

/** Austin Appleby's 32-bit murmur2 with Kafka's seed, as a signed number. [Utils.murmur2] */
export function murmur2(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wholeWords = bytes.length & ~3;
  let hash = seed ^ bytes.length;
  for (let at = 0; at < wholeWords; at += 4) {
    hash = Math.imul(hash, multiplier) ^ scramble(view.getInt32(at, true));
  }
  const left = bytes.length - wholeWords;
  if (left >= 3) hash ^= view.getUint8(wholeWords + 2) << 16;
  if (left >= 2) hash ^= view.getUint8(wholeWords + 1) << 8;
  if (left >= 1) hash = Math.imul(hash ^ view.getUint8(wholeWords), multiplier);
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}

/** The 32-bit FNV-1a hash, unsigned. */
export function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function scramble(word: number): number {
  const mixed = Math.imul(word, multiplier);
  return Math.imul(mixed ^ (mixed >>> 24), multiplier);
}
