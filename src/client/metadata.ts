import type { Clock } from '../base/clock.ts';
import { Slices } from '../base/slices.ts';
import type { Message } from '../protocol/schema.ts';
import type { apis } from '../protocol/apis.ts';
import { errorCodes } from '../protocol/errors.ts';
import { KafkaError } from './kafkaError.ts';

export interface BrokerNode {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | null;
}

export interface PartitionMetadata {
  readonly partition: number;
  /** -1: no leader. */
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
  readonly offlineReplicas: readonly number[];
}

export interface TopicMetadata {
  readonly name: string;
  readonly topicId: string;
  readonly isInternal: boolean;
  /** By partition, ascending. */
  readonly partitions: readonly PartitionMetadata[];
}

export interface ClusterMetadata {
  readonly clusterId: string;
  /** As Metadata says: under KRaft, any broker, as all of them forward. -1: none. */
  readonly controllerId: number;
  readonly brokers: readonly BrokerNode[];
  readonly topics: ReadonlyMap<string, TopicMetadata>;
  /** Topics that were asked for and could not be described. */
  readonly topicErrors: ReadonlyMap<string, KafkaError>;
}

/** Reads a Metadata response, ten thousand topics not in one go. */
export async function readMetadata(
  response: Message<typeof apis.metadata.response>,
  clock: Clock,
): Promise<ClusterMetadata> {
  const slices = new Slices(clock);
  const topics = new Map<string, TopicMetadata>();
  const topicErrors = new Map<string, KafkaError>();
  for (const {
    errorCode,
    name: nullableName,
    topicId,
    isInternal,
    partitions,
  } of response.topics) {
    if (slices.isOver) await slices.pause();
    const name = nullableName ?? topicId;
    if (errorCode === errorCodes.NONE) {
      const sorted = partitions.map(readPartition).sort((a, b) => a.partition - b.partition);
      topics.set(name, { name, topicId, isInternal, partitions: sorted });
    } else {
      topicErrors.set(name, new KafkaError(errorCode, { api: 'metadata', topic: name }));
    }
  }
  return {
    clusterId: response.clusterId ?? '',
    controllerId: response.controllerId,
    brokers: response.brokers.map(({ nodeId: id, host, port, rack }) => ({ id, host, port, rack })),
    topics,
    topicErrors,
  };
}

type WirePartition = Pick<
  Message<typeof apis.metadata.response>['topics'][number]['partitions'][number],
  'partitionIndex' | 'leaderId' | 'leaderEpoch' | 'replicaNodes' | 'isrNodes' | 'offlineReplicas'
>;

/** A partition as Metadata tells it, and DescribeTopicPartitions too. */
export function readPartition(partition: WirePartition): PartitionMetadata {
  return {
    partition: partition.partitionIndex,
    leader: partition.leaderId,
    leaderEpoch: partition.leaderEpoch,
    replicas: partition.replicaNodes,
    isr: partition.isrNodes,
    offlineReplicas: partition.offlineReplicas,
  };
}
