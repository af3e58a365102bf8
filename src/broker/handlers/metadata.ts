import { firstFew } from '../../base/firstFew.ts';
import { errorMessage } from '../../base/logger.ts';
import { filterInSteps, inTurns, mapInSteps, type Steps } from '../../base/turns.ts';
import { type ErrorName, errorCodes } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { PartitionImage, TopicImage } from '../controller/metadataImage.ts';
import type { TopicFailure } from '../controller/createTopics.ts';
import { isInternalTopic, topicNameProblem } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { type Leadership, leadershipIn } from '../leadership.ts';
import { clusterOperationsFor } from '../security/authorizer/clusterOperations.ts';

type TopicResponse = NonNullable<ResponseOf<'metadata'>['topics']>[number];
type Node = RequestContext['node'];

const firstVersionWithNullTopics = 1;
const firstVersionWithTopicIds = 12;
/** A topic of no more does not wait where answers do. */
const mostPartitionsAtOnce = 1000;

/**
 * Versions 0-13: 0 takes an empty list for all topics, 1 null; 1 controller, rack, internal topics; 2 cluster id;
 * 4 says whether topics may be created; 5 offline replicas; 7 leader epochs; 8 authorized operations; 9 flexible;
 * 10 topic ids in answers, 12 in requests; 11 the cluster's operations move to DescribeCluster; 13 a top-level
 * error (KIP-1102).
 */
export const metadata: Handler<'metadata'> = {
  versions: [0, 13],
  isReport: ({ topics }, { image }) =>
    !topics?.length || topics.some((topic) => isLarge(topic, image)),
  *handle(request, context) {
    const { node, access } = context;
    if (context.apiVersion < firstVersionWithTopicIds) {
      if (asksById(request)) return refused(request, 'INVALID_REQUEST');
    } else if (asksForNothing(request)) {
      return refused(request, 'UNKNOWN_SERVER_ERROR');
    }
    const topics = yield* describeTopics(request, context);
    return {
      brokers: node.cluster
        .endpoints(context.session.listener)
        .map(({ id, host, port }) => ({ nodeId: id, host, port, rack: null })),
      clusterId: node.cluster.clusterId,
      controllerId: node.cluster.endpoints()[0]?.id ?? -1,
      topics: request.includeTopicAuthorizedOperations
        ? yield* mapInSteps(topics, (topic) => withOperations(topic, context))
        : topics,
      clusterAuthorizedOperations: clusterOperationsFor(
        access,
        request.includeClusterAuthorizedOperations,
      ),
    };
  },
};

/** What a client asks of its own few topics goes before what tells of all there are. */
function isLarge(
  { name, topicId }: NonNullable<RequestOf<'metadata'>['topics']>[number],
  image: Node['image'],
): boolean {
  const topic = name === null ? image.topicById(topicId) : image.topic(name);
  return topic !== undefined && topic.partitions.length > mostPartitionsAtOnce;
}

function asksById({ topics }: RequestOf<'metadata'>): boolean {
  return topics?.some(({ name, topicId }) => name === null || topicId !== zeroUuid) ?? false;
}

/** A topic without a name, where no topic has an id: Kafka fails over the first. */
function asksForNothing({ topics }: RequestOf<'metadata'>): boolean {
  if (topics === null || topics.some(({ topicId }) => topicId !== zeroUuid)) return false;
  return topics.some(({ name }) => name === null);
}

/** An answer that says nothing of the cluster. [MetadataRequest.getErrorResponse] */
function refused({ topics }: RequestOf<'metadata'>, error: ErrorName): ResponseOf<'metadata'> {
  const errorCode = errorCodes[error];
  const answers = topics?.map(({ name, topicId }) => ({ errorCode, name: name ?? '', topicId }));
  return { errorCode, topics: answers ?? [] };
}

function* describeTopics(
  { topics, allowAutoTopicCreation }: RequestOf<'metadata'>,
  { node, apiVersion, access }: RequestContext,
): Steps<TopicResponse[]> {
  const mayDescribe = access.filter('describe', 'topic');
  const isAll = topics === null || (topics.length === 0 && apiVersion < firstVersionWithNullTopics);
  if (isAll) {
    const all = yield* mapInSteps([...node.image.topics.values()], (topic) =>
      mayDescribe(topic.name) ? describe(node, topic) : undefined,
    );
    return all.filter((topic) => topic !== undefined);
  }
  const ids = new Set(topics.map(({ topicId }) => topicId).filter((id) => id !== zeroUuid));
  if (ids.size > 0) return yield* mapInSteps(ids, (id) => describeById(node, id, mayDescribe));
  const names = new Set(topics.map(({ name }) => name ?? ''));
  const mayCreate = creator(allowAutoTopicCreation, { node, access });
  const named = yield* mapInSteps(names, (name) => ({
    name,
    ...(mayDescribe(name) ? describeByName(node, name, mayCreate) : { answer: unauthorized(name) }),
  }));
  const wanted = yield* filterInSteps(named, ({ isToBeMade }) => isToBeMade === true);
  if (wanted.length > 0) {
    void createBehindTheScenes(node, yield* mapInSteps(wanted, ({ name }) => name));
  }
  return yield* mapInSteps(named, ({ answer }) => answer);
}

/** That there is a topic is no secret of who knows its id; its name is. */
function describeById(
  node: Node,
  topicId: string,
  mayDescribe: (name: string) => boolean,
): TopicResponse {
  const topic = node.image.topicById(topicId);
  if (topic && mayDescribe(topic.name)) return describe(node, topic);
  const errorCode = topic ? errorCodes.TOPIC_AUTHORIZATION_FAILED : errorCodes.UNKNOWN_TOPIC_ID;
  return { errorCode, name: null, topicId, partitions: [] };
}

/** Not even whether the topic is there is told. */
function unauthorized(name: string, isInternal = false): TopicResponse {
  const errorCode = errorCodes.TOPIC_AUTHORIZATION_FAILED;
  return { errorCode, name, isInternal, partitions: [] };
}

/** As one request, whose names do not collide with each other. Never rejects. */
async function createBehindTheScenes(node: Node, names: readonly string[]): Promise<void> {
  const { logger } = node.cluster;
  try {
    const failures = await node.autoTopics.createTogether(names);
    for (const [error, { names: failed, message }] of await inTurns(byError(failures)))
      logger.warn(`cannot create topics ${firstFew(failed)}: ${error}, ${message}`);
  } catch (error) {
    logger.warn(`cannot create topics: ${errorMessage(error)}`);
  }
}

interface Failed {
  readonly names: string[];
  /** Of the first. */
  readonly message: string;
}

function* byError(failures: readonly TopicFailure[]): Steps<ReadonlyMap<ErrorName, Failed>> {
  const result = new Map<ErrorName, Failed>();
  for (const { name, error, message } of failures) {
    yield;
    const failed = result.get(error) ?? { names: [], message };
    result.set(error, failed);
    failed.names.push(name);
  }
  return result;
}

type Creator = (name: string) => 'no' | 'yes' | 'unauthorized';

/** Whether a topic that is not there is to be made. */
function creator(
  isWanted: boolean,
  { node, access }: Pick<RequestContext, 'node' | 'access'>,
): Creator {
  if (!isWanted || !node.cluster.config.boolean('auto.create.topics.enable')) return () => 'no';
  if (access.may('create', 'cluster')) return () => 'yes';
  return (name) => (access.may('create', 'topic', name) ? 'yes' : 'unauthorized');
}

interface Named {
  readonly answer: TopicResponse;
  readonly isToBeMade?: boolean;
}

/**
 * An unknown topic is created behind the scenes and answered UNKNOWN_TOPIC_OR_PARTITION, which clients take
 * as "ask again". [DefaultAutoTopicCreationManager]
 */
function describeByName(node: Node, name: string, mayCreate: Creator): Named {
  const topic = node.image.topic(name);
  if (topic) return { answer: describe(node, topic) };
  const isInternal = isInternalTopic(name);
  const creation = mayCreate(name);
  if (creation === 'unauthorized') return { answer: unauthorized(name, isInternal) };
  const isInvalid = topicNameProblem(name) !== undefined;
  const error = isInvalid ? 'INVALID_TOPIC_EXCEPTION' : 'UNKNOWN_TOPIC_OR_PARTITION';
  return {
    answer: { errorCode: errorCodes[error], name, isInternal, partitions: [] },
    isToBeMade: creation === 'yes' && !isInvalid,
  };
}

/** Of a topic that may be seen. [KafkaApis.handleTopicMetadataRequest] */
function withOperations(topic: TopicResponse, { access }: RequestContext): TopicResponse {
  const isHidden = topic.errorCode === errorCodes.TOPIC_AUTHORIZATION_FAILED || topic.name === null;
  return isHidden
    ? topic
    : { ...topic, topicAuthorizedOperations: access.operations('topic', topic.name) };
}

function describe(node: Node, topic: TopicImage): TopicResponse {
  const leadershipOf = leadershipIn(node, topic.name);
  return {
    errorCode: errorCodes.NONE,
    name: topic.name,
    topicId: topic.topicId,
    isInternal: isInternalTopic(topic.name),
    partitions: topic.partitions.map((partition) =>
      describePartition(partition, leadershipOf(partition)),
    ),
  };
}

function describePartition(
  { partition, leaderEpoch, replicas }: PartitionImage,
  { leaderId, isrNodes, offlineReplicas }: Leadership,
): NonNullable<TopicResponse['partitions']>[number] {
  return {
    errorCode: leaderId >= 0 ? errorCodes.NONE : errorCodes.LEADER_NOT_AVAILABLE,
    partitionIndex: partition,
    leaderId,
    leaderEpoch,
    replicaNodes: replicas,
    isrNodes,
    offlineReplicas,
  };
}
