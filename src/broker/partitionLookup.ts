import type { ErrorName } from '../protocol/errors.ts';
import { StorageError } from '../storage/storageError.ts';
import type { BrokerView } from './brokerView.ts';
import { type Partition, PartitionError } from './partition.ts';
import { RequestError } from './requestError.ts';

/**
 * The partition's replica here. Throws a PartitionError where there is none, or where it is offline: nobody knows then
 * what it has. [ReplicaManager.getPartitionOrError]
 */
export function partitionOf(node: BrokerView, topic: string, index: number): Partition {
  const partition = node.partition(topic, index);
  const problem = partition?.problem;
  if (problem) throw new PartitionError('KAFKA_STORAGE_ERROR', problem.message);
  if (partition) return partition;
  const isKnown = node.image.topic(topic)?.partitions[index] !== undefined;
  throw new PartitionError(
    isKnown ? 'NOT_LEADER_OR_FOLLOWER' : 'UNKNOWN_TOPIC_OR_PARTITION',
    isKnown ? `broker ${node.id} has no replica of it` : 'there is no such partition',
  );
}

/** The partition, which this broker leads in the epoch that the client knows (-1: any). */
export function leaderOf(
  node: BrokerView,
  topic: string,
  index: number,
  currentLeaderEpoch: number,
): Partition {
  const partition = partitionOf(node, topic, index);
  partition.checkLeadership(currentLeaderEpoch);
  return partition;
}

/** The wire error of what a partition, its log or the controller threw; undefined for what is no answer to a client. */
export function partitionErrorName(error: unknown): ErrorName | undefined {
  const isAnswer =
    error instanceof PartitionError ||
    error instanceof StorageError ||
    error instanceof RequestError;
  return isAnswer ? error.error : undefined;
}

/** As `partitionErrorName`, with what nobody expected logged and answered UNKNOWN_SERVER_ERROR. */
export function answerableError(node: BrokerView, where: string, error: unknown): ErrorName {
  const name = partitionErrorName(error);
  if (name !== undefined) return name;
  const trace = error instanceof Error ? error.stack : String(error);
  node.cluster.logger.error(`${where}: ${trace}`);
  return 'UNKNOWN_SERVER_ERROR';
}

/** Who leads a partition, for clients that asked the wrong broker. [KIP-951] */
export interface LeaderHint {
  readonly leaderId: number;
  readonly leaderEpoch: number;
}

export function leaderHint(node: BrokerView, topic: string, index: number): LeaderHint | undefined {
  const image = node.image.topic(topic)?.partitions[index];
  return image && { leaderId: image.leader, leaderEpoch: image.leaderEpoch };
}

/** Where the leaders of these hints are reached. */
export function endpointsOf(
  node: BrokerView,
  hints: readonly LeaderHint[],
  listener: string,
): { nodeId: number; host: string; port: number }[] {
  const leaders = new Set(hints.map(({ leaderId }) => leaderId));
  return node.cluster
    .endpoints(listener)
    .filter(({ id }) => leaders.has(id))
    .map(({ id, host, port }) => ({ nodeId: id, host, port }));
}
