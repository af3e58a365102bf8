import { mapEachInSteps, mapInSteps, type Steps, workOnEach } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { noLeaderEpoch, noTimestamp } from '../../protocol/records/recordBatch.ts';
import type { TimestampedOffset } from '../../storage/partitionLog.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { isIsolationLevel, isolationLevels } from '../isolationLevels.ts';
import type { Partition } from '../partition.ts';
import { answerableError, partitionOf } from '../partitionLookup.ts';

type TopicRequest = RequestOf<'listOffsets'>['topics'][number];
type PartitionRequest = TopicRequest['partitions'][number];
type TopicResponse = NonNullable<ResponseOf<'listOffsets'>['topics']>[number];
type PartitionResponse = NonNullable<TopicResponse['partitions']>[number];

/** Timestamps with a meaning of their own. [ListOffsetsRequest] */
const latest = -1n;
const earliest = -2n;
const maxTimestamp = -3n;
const earliestLocal = -4n;
const latestTiered = -5n;
const earliestPendingUpload = -6n;

const firstVersionOf = new Map([
  [latest, 1],
  [earliest, 1],
  [maxTimestamp, 7],
  [earliestLocal, 8],
  [latestTiered, 9],
  [earliestPendingUpload, 11],
]);

const { readCommitted } = isolationLevels;
const consumer = -1;
const debuggingConsumer = -2;

/**
 * Versions 1-11: 2 isolation level; 4 leader epochs (KIP-320); 6 flexible; 7 max timestamp (KIP-734); 8 local log
 * start (KIP-405); 9 last tiered offset (KIP-1005); 10 a timeout (KIP-1075); 11 earliest pending upload (KIP-1023).
 * There is no tiered storage: the local log start is the log start, and nothing is tiered.
 */
export const listOffsets: Handler<'listOffsets'> = {
  versions: [1, 11],
  async handle(request, context) {
    const { access, inTurns } = context;
    const mayDescribe = access.filter('describe', 'topic');
    const { asked, refused } = await inTurns(askedTopics(request, mayDescribe));
    const lookUpIn = async ([name, partitions]: readonly [string, AskedPartitions]) => {
      const lookUpOne = async ({ asked, isDuplicate }: AskedPartition) => {
        if (!isIsolationLevel(request.isolationLevel)) return refusal(asked, 'INVALID_REQUEST');
        if (isDuplicate) return refusal(asked, 'INVALID_REQUEST');
        return lookUp(name, asked, request, context);
      };
      return { name, partitions: await workOnEach(partitions.values(), lookUpOne, inTurns) };
    };
    const found = await workOnEach(asked, lookUpIn, inTurns);
    return { topics: await inTurns(withRefused(found, refused)) };
  },
};

interface AskedPartition {
  readonly asked: PartitionRequest;
  readonly isDuplicate: boolean;
}

type AskedPartitions = ReadonlyMap<number, AskedPartition>;

interface AskedTopics {
  readonly asked: ReadonlyMap<string, AskedPartitions>;
  /** Who asks may not know of them. */
  readonly refused: readonly TopicRequest[];
}

/**
 * Each partition once, however often it is asked for; a topic without any is not answered. [ReplicaManager.fetchOffset]
 * What may not be known of is answered as it is asked for. [KafkaApis.handleListOffsetRequest]
 */
function* askedTopics(
  { topics }: RequestOf<'listOffsets'>,
  mayDescribe: (topic: string) => boolean,
): Steps<AskedTopics> {
  const found = new Map<string, Map<number, AskedPartition>>();
  const refused: TopicRequest[] = [];
  for (const topic of topics) {
    yield;
    const { name, partitions } = topic;
    if (!mayDescribe(name)) {
      refused.push(topic);
      continue;
    }
    for (const asked of partitions) {
      const ofTopic = found.get(name) ?? new Map<number, AskedPartition>();
      found.set(name, ofTopic);
      const isDuplicate = ofTopic.has(asked.partitionIndex);
      ofTopic.set(asked.partitionIndex, { asked, isDuplicate });
      yield;
    }
  }
  return { asked: found, refused };
}

function* withRefused(
  found: readonly TopicResponse[],
  refused: readonly TopicRequest[],
): Steps<readonly TopicResponse[]> {
  if (refused.length === 0) return found;
  const refusals = yield* mapEachInSteps(refused, function* ({ name, partitions }) {
    const refuse = (asked: PartitionRequest) => refusal(asked, 'TOPIC_AUTHORIZATION_FAILED');
    return { name, partitions: yield* mapInSteps(partitions, refuse) };
  });
  return [...found, ...refusals];
}

async function lookUp(
  topic: string,
  asked: PartitionRequest,
  { replicaId, isolationLevel }: RequestOf<'listOffsets'>,
  { node, apiVersion }: RequestContext,
): Promise<PartitionResponse> {
  const { partitionIndex, timestamp, currentLeaderEpoch } = asked;
  if (timestamp < 0n && apiVersion < (firstVersionOf.get(timestamp) ?? Infinity)) {
    return refusal(asked, 'UNSUPPORTED_VERSION');
  }
  try {
    const partition = partitionOf(node, topic, partitionIndex);
    if (replicaId === debuggingConsumer) partition.checkLeaderEpoch(currentLeaderEpoch);
    else partition.checkLeadership(currentLeaderEpoch);
    // Before the log is open nobody knows which transactions are undecided in it.
    if (isolationLevel === readCommitted) await partition.log.open();
    const end = fetchableEnd(partition, replicaId, isolationLevel);
    const found = await offsetFor(partition, timestamp, end);
    return {
      partitionIndex,
      errorCode: errorCodes.NONE,
      timestamp: found?.timestamp ?? noTimestamp,
      offset: found?.offset ?? -1n,
      leaderEpoch: apiVersion >= 4 ? (found?.leaderEpoch ?? noLeaderEpoch) : noLeaderEpoch,
    };
  } catch (error) {
    return refusal(asked, answerableError(node, `ListOffsets of ${topic}`, error));
  }
}

/** Clients see up to the high watermark, or up to the last stable offset; replicas see all. */
function fetchableEnd({ log }: Partition, replicaId: number, isolationLevel: number): bigint {
  if (replicaId !== consumer) return log.logEndOffset;
  return isolationLevel === readCommitted ? log.lastStableOffset : log.highWatermark;
}

/** [UnifiedLog.fetchOffsetByTimestamp, Partition.fetchOffsetForTimestamp] */
async function offsetFor(
  partition: Partition,
  timestamp: bigint,
  end: bigint,
): Promise<TimestampedOffset | undefined> {
  const { log, leaderEpoch } = partition;
  switch (timestamp) {
    case latest:
      return { offset: end, timestamp: noTimestamp, leaderEpoch };
    case earliest:
    case earliestLocal: {
      const { logStartOffset: offset } = log;
      // Kafka writes down the epoch of a log that is still empty; we know it without that.
      const isEmpty = offset === log.logEndOffset;
      const epoch = isEmpty ? leaderEpoch : await log.epochForOffset(offset);
      return { offset, timestamp: noTimestamp, leaderEpoch: epoch };
    }
    case latestTiered:
    case earliestPendingUpload:
      return { offset: -1n, timestamp: noTimestamp, leaderEpoch: noLeaderEpoch };
    default: {
      const found =
        timestamp === maxTimestamp
          ? await log.offsetOfMaxTimestamp()
          : await log.offsetForTimestamp(timestamp);
      return found && found.offset < end ? found : undefined;
    }
  }
}

function refusal({ partitionIndex }: PartitionRequest, error: ErrorName): PartitionResponse {
  return { partitionIndex, errorCode: errorCodes[error], timestamp: noTimestamp, offset: -1n };
}
