import type { Steps } from '../../base/turns.ts';
import type { PartitionFetch, PartitionRead } from './partitionFetch.ts';

/** The epoch of a fetch that wants a new session. [FetchMetadata] */
export const initialEpoch = 0;
/** The epoch of a fetch that wants none. */
export const finalEpoch = -1;
const largestEpoch = 2 ** 31 - 1;

export function nextEpoch(epoch: number): number {
  if (epoch < 0) return finalEpoch;
  return epoch === largestEpoch ? 1 : epoch + 1;
}

const unknownOffset = -1n;

/** A partition of a session: what the client asks of it, and what it was told last. */
interface SessionPartition {
  fetch: PartitionFetch;
  highWatermark: bigint;
  logStartOffset: bigint;
}

export interface FetchSessionOptions {
  readonly id: number;
  /** A follower's: those are kept before any consumer's. */
  readonly isPrivileged: boolean;
  readonly usesTopicIds: boolean;
  readonly nowMs: number;
}

/**
 * What a client need not say again with each fetch. Partitions stand in the order in which they are read next:
 * one that gave records goes to the end, so that none starves. [FetchSession, KIP-227]
 */
export class FetchSession {
  readonly id: number;
  readonly isPrivileged: boolean;
  readonly usesTopicIds: boolean;
  readonly createdMs: number;
  /** The epoch that the next fetch has to show. */
  epoch = nextEpoch(initialEpoch);
  readonly #partitions = new Map<string, SessionPartition>();
  #heapBytes = 0;

  constructor({ id, isPrivileged, usesTopicIds, nowMs }: FetchSessionOptions) {
    this.id = id;
    this.isPrivileged = isPrivileged;
    this.usesTopicIds = usesTopicIds;
    this.createdMs = nowMs;
  }

  get size(): number {
    return this.#partitions.size;
  }

  /** What its partitions take, by estimate. */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  /** Begins with what the full answer says, in its order. */
  *begin(reads: readonly PartitionRead[]): Steps<void> {
    for (const { fetch, offsets } of reads) {
      const { highWatermark = unknownOffset, logStartOffset = unknownOffset } = offsets ?? {};
      this.#add({ fetch, highWatermark, logStartOffset });
      yield;
    }
  }

  /** Takes in what a fetch says anew, and forgets what it no longer wants. */
  *update(fetches: readonly PartitionFetch[], forgotten: readonly string[]): Steps<void> {
    for (const fetch of fetches) {
      const present = this.#partitions.get(fetch.key);
      // The name stays the one that the id had first: that is how a topic made anew is noticed.
      if (present) present.fetch = { ...fetch, topic: present.fetch.topic };
      else {
        const never = { highWatermark: unknownOffset, logStartOffset: unknownOffset };
        this.#add({ fetch, ...never });
      }
      yield;
    }
    for (const key of forgotten) {
      if (this.#partitions.delete(key)) this.#heapBytes -= heapBytesOf(key);
      yield;
    }
  }

  #add(partition: SessionPartition): void {
    const { key } = partition.fetch;
    if (!this.#partitions.has(key)) this.#heapBytes += heapBytesOf(key);
    this.#partitions.set(key, partition);
  }

  /** Every partition of the session as it is now. */
  partitions(): readonly SessionPartition[] {
    return [...this.#partitions.values()];
  }

  /** Whether the read tells the client something new; the session takes it for told. */
  isNews(read: PartitionRead): boolean {
    const { key } = read.fetch;
    const partition = this.#partitions.get(key);
    if (!partition || !isNews(partition, read)) return false;
    if (read.records.length > 0) {
      this.#partitions.delete(key);
      this.#partitions.set(key, partition);
    }
    return true;
  }
}

/** What is asked of a partition, with the name of one whose id was not known before. */
export function fetchOf(
  partition: SessionPartition,
  nameOf: (topicId: string) => string | undefined,
): PartitionFetch {
  const { fetch } = partition;
  if (fetch.topic === undefined) partition.fetch = { ...fetch, topic: nameOf(fetch.topicId) };
  return partition.fetch;
}

/** With its place in the map, what is asked of it and its offsets; the topic's name is in the key too. */
function heapBytesOf(key: string): number {
  return 400 + 2 * key.length;
}

/** Whether the client must hear of it. After an error it hears of the partition again. [maybeUpdateResponseData] */
function isNews(partition: SessionPartition, read: PartitionRead): boolean {
  const { highWatermark = unknownOffset, logStartOffset = unknownOffset } = read.offsets ?? {};
  const hasFailed = read.error !== 'NONE';
  const isNew =
    hasFailed ||
    read.records.length > 0 ||
    read.divergingEpoch !== undefined ||
    partition.highWatermark !== highWatermark ||
    partition.logStartOffset !== logStartOffset;
  partition.highWatermark = hasFailed ? unknownOffset : highWatermark;
  partition.logStartOffset = logStartOffset;
  return isNew;
}
