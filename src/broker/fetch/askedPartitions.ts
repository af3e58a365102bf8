import type { Steps } from '../../base/turns.ts';
import type { Uuid } from '../../base/uuid.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { RequestContext, RequestOf } from '../handler.ts';
import type { FetchAsked } from './fetchContext.ts';
import type { PartitionFetch } from './partitionFetch.ts';

const firstVersionWithTopicIds = 13;
const firstVersionWithReplicaState = 15;

/** What a Fetch request asks for, whatever its version. Of a partition named twice the last counts, in the first's place. */
export function* askedPartitions(
  request: RequestOf<'fetch'>,
  { apiVersion, node }: RequestContext,
): Steps<FetchAsked> {
  const usesTopicIds = apiVersion >= firstVersionWithTopicIds;
  const fetches = new Map<string, PartitionFetch>();
  for (const { topic, topicId, partitions } of request.topics) {
    const id = usesTopicIds ? topicId : zeroUuid;
    const name = usesTopicIds ? node.image.topicById(topicId)?.name : topic;
    for (const partition of partitions) {
      const key = keyOf(topic, id, partition.partition);
      fetches.set(key, { ...partition, key, topic: name, topicId: id });
      yield;
    }
    yield;
  }
  const forgotten: string[] = [];
  for (const { topic, topicId, partitions } of request.forgottenTopicsData) {
    for (const partition of partitions) {
      forgotten.push(keyOf(topic, usesTopicIds ? topicId : zeroUuid, partition));
      yield;
    }
    yield;
  }
  const { replicaId } = apiVersion < firstVersionWithReplicaState ? request : request.replicaState;
  const { sessionId, sessionEpoch } = request;
  const isReplica = replicaId >= 0;
  return {
    sessionId,
    sessionEpoch,
    usesTopicIds,
    isReplica,
    fetches: [...fetches.values()],
    forgotten,
  };
}

/** Neither a topic's name nor its id has a colon. */
function keyOf(topic: string, topicId: Uuid, partition: number): string {
  return `${topicId === zeroUuid ? topic : topicId}:${partition}`;
}
