import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import { autoCreateTopics } from '../autoCreate.ts';
import type { PartitionImage, TopicImage } from '../controller/metadataImage.ts';
import { isInternalTopic, topicNameProblem } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { noAuthorizedOperations, topicOperations } from '../authorizedOperations.ts';

type TopicAnswer = NonNullable<ResponseOf<'metadata'>['topics']>[number];
type PartitionAnswer = NonNullable<TopicAnswer['partitions']>[number];

const firstVersionWithCreateFlag = 4;

/**
 * Versions 0-13: 1 null for all topics, controller, rack; 2 cluster id; 4 may say not to create topics;
 * 5 offline replicas; 7 leader epochs; 8 authorized operations; 9 flexible; 10 topic ids; 12 topics by id;
 * 13 a top-level error (KIP-1102). In version 0 an empty list asks for all topics, later null does.
 */
export const metadata: Handler<'metadata'> = {
  versions: [0, 13],
  async handle(request, context) {
    const { node } = context;
    return {
      brokers: node.cluster.endpoints().map(({ id, host, port }) => ({ nodeId: id, host, port })),
      clusterId: node.cluster.clusterId,
      controllerId: node.id,
      topics: await topicAnswers(request, context),
      clusterAuthorizedOperations: noAuthorizedOperations,
    };
  },
};

async function topicAnswers(
  request: RequestOf<'metadata'>,
  context: RequestContext,
): Promise<TopicAnswer[]> {
  const { image } = context.node;
  const { topics, includeTopicAuthorizedOperations: withOperations } = request;
  const wantsAll = topics === null || (context.apiVersion === 0 && topics.length === 0);
  if (wantsAll) return [...image.topics.values()].map((topic) => describe(topic, withOperations));
  const mayCreate =
    context.apiVersion < firstVersionWithCreateFlag || request.allowAutoTopicCreation;
  const missing = topics
    .map(({ name }) => name)
    .filter((name) => name !== null)
    .filter((name) => !image.topic(name) && !topicNameProblem(name));
  const created = mayCreate ? await autoCreateTopics(context.node, missing) : undefined;
  return topics.map(({ name, topicId }) => {
    if (name === null) {
      const topic = image.topicById(topicId);
      return topic ? describe(topic, withOperations) : unknown('UNKNOWN_TOPIC_ID', null, topicId);
    }
    const isNew = created?.has(name);
    const topic = image.topic(name);
    // Kafka answers the request that creates a topic before the topic has a leader.
    if (isNew) return unknown('LEADER_NOT_AVAILABLE', name, topic?.topicId ?? zeroUuid);
    if (topic) return describe(topic, withOperations);
    if (topicNameProblem(name)) return unknown('INVALID_TOPIC_EXCEPTION', name);
    return unknown('UNKNOWN_TOPIC_OR_PARTITION', name);
  });
}

function describe(topic: TopicImage, withOperations: boolean): TopicAnswer {
  return {
    name: topic.name,
    topicId: topic.topicId,
    isInternal: isInternalTopic(topic.name),
    partitions: topic.partitions.map(describePartition),
    topicAuthorizedOperations: withOperations ? topicOperations : noAuthorizedOperations,
  };
}

function describePartition(partition: PartitionImage): PartitionAnswer {
  return {
    errorCode: errorCodes[partition.leader < 0 ? 'LEADER_NOT_AVAILABLE' : 'NONE'],
    partitionIndex: partition.partition,
    leaderId: partition.leader,
    leaderEpoch: partition.leaderEpoch,
    replicaNodes: [...partition.replicas],
    isrNodes: [...partition.isr],
  };
}

function unknown(error: ErrorName, name: string | null, topicId = zeroUuid): TopicAnswer {
  return {
    errorCode: errorCodes[error],
    name,
    topicId,
    isInternal: name !== null && isInternalTopic(name),
    topicAuthorizedOperations: noAuthorizedOperations,
  };
}
