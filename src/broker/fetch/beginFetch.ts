import { isSteps, type Steps } from '../../base/turns.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { noLeaderEpoch } from '../../protocol/records/recordBatch.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { ReadOptions } from '../../storage/logTypes.ts';
import type { RequestContext, RequestOf } from '../handler.ts';
import { isolationLevels } from '../isolationLevels.ts';
import { type FetchContext, fetchContext } from './fetchContext.ts';
import type { PartitionFetch, PartitionRead } from './partitionFetch.ts';
import { failedRead } from './readPartitions.ts';

const firstVersionWithTopicIds = 13;
const firstVersionWithReplicaState = 15;
/** The replica id of a log that is to take a replica's place. [FetchRequest.FUTURE_LOCAL_REPLICA_ID] */
const futureReplica = -3;

/** A fetch of which is known what is to be read. */
export interface BegunFetch {
  readonly session: FetchContext;
  readonly isReplica: boolean;
  /** Up to where it is read: to the end by who is no consumer. [FetchRequest.isConsumer] */
  readonly upTo: ReadOptions['upTo'];
  /** What is read. */
  readonly known: readonly PartitionFetch[];
  /** What is refused unread: it does not keep the rest from waiting. [KafkaApis.handleFetchRequest] */
  readonly unknown: readonly PartitionRead[];
  /** It cannot be answered: of a topic whose id is zero only the last can be told. [FetchResponse.matchingTopic] */
  readonly isUntold: boolean;
}

/**
 * What a Fetch request asks for, whatever its version, and what of it can be read. Of a partition named twice the last
 * counts, in the first's place. In one generator, as those that go on within each other cost each small request.
 */
export function* beginFetch(
  request: RequestOf<'fetch'>,
  context: RequestContext,
): Steps<BegunFetch> {
  const { node, apiVersion } = context;
  const usesTopicIds = apiVersion >= firstVersionWithTopicIds;
  const asked = new Map<string, PartitionFetch>();
  for (const { topic: name, topicId: id, partitions } of request.topics) {
    yield;
    const topicId = usesTopicIds ? id : zeroUuid;
    const topic = usesTopicIds ? node.image.topicById(id)?.name : name;
    for (const each of partitions) {
      yield;
      const key = keyOf(name, topicId, each.partition);
      asked.set(key, partitionFetch(each, { key, topic, topicId }));
    }
  }
  const forgotten: string[] = [];
  for (const { topic, topicId, partitions } of request.forgottenTopicsData) {
    yield;
    for (const partition of partitions) {
      yield;
      forgotten.push(keyOf(topic, usesTopicIds ? topicId : zeroUuid, partition));
    }
  }
  const { replicaId } = apiVersion < firstVersionWithReplicaState ? request : request.replicaState;
  const { sessionId, sessionEpoch } = request;
  const isReplica = replicaId >= 0;
  const isReadCommitted = request.isolationLevel === isolationLevels.readCommitted;
  const fetches = [...asked.values()];
  const found = fetchContext(
    { sessionId, sessionEpoch, usesTopicIds, isReplica, fetches, forgotten },
    {
      sessions: node.fetchSessions,
      nowMs: () => node.cluster.clock.monotonicMs(),
      nameOf: (topicId) => node.image.topicById(topicId)?.name,
    },
  );
  const session = isSteps(found) ? yield* found : found;
  const refusalOf = refusals(isReplica, context);
  const known: PartitionFetch[] = [];
  const nameless: PartitionRead[] = [];
  const others: PartitionRead[] = [];
  for (const fetch of session.fetches) {
    yield;
    const refusal = refusalOf(fetch);
    if (refusal === undefined) known.push(fetch);
    else {
      // Kafka looks for the names of all that a consumer asks for before anything else.
      const refused = fetch.topic === undefined && !isReplica ? nameless : others;
      refused.push({ ...failedRead(fetch, refusal), isRefused: true });
    }
  }
  const unknown = [...nameless, ...others];
  const isUntold = unknown.slice(0, -1).some(({ fetch }) => isOfNoTopic(fetch));
  const upTo =
    isReplica || replicaId === futureReplica
      ? 'logEnd'
      : isReadCommitted
        ? 'lastStable'
        : 'highWatermark';
  return { session, isReplica, upTo, known, unknown, isUntold };
}

function isOfNoTopic({ topicId, topic }: PartitionFetch): boolean {
  return topicId === zeroUuid && topic === undefined;
}

/** Neither a topic's name nor its id has a colon. */
function keyOf(topic: string, topicId: Uuid, partition: number): string {
  return `${topicId === zeroUuid ? topic : topicId}:${partition}`;
}

/** Without what of the request nobody reads: sessions keep it. */
function partitionFetch(
  asked: Omit<PartitionFetch, 'key' | 'topic' | 'topicId'>,
  { key, topic, topicId }: Pick<PartitionFetch, 'key' | 'topic' | 'topicId'>,
): PartitionFetch {
  const { partition, fetchOffset, partitionMaxBytes } = asked;
  return {
    key,
    topic,
    topicId,
    partition,
    currentLeaderEpoch: epochOf(asked.currentLeaderEpoch),
    fetchOffset,
    lastFetchedEpoch: epochOf(asked.lastFetchedEpoch),
    partitionMaxBytes,
  };
}

/** A negative one is none. [FetchRequest.optionalEpoch] */
function epochOf(epoch: number): number {
  return epoch < 0 ? noLeaderEpoch : epoch;
}

/** Why a partition cannot be read by who asks; undefined: it can. */
function refusals(
  isReplica: boolean,
  { node, access }: RequestContext,
): (fetch: PartitionFetch) => ErrorName | undefined {
  const mayFollow = !isReplica || access.may('clusterAction', 'cluster');
  const mayRead = access.filter('read', 'topic');
  return ({ topic, partition }) => {
    const isAllowed = mayFollow && (isReplica || topic === undefined || mayRead(topic));
    if (!isAllowed) return 'TOPIC_AUTHORIZATION_FAILED';
    if (topic === undefined) return 'UNKNOWN_TOPIC_ID';
    return node.image.topic(topic)?.partitions[partition]
      ? undefined
      : 'UNKNOWN_TOPIC_OR_PARTITION';
  };
}
