import { decodeVersioned, encodeVersioned } from '../../../protocol/messageCodec.ts';
import {
  consumerProtocolAssignment,
  consumerProtocolSubscription,
  decodeConsumerProtocol,
} from '../../../protocol/records/consumerProtocol.ts';
import type { Message } from '../../../protocol/schema.ts';
import type { TopicDirectory } from '../../ports.ts';
import {
  type Assignment,
  type OwnedPartitions,
  type TopicPartitions,
  topicPartitionsOf,
} from './assignment.ts';

/** What consumers of the classic protocol tell each other, which the coordinator reads when groups migrate. */
const newestVersion = 3;

type Subscription = Message<typeof consumerProtocolSubscription>;

/** Throws a ProtocolError. */
export function readSubscription(metadata: Uint8Array): Subscription {
  return decodeConsumerProtocol(consumerProtocolSubscription, metadata).message;
}

/** Throws a ProtocolError. `isPlain`: there is nothing of a custom assignor's in it, which would be lost. */
export function readAssignment(
  topics: TopicDirectory,
  bytes: Uint8Array,
): { assignment: Assignment; isPlain: boolean } {
  if (bytes.byteLength === 0) return { assignment: new Map(), isPlain: true };
  const { message } = decodeConsumerProtocol(consumerProtocolAssignment, bytes);
  const { assignedPartitions, userData } = message;
  const entries = withTopicIds(topics, assignedPartitions).map(
    ({ topicId, partitions }) => [topicId, new Set(partitions)] as const,
  );
  return { assignment: new Map(entries), isPlain: (userData?.byteLength ?? 0) === 0 };
}

/** Without topics that are gone. */
export function withTopicIds(
  topics: TopicDirectory,
  list: readonly { readonly topic: string; readonly partitions: readonly number[] }[],
): TopicPartitions[] {
  return list.flatMap(({ topic, partitions }) => {
    const topicId = topics.topicId(topic);
    return topicId === undefined ? [] : [{ topicId, partitions }];
  });
}

/** An assignment for a member, in the version of its metadata. */
export function writeAssignment(
  topics: TopicDirectory,
  partitions: Assignment | OwnedPartitions,
  metadata: Uint8Array,
): Uint8Array {
  const { version } = decodeVersioned(consumerProtocolSubscription, metadata, 'readAsNewest');
  const assignedPartitions = topicPartitionsOf(partitions).flatMap(({ topicId, ...rest }) => {
    const topic = topics.topicName(topicId);
    return topic === undefined ? [] : [{ topic, ...rest }];
  });
  return encodeVersioned(consumerProtocolAssignment, Math.min(version, newestVersion), {
    assignedPartitions,
  });
}
