import { errorCodes } from '../../protocol/errors.ts';
import { topicOperations } from '../authorizedOperations.ts';
import type { TopicImage } from '../controller/metadataImage.ts';
import { isInternalTopic, topicNameProblem } from '../controller/topicNames.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';

type TopicAnswer = NonNullable<ResponseOf<'describeTopicPartitions'>['topics']>[number];

/** Kafka's max.request.partition.size.limit. */
const maxPartitions = 2000;

/** Version 0 (KIP-966): topics in order of name, cut off after a number of partitions, with a cursor. */
export const describeTopicPartitions: Handler<'describeTopicPartitions'> = {
  versions: [0, 0],
  handle(request, { node }) {
    const { image } = node;
    const all = request.topics.length === 0;
    const names = all ? [...image.topics.keys()] : request.topics.map(({ name }) => name);
    if (isCursorInvalid(request)) {
      const errorCode = errorCodes.INVALID_REQUEST;
      return { topics: request.topics.map(({ name }) => ({ name, errorCode })) };
    }
    const page = new Page(request);
    for (const name of [...new Set(names)].sort()) {
      if (!page.add(name, image.topic(name))) break;
    }
    return { topics: page.topics, nextCursor: page.nextCursor };
  },
};

/** It has to be in the list, if there is one. [DescribeTopicPartitionsRequestHandler] */
function isCursorInvalid({ cursor, topics }: RequestOf<'describeTopicPartitions'>): boolean {
  if (!cursor) return false;
  const isListed = topics.length === 0 || topics.some(({ name }) => name === cursor.topicName);
  return cursor.partitionIndex < 0 || !isListed;
}

class Page {
  readonly topics: TopicAnswer[] = [];
  nextCursor: { topicName: string; partitionIndex: number } | null = null;
  readonly #cursor: RequestOf<'describeTopicPartitions'>['cursor'];
  #left: number;

  constructor({ cursor, responsePartitionLimit }: RequestOf<'describeTopicPartitions'>) {
    this.#cursor = cursor;
    this.#left = Math.max(1, Math.min(responsePartitionLimit, maxPartitions));
  }

  /** False once the page is full. */
  add(name: string, topic: TopicImage | undefined): boolean {
    if (this.#cursor && name < this.#cursor.topicName) return true;
    const first = this.#cursor?.topicName === name ? this.#cursor.partitionIndex : 0;
    if (!topic) {
      this.topics.push(unknown(name));
      return true;
    }
    if (this.#left <= 0) {
      this.nextCursor = { topicName: name, partitionIndex: first };
      return false;
    }
    const shown = topic.partitions.slice(first, first + this.#left);
    this.#left -= shown.length;
    this.topics.push(describe(topic, shown));
    const next = first + shown.length;
    if (next < topic.partitions.length) {
      this.nextCursor = { topicName: name, partitionIndex: next };
      return false;
    }
    return true;
  }
}

/** What may be done with a topic is told also where there is none. [DescribeTopicPartitionsRequestHandler] */
function unknown(name: string): TopicAnswer {
  const isPossible = topicNameProblem(name) === undefined;
  return {
    name,
    errorCode: errorCodes[isPossible ? 'UNKNOWN_TOPIC_OR_PARTITION' : 'INVALID_TOPIC_EXCEPTION'],
    topicAuthorizedOperations: topicOperations,
  };
}

function describe(topic: TopicImage, partitions: TopicImage['partitions']): TopicAnswer {
  return {
    name: topic.name,
    topicId: topic.topicId,
    isInternal: isInternalTopic(topic.name),
    partitions: partitions.map((partition) => ({
      errorCode: errorCodes[partition.leader < 0 ? 'LEADER_NOT_AVAILABLE' : 'NONE'],
      partitionIndex: partition.partition,
      leaderId: partition.leader,
      leaderEpoch: partition.leaderEpoch,
      replicaNodes: [...partition.replicas],
      isrNodes: [...partition.isr],
      eligibleLeaderReplicas: [],
      lastKnownElr: [],
    })),
    topicAuthorizedOperations: topicOperations,
  };
}
