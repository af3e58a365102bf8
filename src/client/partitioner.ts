/** The partition that Java's and kafkajs's default partitioners give a key: toPositive(murmur2(key)) % count. */
export function partitionForKey(_key: Uint8Array, _partitionCount: number): number {
  throw new Error('not there yet');
}
