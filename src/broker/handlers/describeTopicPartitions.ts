import { sortedInSteps } from '../../base/sortedInSteps.ts';
import { mapInSteps, setInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { TopicImage } from '../controller/metadataImage.ts';
import { isInternalTopic, topicNameProblem } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { leadershipIn } from '../leadership.ts';

type TopicAnswer = NonNullable<ResponseOf<'describeTopicPartitions'>['topics']>[number];

/** Kafka's max.request.partition.size.limit. */
const maxPartitions = 2000;

/** Version 0 (KIP-966): topics in order of name, cut off after a number of partitions, with a cursor. */
export const describeTopicPartitions: Handler<'describeTopicPartitions'> = {
  versions: [0, 0],
  *handle(request, context) {
    const { node, access } = context;
    const { image } = node;
    const all = request.topics.length === 0;
    if (isCursorInvalid(request)) {
      const errorCode = errorCodes.INVALID_REQUEST;
      return { topics: yield* mapInSteps(request.topics, ({ name }) => ({ name, errorCode })) };
    }
    const mayDescribe = access.filter('describe', 'topic');
    const page = new Page(request, context);
    const named = yield* setInSteps(namesIn(request));
    const names = all ? image.topicNames : yield* sortedInSteps(named);
    for (let i = firstFrom(names, request.cursor?.topicName); i < names.length; i++) {
      yield;
      const name = names[i] ?? '';
      const topic = image.topic(name);
      // Deleted since the list was taken: nobody has asked for it by name.
      if (all && !topic) continue;
      if (mayDescribe(name) && !page.add(name, topic)) break;
    }
    // Whether such a topic exists is not told.
    const errorCode = errorCodes.TOPIC_AUTHORIZATION_FAILED;
    const { topics, nextCursor } = page;
    for (const name of named) {
      yield;
      if (mayDescribe(name) || isBeforeCursor(name, request)) continue;
      topics.push({ name, errorCode });
    }
    return { topics, nextCursor };
  },
};

function* namesIn({ topics }: RequestOf<'describeTopicPartitions'>) {
  for (const { name } of topics) yield name;
}

/** It has to be in the list, if there is one. [DescribeTopicPartitionsRequestHandler] */
function isCursorInvalid({ cursor, topics }: RequestOf<'describeTopicPartitions'>): boolean {
  if (!cursor) return false;
  const isListed = topics.length === 0 || topics.some(({ name }) => name === cursor.topicName);
  return cursor.partitionIndex < 0 || !isListed;
}

function isBeforeCursor(
  name: string,
  { cursor }: Pick<RequestOf<'describeTopicPartitions'>, 'cursor'>,
): boolean {
  return cursor !== null && name < cursor.topicName;
}

/** Where sorted names go on from this one: a page of ten thousand topics looks at its own only. */
function firstFrom(names: readonly string[], from: string | undefined): number {
  if (from === undefined) return 0;
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? '') < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Page {
  readonly topics: TopicAnswer[] = [];
  nextCursor: { topicName: string; partitionIndex: number } | null = null;
  readonly #cursor: RequestOf<'describeTopicPartitions'>['cursor'];
  readonly #context: Pick<RequestContext, 'node' | 'access'>;
  #left: number;

  constructor(
    { cursor, responsePartitionLimit }: RequestOf<'describeTopicPartitions'>,
    context: Pick<RequestContext, 'node' | 'access'>,
  ) {
    this.#context = context;
    this.#cursor = cursor;
    this.#left = Math.max(1, Math.min(responsePartitionLimit, maxPartitions));
  }

  /** False once the page is full. */
  add(name: string, topic: TopicImage | undefined): boolean {
    if (this.#left <= 0) {
      this.nextCursor = { topicName: name, partitionIndex: 0 };
      return false;
    }
    if (!topic) {
      this.topics.push(unknown(name, this.#context.access));
      return true;
    }
    const first = this.#cursor?.topicName === name ? this.#cursor.partitionIndex : 0;
    const shown = topic.partitions.slice(first, first + this.#left);
    this.#left -= shown.length;
    this.topics.push(describe(topic, shown, this.#context));
    const next = first + shown.length;
    if (next < topic.partitions.length) {
      this.nextCursor = { topicName: name, partitionIndex: next };
      return false;
    }
    return true;
  }
}

/** What may be done with a topic is told also where there is none. [DescribeTopicPartitionsRequestHandler] */
function unknown(name: string, access: RequestContext['access']): TopicAnswer {
  const isPossible = topicNameProblem(name) === undefined;
  return {
    name,
    errorCode: errorCodes[isPossible ? 'UNKNOWN_TOPIC_OR_PARTITION' : 'INVALID_TOPIC_EXCEPTION'],
    topicAuthorizedOperations: access.operations('topic', name),
  };
}

/** That nobody leads a partition is no error here. [KRaftMetadataCache.describeTopicResponse] */
function describe(
  topic: TopicImage,
  partitions: TopicImage['partitions'],
  { node, access }: Pick<RequestContext, 'node' | 'access'>,
): TopicAnswer {
  const leadershipOf = leadershipIn(node, topic.name);
  return {
    name: topic.name,
    topicId: topic.topicId,
    isInternal: isInternalTopic(topic.name),
    partitions: partitions.map((partition) => ({
      errorCode: errorCodes.NONE,
      partitionIndex: partition.partition,
      ...leadershipOf(partition),
      leaderEpoch: partition.leaderEpoch,
      replicaNodes: [...partition.replicas],
    })),
    topicAuthorizedOperations: access.operations('topic', topic.name),
  };
}
