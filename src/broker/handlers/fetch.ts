import { defined } from '../../base/assert.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { waitForData } from '../fetch/fetchWait.ts';
import {
  type PartitionRead,
  type PartitionFetch,
  readPartitions,
} from '../fetch/readPartitions.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { endpointsOf, type LeaderHint, leaderHint } from '../partitionLookup.ts';

type TopicResponse = NonNullable<ResponseOf<'fetch'>['responses']>[number];
type PartitionResponse = NonNullable<TopicResponse['partitions']>[number];

const firstVersionWithLeaders = 12;
const firstVersionWithTopicIds = 13;
const firstVersionWithReplicaState = 15;
const readCommitted = 1;
/** Session epochs: none is wanted, or one is asked for. Anything else continues one. [FetchMetadata] */
const sessionless = -1;
const newSession = 0;

/**
 * Versions 4-18: 5 log start offset; 7 sessions (KIP-227); 9 leader epochs (KIP-320); 11 rack (KIP-392);
 * 12 flexible, last fetched epoch and divergence (KIP-595); 13 topic ids (KIP-516); 15 replica state (KIP-903);
 * 16 the leader to turn to (KIP-951); 17 directory ids (KIP-853); 18 a follower's high watermark (KIP-1166).
 * No session is ever granted: every answer has session id 0, which is Kafka's own when its cache is full.
 */
export const fetch: Handler<'fetch'> = {
  versions: [4, 18],
  async handle(request, context) {
    if (request.sessionEpoch !== sessionless && request.sessionEpoch !== newSession) {
      return { errorCode: errorCodes.FETCH_SESSION_ID_NOT_FOUND };
    }
    const fetches = requestedPartitions(request, context);
    const reads = await readOrWait(fetches, request, context);
    return respond(request, reads, context);
  },
};

function requestedPartitions(
  request: RequestOf<'fetch'>,
  { apiVersion, node }: RequestContext,
): PartitionFetch[] {
  const byId = apiVersion >= firstVersionWithTopicIds;
  return request.topics.flatMap(({ topic, topicId, partitions }) => {
    const name = byId ? node.image.topicById(topicId)?.name : topic;
    return partitions.map((partition) => ({ ...partition, topic: name }));
  });
}

/**
 * Reads; where that gives less than minBytes and no error, waits for more and reads again. What was not there
 * to begin with does not keep the rest from waiting; what goes meanwhile does. [KafkaApis, DelayedFetch]
 */
async function readOrWait(
  fetches: readonly PartitionFetch[],
  request: RequestOf<'fetch'>,
  { node, apiVersion, signal }: RequestContext,
): Promise<readonly PartitionRead[]> {
  const { clock, config } = node.cluster;
  const maxBytes = Math.min(request.maxBytes, config.number('fetch.max.bytes'));
  const minBytes = Math.min(request.minBytes, maxBytes);
  const isReadCommitted = request.isolationLevel === readCommitted;
  const isReplica =
    (apiVersion < firstVersionWithReplicaState
      ? request.replicaId
      : request.replicaState.replicaId) >= 0;
  const deadlineMs = clock.monotonicMs() + request.maxWaitMs;
  let knownBefore = 0;
  for (;;) {
    const seen = fetches.map(({ topic, partition }) => {
      const found = topic === undefined ? undefined : node.partition(topic, partition);
      return { partition: found, bytesAppended: found?.bytesAppended ?? 0 };
    });
    const reads = await readPartitions(node, fetches, { maxBytes, isReadCommitted, isReplica });
    const bytes = reads.reduce((sum, { records }) => sum + records.length, 0);
    const remainingMs = deadlineMs - clock.monotonicMs();
    const isDone = bytes >= minBytes || reads.some(({ isUrgent }) => isUrgent);
    const known = reads.filter(({ isKnown }) => isKnown).length;
    const hasLost = known < knownBefore;
    if (isDone || remainingMs <= 0 || known === 0 || hasLost || signal.aborted) return reads;
    knownBefore = known;
    await waitForData({
      seen,
      missingBytes: minBytes - bytes,
      maxWaitMs: remainingMs,
      clock,
      signal,
      onWillClose: node.onWillClose,
    });
    if (node.isClosing) return reads;
  }
}

function respond(
  request: RequestOf<'fetch'>,
  reads: readonly PartitionRead[],
  { node, apiVersion }: RequestContext,
): ResponseOf<'fetch'> {
  const isReadCommitted = request.isolationLevel === readCommitted;
  const hints: LeaderHint[] = [];
  let next = 0;
  const responses = request.topics.map(({ topic, topicId, partitions }): TopicResponse => ({
    topic,
    topicId,
    partitions: partitions.map((): PartitionResponse => {
      const read = defined(reads[next++], 'a partition that was read');
      const response = partitionResponse(read, isReadCommitted);
      const hint = apiVersion >= firstVersionWithLeaders ? hintFor(node, read) : undefined;
      if (!hint) return response;
      hints.push(hint);
      return { ...response, currentLeader: hint };
    }),
  }));
  return { responses, nodeEndpoints: hints.length > 0 ? endpointsOf(node, hints) : [] };
}

function partitionResponse(read: PartitionRead, isReadCommitted: boolean): PartitionResponse {
  const { partition, error, records, offsets } = read;
  const response: PartitionResponse = {
    partitionIndex: partition,
    errorCode: errorCodes[error],
    highWatermark: offsets?.highWatermark ?? -1n,
    lastStableOffset: offsets?.lastStableOffset ?? -1n,
    logStartOffset: offsets?.logStartOffset ?? -1n,
    abortedTransactions: isReadCommitted && offsets ? [...offsets.abortedTransactions] : null,
    records,
  };
  return read.divergingEpoch ? { ...response, divergingEpoch: read.divergingEpoch } : response;
}

function hintFor(
  node: RequestContext['node'],
  { error, topic, partition }: PartitionRead,
): LeaderHint | undefined {
  const isElsewhere = error === 'NOT_LEADER_OR_FOLLOWER' || error === 'FENCED_LEADER_EPOCH';
  return isElsewhere && topic !== undefined ? leaderHint(node, topic, partition) : undefined;
}
