import { errorMessage } from '../../base/logger.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import {
  clusterOperations,
  noAuthorizedOperations,
  topicOperations,
} from '../authorizedOperations.ts';
import type { PartitionImage, TopicImage } from '../controller/metadataImage.ts';
import { isInternalTopic, topicNameProblem } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';

type TopicResponse = NonNullable<ResponseOf<'metadata'>['topics']>[number];
type Node = RequestContext['node'];

const firstVersionWithNullTopics = 1;
const firstVersionWithTopicIds = 12;

/**
 * Versions 0-13: 0 takes an empty list for all topics, 1 null; 1 controller, rack, internal topics; 2 cluster id;
 * 4 says whether topics may be created; 5 offline replicas; 7 leader epochs; 8 authorized operations; 9 flexible;
 * 10 topic ids in answers, 12 in requests; 11 the cluster's operations move to DescribeCluster; 13 a top-level
 * error (KIP-1102).
 */
export const metadata: Handler<'metadata'> = {
  versions: [0, 13],
  handle(request, context) {
    const { node } = context;
    if (context.apiVersion < firstVersionWithTopicIds && asksById(request)) return refused(request);
    const topics = describeTopics(request, context);
    return {
      brokers: node.cluster
        .endpoints(context.session.listener)
        .map(({ id, host, port }) => ({ nodeId: id, host, port, rack: null })),
      clusterId: node.cluster.clusterId,
      controllerId: node.cluster.endpoints()[0]?.id ?? -1,
      topics: topics.map((topic) => ({
        ...topic,
        topicAuthorizedOperations: request.includeTopicAuthorizedOperations
          ? topicOperations
          : noAuthorizedOperations,
      })),
      clusterAuthorizedOperations: request.includeClusterAuthorizedOperations
        ? clusterOperations
        : noAuthorizedOperations,
    };
  },
};

function asksById({ topics }: RequestOf<'metadata'>): boolean {
  return topics?.some(({ name, topicId }) => name === null || topicId !== zeroUuid) ?? false;
}

/** An answer that says nothing of the cluster. [MetadataRequest.getErrorResponse] */
function refused({ topics }: RequestOf<'metadata'>): ResponseOf<'metadata'> {
  const errorCode = errorCodes.INVALID_REQUEST;
  const answers = topics?.map(({ name, topicId }) => ({ errorCode, name: name ?? '', topicId }));
  return { topics: answers ?? [] };
}

function describeTopics(
  { topics, allowAutoTopicCreation }: RequestOf<'metadata'>,
  { node, apiVersion }: RequestContext,
): TopicResponse[] {
  const isAll = topics === null || (topics.length === 0 && apiVersion < firstVersionWithNullTopics);
  if (isAll) return [...node.image.topics.values()].map((topic) => describe(node, topic));
  const ids = new Set(topics.map(({ topicId }) => topicId).filter((id) => id !== zeroUuid));
  if (ids.size > 0) return [...ids].map((id) => describeById(node, id));
  const names = new Set(topics.map(({ name }) => name ?? ''));
  const mayCreate =
    allowAutoTopicCreation && node.cluster.config.boolean('auto.create.topics.enable');
  return [...names].map((name) => describeByName(node, name, mayCreate));
}

function describeById(node: Node, topicId: string): TopicResponse {
  const topic = node.image.topicById(topicId);
  return topic
    ? describe(node, topic)
    : { errorCode: errorCodes.UNKNOWN_TOPIC_ID, name: null, topicId, partitions: [] };
}

/**
 * An unknown topic is created behind the scenes and answered UNKNOWN_TOPIC_OR_PARTITION, which clients take
 * as "ask again". [DefaultAutoTopicCreationManager]
 */
function describeByName(node: Node, name: string, mayCreate: boolean): TopicResponse {
  const topic = node.image.topic(name);
  if (topic) return describe(node, topic);
  const isInvalid = topicNameProblem(name) !== undefined;
  if (mayCreate && !isInvalid) {
    node.autoCreateTopic(name).catch((error: unknown) => {
      node.cluster.logger.warn(`cannot create topic ${name}: ${errorMessage(error)}`);
    });
  }
  return {
    errorCode: isInvalid
      ? errorCodes.INVALID_TOPIC_EXCEPTION
      : errorCodes.UNKNOWN_TOPIC_OR_PARTITION,
    name,
    isInternal: isInternalTopic(name),
    partitions: [],
  };
}

function describe(node: Node, topic: TopicImage): TopicResponse {
  const up = new Set(node.cluster.endpoints().map(({ id }) => id));
  return {
    errorCode: errorCodes.NONE,
    name: topic.name,
    topicId: topic.topicId,
    isInternal: isInternalTopic(topic.name),
    partitions: topic.partitions.map((partition) => describePartition(partition, up)),
  };
}

function describePartition(
  partition: PartitionImage,
  up: ReadonlySet<number>,
): NonNullable<TopicResponse['partitions']>[number] {
  const { leader, leaderEpoch, replicas, isr } = partition;
  const hasLeader = leader >= 0 && up.has(leader);
  return {
    errorCode: hasLeader ? errorCodes.NONE : errorCodes.LEADER_NOT_AVAILABLE,
    partitionIndex: partition.partition,
    leaderId: hasLeader ? leader : -1,
    leaderEpoch,
    replicaNodes: replicas,
    isrNodes: isr,
    offlineReplicas: replicas.filter((id) => !up.has(id)),
  };
}
