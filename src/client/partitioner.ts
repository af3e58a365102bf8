/** Java's default partitioner, which kafkajs shares. [BuiltInPartitioner.partitionForKey] */

const seed = 0x9747b28c;
const multiplier = 0x5bd1e995;

/** The partition that Java and kafkajs give a key: toPositive(murmur2(key)) % count. */
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

function scramble(word: number): number {
  const mixed = Math.imul(word, multiplier);
  return Math.imul(mixed ^ (mixed >>> 24), multiplier);
}
