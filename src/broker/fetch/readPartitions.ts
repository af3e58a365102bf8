import { makingWay } from '../../base/turns.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { noLeaderEpoch } from '../../protocol/records/recordBatch.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { ReadOptions } from '../../storage/logTypes.ts';
import type { BrokerNode } from '../brokerNode.ts';
import { type Partition, PartitionError } from '../partition.ts';
import { answerableError, leaderOf, partitionOf } from '../partitionLookup.ts';
import type {
  DivergingEpoch,
  PartitionFetch,
  PartitionRead,
  ReadOffsets,
} from './partitionFetch.ts';

interface ReadLimits {
  readonly maxBytes: number;
  readonly upTo: ReadOptions['upTo'];
  readonly isReplica: boolean;
}

interface OneRead extends ReadLimits {
  readonly minOneBatch: boolean;
}

const nothing = Buffer.alloc(0);
/** Most partitions have nothing new, and are read without waiting for anything. */
const readsAtOnce = 64;

/**
 * Reads the partitions in turn until `maxBytes` are there. The first that has data gives a whole batch
 * whatever its size, so that a client always gets on. [ReplicaManager.readFromLog]
 */
export async function readPartitions(
  node: BrokerNode,
  fetches: readonly PartitionFetch[],
  limits: ReadLimits,
): Promise<PartitionRead[]> {
  const reads: PartitionRead[] = [];
  let remaining = limits.maxBytes;
  let minOneBatch = true;
  const makeWay = makingWay();
  for (const fetch of fetches) {
    if (reads.length % readsAtOnce === readsAtOnce - 1) await makeWay();
    const maxBytes = Math.min(remaining, fetch.partitionMaxBytes);
    const read = await readOne(node, fetch, { ...limits, maxBytes, minOneBatch });
    const hasRecords = read.records.length > 0;
    if (hasRecords) minOneBatch = false;
    // With the part of the next batch that Kafka sends too. A limit below nothing counts for the first only.
    remaining = Math.max(0, remaining - (hasRecords ? read.countedBytes : 0));
    reads.push(read);
  }
  return reads;
}

export function failedRead(fetch: PartitionFetch, error: ErrorName): PartitionRead {
  return { fetch, error, records: nothing, countedBytes: 0, isUrgent: true };
}

async function readOne(
  node: BrokerNode,
  fetch: PartitionFetch,
  limits: OneRead,
): Promise<PartitionRead> {
  const { topic = '', topicId, partition: index } = fetch;
  try {
    const hosted = partitionOf(node, topic, index);
    if (topicId !== zeroUuid && topicId !== hosted.topicId) {
      throw new PartitionError('INCONSISTENT_TOPIC_ID', `${topic} was made anew`);
    }
    const partition = leaderOf(node, topic, index, fetch.currentLeaderEpoch);
    if (limits.isReplica) throw unknownFollower(fetch);
    const isTold = fetch.lastFetchedEpoch !== noLeaderEpoch;
    const divergingEpoch = isTold ? await divergence(partition, fetch) : undefined;
    if (divergingEpoch === undefined) return await readLog(partition, fetch, limits);
    const offsets = offsetsOf(partition);
    const diverged = { fetch, error: 'NONE', records: nothing, countedBytes: 0, offsets } as const;
    return { ...diverged, divergingEpoch, isUrgent: true };
  } catch (error) {
    return failedRead(fetch, answerableError(node, `fetch from ${topic}-${index}`, error));
  }
}

/** [Partition.followerReplicaOrThrow] */
function unknownFollower({ currentLeaderEpoch }: PartitionFetch): PartitionError {
  const error =
    currentLeaderEpoch === noLeaderEpoch ? 'NOT_LEADER_OR_FOLLOWER' : 'UNKNOWN_LEADER_EPOCH';
  return new PartitionError(error, 'it has no replica on that broker');
}

/** A size below nothing is refused where there is something to be read. [UnifiedLog.read, LogSegment.read] */
async function readLog(
  { log }: Partition,
  fetch: PartitionFetch,
  { maxBytes, minOneBatch, upTo }: OneRead,
): Promise<PartitionRead> {
  const asked = { offset: fetch.fetchOffset, maxBytes: Math.max(0, maxBytes), upTo, minOneBatch };
  const { records, abortedTransactions, isCut, isBehind, ...offsets } = await log.read(asked);
  if (maxBytes < 0 && (isCut || records.length > 0)) {
    throw new PartitionError('INVALID_REQUEST', `${maxBytes} is no number of bytes to read`);
  }
  // Of a batch that is cut off nothing is told. [ReplicaManager.readFromLog]
  const isCutOff = records.length === 0 && maxBytes > 0 && isCut;
  const isTold = upTo === 'lastStable' && !isCutOff;
  return {
    fetch,
    error: 'NONE',
    records,
    countedBytes: isCut ? Math.max(records.length, maxBytes) : records.length,
    offsets: { ...offsets, abortedTransactions: isTold ? abortedTransactions : null },
    isUrgent: isBehind,
  };
}

/** Where the client's log and ours part, if they do. [KIP-595, Partition.readRecords] */
async function divergence(
  partition: Partition,
  { lastFetchedEpoch, fetchOffset }: PartitionFetch,
): Promise<DivergingEpoch | undefined> {
  const { leaderEpoch, endOffset } = await partition.endOffsetForEpoch(lastFetchedEpoch);
  if (leaderEpoch < 0 || endOffset < 0n) {
    throw new PartitionError(
      'OFFSET_OUT_OF_RANGE',
      `the log does not reach back to epoch ${lastFetchedEpoch}`,
    );
  }
  return leaderEpoch < lastFetchedEpoch || endOffset < fetchOffset
    ? { epoch: leaderEpoch, endOffset }
    : undefined;
}

function offsetsOf({ log }: Partition): ReadOffsets {
  const { highWatermark, lastStableOffset, logStartOffset } = log;
  return { highWatermark, lastStableOffset, logStartOffset, abortedTransactions: null };
}
