import type { Uuid } from '../../../base/uuid.ts';
import { xxh3 } from '../../../base/xxh3.ts';
import type { TopicDirectory } from '../../ports.ts';

/** Which way of hashing it is. */
const magic = 0;

/**
 * Tells by one number whether the topics that a group subscribes to have changed (KIP-1101). The numbers are
 * Kafka's own, as they are in the log. [Utils.computeTopicHash, computeGroupHash]
 */
export class MetadataHashes {
  readonly #directory: TopicDirectory;
  readonly #hashes = new Map<string, bigint>();

  constructor(directory: TopicDirectory) {
    this.#directory = directory;
  }

  /** Topics that are not there do not count. */
  of(topics: readonly string[]): bigint {
    const names = topics.filter((name) => this.#directory.topicId(name) !== undefined).sort();
    if (names.length === 0) return 0n;
    const bytes = Buffer.alloc(8 * names.length);
    names.forEach((name, index) => bytes.writeBigInt64LE(this.#ofTopic(name), 8 * index));
    return xxh3(bytes);
  }

  /** A topic has changed. */
  forget(topic: string): void {
    this.#hashes.delete(topic);
  }

  #ofTopic(name: string): bigint {
    let hash = this.#hashes.get(name);
    if (hash === undefined) {
      const topicId = this.#directory.topicId(name);
      const partitionCount = this.#directory.partitionCount(name);
      hash =
        topicId === undefined || partitionCount === undefined
          ? 0n
          : topicHash(name, topicId, partitionCount);
      this.#hashes.set(name, hash);
    }
    return hash;
  }
}

/** Kafka adds the racks of each partition's replicas; our brokers have none. */
function topicHash(name: string, topicId: Uuid, partitionCount: number): bigint {
  const id = Buffer.from(topicId, 'base64url');
  const head = Buffer.alloc(17);
  head.writeUInt8(magic);
  head.writeBigInt64LE(id.readBigInt64BE(0), 1);
  head.writeBigInt64LE(id.readBigInt64BE(8), 9);
  const numbers = Int32Array.of(name.length, partitionCount, ...Array(partitionCount).keys());
  const tail = Buffer.alloc(4 * numbers.length);
  numbers.forEach((value, index) => tail.writeInt32LE(value, 4 * index));
  return xxh3(Buffer.concat([head, Buffer.from(name, 'utf16le'), tail]));
}
