import type { Steps } from '../../base/turns.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { metadataRecord, type NewMetadataRecord } from './controller.ts';
import { RequestError } from '../requestError.ts';
import {
  maxPartitionsPerRequest,
  newPartition,
  openBrokers,
  type TopicRules,
} from './createTopics.ts';
import type { MetadataImage } from './metadataImage.ts';
import { assignReplicas } from './replicaAssignment.ts';

export interface MorePartitions {
  readonly name: string;
  /** How many there are to be in all. */
  readonly count: number;
  /** Replicas of each new partition, if the client chose them. */
  readonly assignments: readonly (readonly number[])[] | null;
}

export interface PartitionsPlan {
  readonly records: readonly NewMetadataRecord[];
  readonly error: ErrorName;
  readonly message: string | null;
}

/** Decides on adding partitions to one topic. [ReplicationControlManager.createPartitions] */
export function planPartitions(
  image: MetadataImage,
  request: MorePartitions,
  rules: TopicRules,
): PartitionsPlan {
  const fail = (error: ErrorName, message: string): PartitionsPlan => ({
    records: [],
    error,
    message,
  });
  const topic = image.topic(request.name);
  if (!topic) return fail('UNKNOWN_TOPIC_OR_PARTITION', 'This server does not host this topic.');
  const present = topic.partitions.length;
  const added = request.count - present;
  if (added === 0) return fail('INVALID_PARTITIONS', `Topic already has ${present} partition(s).`);
  if (added < 0) {
    return fail(
      'INVALID_PARTITIONS',
      `The topic ${request.name} currently has ${present} partition(s); ${request.count} would not be an increase.`,
    );
  }
  const problem = assignmentProblem(request.assignments, added, rules);
  if (problem) return fail('INVALID_REPLICA_ASSIGNMENT', problem);
  const factor = topic.partitions[0]?.replicas.length ?? 1;
  const brokers = openBrokers(rules);
  if (!request.assignments && factor > brokers.length) {
    return fail(
      'INVALID_REPLICATION_FACTOR',
      `Unable to replicate the partition ${factor} time(s): only ${brokers.length} broker(s) can take replicas.`,
    );
  }
  const { random } = rules;
  const assigned = request.assignments ?? assignReplicas({ brokers, count: added, factor, random });
  const records = assigned.map((replicas, i) => newPartition(topic.topicId, present + i, replicas));
  return {
    records: records.map((record) => ({ ...record, topic: request.name })),
    error: 'NONE',
    message: null,
  };
}

/**
 * Throws where a request wants too many; then none of its topics gets any.
 * [ReplicationControlManager.validateTotalNumberOfPartitions]
 */
export function* assertFewEnough(
  image: MetadataImage,
  topics: readonly { readonly name: string; readonly count: number }[],
): Steps<void> {
  let more = 0;
  for (const { name, count } of topics) {
    yield;
    const present = image.topic(name)?.partitions.length;
    if (present !== undefined) more += Math.max(0, count - present);
  }
  if (more <= maxPartitionsPerRequest) return;
  const message = `More than ${maxPartitionsPerRequest} partitions cannot be made at once.`;
  throw new RequestError('POLICY_VIOLATION', message);
}

function assignmentProblem(
  assignments: MorePartitions['assignments'],
  added: number,
  { brokers, cordoned }: TopicRules,
): string | undefined {
  if (!assignments) return undefined;
  if (assignments.length !== added) {
    return `Attempted to add ${added} additional partition(s), but only ${assignments.length} assignment(s) were specified.`;
  }
  const stranger = assignments.flat().find((id) => !brokers.includes(id));
  if (stranger !== undefined) return `Broker ${stranger} is not registered.`;
  const closed = assignments.flat().find((id) => cordoned.has(id));
  if (closed !== undefined) return `All log directories of broker ${closed} are cordoned.`;
  const isBroken = assignments.some((ids) => ids.length === 0 || new Set(ids).size !== ids.length);
  return isBroken ? 'Each assignment needs brokers, each of them once.' : undefined;
}

/** The record that removes a topic. */
export function removeTopic(name: string, topicId: string): NewMetadataRecord {
  return metadataRecord('removeTopic', { topicId }, { topic: name });
}
