import { atOnce, inOneGo, isSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { BrokerNode } from '../brokerNode.ts';
import { beginFetch, type BegunFetch } from '../fetch/beginFetch.ts';
import { type SeenPartition, waitForData } from '../fetch/fetchWait.ts';
import type { PartitionFetch, PartitionRead } from '../fetch/partitionFetch.ts';
import { readPartitions } from '../fetch/readPartitions.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { isIsolationLevel } from '../isolationLevels.ts';
import { endpointsOf, type LeaderHint, leaderHint } from '../partitionLookup.ts';

type Request = RequestOf<'fetch'>;
type TopicResponse = NonNullable<ResponseOf<'fetch'>['responses']>[number];
type PartitionResponse = NonNullable<TopicResponse['partitions']>[number];

const lastVersionWithoutStorageErrors = 5;
const firstVersionWithLeaders = 16;
const firstVersionWithTopErrorOnly = 13;

/**
 * Versions 4-18: 5 log start offset; 7 sessions (KIP-227); 9 leader epochs (KIP-320); 11 rack (KIP-392);
 * 12 flexible, last fetched epoch and divergence (KIP-595); 13 topic ids (KIP-516); 15 replica state (KIP-903);
 * 16 the leader to turn to (KIP-951); 17 directory ids (KIP-853); 18 a follower's high watermark (KIP-1166).
 */
export const fetch: Handler<'fetch'> = {
  versions: [4, 18],
  async handle(request, context) {
    const isShort = !isLong(request, context.node);
    const beginning = beginFetch(request, context);
    const begun = isShort ? inOneGo(beginning) : await context.inTurns(beginning);
    const isMeaningless = begun.known.length > 0 && !isIsolationLevel(request.isolationLevel);
    const { isUntold, isReplica } = begun;
    if (isMeaningless || (isUntold && !isReplica)) return refusal(request, context.apiVersion);
    const reads = await readOrWait(begun, request, { ...context, isShort });
    const ending = end(begun, reads, context);
    const answer = isShort ? inOneGo(ending) : await context.inTurns(ending);
    // Kafka fails over a follower's answer as it writes it: the session is there by then, though nobody hears of it.
    return isUntold ? refusal(request, context.apiVersion) : answer;
  },
};

/** Clients of old look for errors at partitions only. [FetchRequest.getErrorResponse] */
function refusal({ sessionId, topics }: Request, apiVersion: number): ResponseOf<'fetch'> {
  const errorCode = errorCodes.INVALID_REQUEST;
  if (apiVersion >= firstVersionWithTopErrorOnly) return { errorCode, sessionId };
  const failed = ({
    partition: partitionIndex,
  }: Request['topics'][number]['partitions'][number]) => ({
    partitionIndex,
    errorCode,
    highWatermark: -1n,
    records: nothing,
  });
  const responses = topics.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map(failed),
  }));
  return { errorCode, sessionId, responses };
}

const nothing = Buffer.alloc(0);

/** In one generator, as those that go on within each other cost each small request. */
function* end(
  { session, isReplica, unknown }: BegunFetch,
  reads: readonly PartitionRead[],
  context: RequestContext,
): Steps<ResponseOf<'fetch'>> {
  const { node, apiVersion } = context;
  const all = unknown.length === 0 ? reads : [...reads, ...unknown];
  const isThrottled = isOverQuota(all, context);
  if (!isThrottled && !isReplica && node.served.isWatched) yield* node.served.note(context, reads);
  const conclusion = isThrottled ? session.concludeThrottled() : session.conclude(all);
  const { error, sessionId, reads: told } = isSteps(conclusion) ? yield* conclusion : conclusion;
  const hints: LeaderHint[] = [];
  const responses: (TopicResponse & { partitions: PartitionResponse[] })[] = [];
  let last: PartitionFetch | undefined;
  for (const read of told) {
    yield;
    const { topic, topicId } = read.fetch;
    // Partitions of a topic that follow each other share its entry. [FetchResponse.toMessage]
    const isSameTopic = last !== undefined && isOneTopic(last, read.fetch);
    if (!isSameTopic) responses.push({ topic: topic ?? '', topicId, partitions: [] });
    last = read.fetch;
    const hint = apiVersion >= firstVersionWithLeaders ? hintFor(node, read) : undefined;
    if (hint) hints.push(hint);
    const response = partitionResponse(read, apiVersion);
    responses.at(-1)?.partitions.push(hint ? { ...response, currentLeader: hint } : response);
  }
  // A follower gets none. [KafkaApis.handleFetchRequest]
  const hasEndpoints = hints.length > 0 && !isReplica;
  const nodeEndpoints = hasEndpoints ? endpointsOf(node, hints, context.session.listener) : [];
  return { errorCode: errorCodes[error], sessionId, responses, nodeEndpoints };
}

/** Partitions that are gone through at once, as most fetches have no more. */
const fewPartitions = 256;

/** By what it names, and by what its session has. */
function isLong({ topics, forgottenTopicsData, sessionId }: Request, node: BrokerNode): boolean {
  let count = node.fetchSessions.get(sessionId)?.size ?? 0;
  for (const { partitions } of topics) count += 1 + partitions.length;
  for (const { partitions } of forgottenTopicsData) count += 1 + partitions.length;
  return count > fewPartitions;
}

/**
 * Counts the records; a client that is over its quota gets none of them, and they count for nothing.
 * [KafkaApis.handleFetchRequest]
 */
function isOverQuota(
  reads: readonly PartitionRead[],
  { node, quotaClient, throttle }: RequestContext,
): boolean {
  const quota = 'consumer_byte_rate';
  const bytes = reads.reduce((sum, { records }) => sum + records.length, 0);
  const forMs = node.quotas.use(quota, quotaClient, bytes);
  if (forMs === 0) return false;
  node.quotas.use(quota, quotaClient, -bytes);
  throttle(forMs);
  return true;
}

/** Reads; where that gives less than minBytes and no error, waits for more and reads again. [DelayedFetch] */
async function readOrWait(
  { known: fetches, isReplica, upTo }: BegunFetch,
  request: Request,
  {
    node,
    waitSignal: signal,
    inTurns,
    isShort,
    keepUntilSent,
    quotaClient,
  }: RequestContext & { readonly isShort: boolean },
): Promise<readonly PartitionRead[]> {
  if (fetches.length === 0) return [];
  const { clock, config } = node.cluster;
  const askedBytes = Math.min(
    request.maxBytes,
    config.number('fetch.max.bytes'),
    node.quotas.mostInWindow('consumer_byte_rate', quotaClient),
  );
  const deadlineMs = clock.monotonicMs() + request.maxWaitMs;
  const see = ({ topic = '', partition }: PartitionFetch): SeenPartition => {
    const found = node.partition(topic, partition);
    return { partition: found, bytesAppended: found?.bytesAppended ?? 0 };
  };
  for (;;) {
    const seen = isShort ? fetches.map(see) : await inTurns(mapInSteps(fetches, see));
    const memory = node.fetchMemory.take(askedBytes);
    const maxBytes = Math.min(askedBytes, memory.bytes);
    const minBytes = Math.min(request.minBytes, maxBytes);
    const reads = await readPartitions(node, fetches, { maxBytes, upTo, isReplica });
    const bytes = reads.reduce((sum, { records }) => sum + records.length, 0);
    memory.hold(bytes);
    const counted = reads.reduce((sum, { countedBytes }) => sum + countedBytes, 0);
    const remainingMs = deadlineMs - clock.monotonicMs();
    const isDone = counted >= minBytes || reads.some(({ isUrgent }) => isUrgent);
    if (isDone || remainingMs <= 0 || signal.aborted) {
      keepUntilSent(memory);
      return reads;
    }
    memory.dispose();
    await waitForData({
      seen,
      // The marker that ends a transaction is small, and frees all of it.
      missingBytes: upTo === 'lastStable' ? 1 : minBytes - counted,
      maxWaitMs: remainingMs,
      clock,
      signal,
      onWillClose: node.onWillClose,
      run: isShort ? atOnce : inTurns,
    });
    if (node.isClosing) return reads;
  }
}

function partitionResponse(read: PartitionRead, apiVersion: number): PartitionResponse {
  const { fetch: asked, error, records, offsets } = read;
  const response: PartitionResponse = {
    partitionIndex: asked.partition,
    errorCode: errorCodes[knownError(error, apiVersion)],
    highWatermark: offsets?.highWatermark ?? -1n,
    lastStableOffset: offsets?.lastStableOffset ?? -1n,
    logStartOffset: offsets?.logStartOffset ?? -1n,
    abortedTransactions: abortedTransactions(read),
    records,
  };
  return read.divergingEpoch ? { ...response, divergingEpoch: read.divergingEpoch } : response;
}

function abortedTransactions({
  isRefused,
  offsets,
}: PartitionRead): NonNullable<PartitionResponse['abortedTransactions']> | null {
  // What was never looked for gets the schema's default. [FetchResponse.partitionResponse]
  if (isRefused) return [];
  return offsets?.abortedTransactions ? [...offsets.abortedTransactions] : null;
}

/** Clients of old would not try again after a storage error, so it has another name for them. */
function knownError(error: ErrorName, apiVersion: number): ErrorName {
  const isUnheardOf =
    error === 'KAFKA_STORAGE_ERROR' && apiVersion <= lastVersionWithoutStorageErrors;
  return isUnheardOf ? 'NOT_LEADER_OR_FOLLOWER' : error;
}

function hintFor(
  node: RequestContext['node'],
  { error, fetch: { topic, partition } }: PartitionRead,
): LeaderHint | undefined {
  const isElsewhere = error === 'NOT_LEADER_OR_FOLLOWER' || error === 'FENCED_LEADER_EPOCH';
  return isElsewhere && topic !== undefined ? leaderHint(node, topic, partition) : undefined;
}

/** Of a deleted topic a session may know one partition by name and another by the id alone. */
function isOneTopic(a: PartitionFetch, b: PartitionFetch): boolean {
  return a.topicId === b.topicId && (a.topicId !== zeroUuid || a.topic === b.topic);
}
