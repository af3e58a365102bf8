import { errorCodes } from '../../protocol/errors.ts';
import type { KafkaClient } from '../kafkaClient.ts';
import { KafkaError, UnsupportedError } from '../kafkaError.ts';
import type { BrokerNode } from '../metadata.ts';
import type { CallOptions } from '../request.ts';

export interface ClusterDescription {
  readonly clusterId: string;
  /** The active controller; null where it is not known, or is a node that no client can reach. */
  readonly controllerId: number | null;
  readonly brokers: readonly BrokerNode[];
}

const metadataLog = { topicName: '__cluster_metadata', partitions: [{ partitionIndex: 0 }] };

/** The cluster's brokers and controller. */
export async function describeCluster(
  client: KafkaClient,
  options: CallOptions = {},
): Promise<ClusterDescription> {
  const deadline = client.deadline(options);
  const { clusterId, controllerId, brokers } = await client.metadata([], options);
  const leader = await quorumLeader(client, { ...options, timeoutMs: deadline.remainingMs });
  return {
    clusterId,
    brokers,
    controllerId: leader ?? (controllerId < 0 ? null : controllerId),
  };
}

/**
 * Under KRaft, Metadata and DescribeCluster name any broker as the controller, since all of them
 * forward; only the quorum knows. Undefined where the server has no quorum or does not say.
 */
async function quorumLeader(
  client: KafkaClient,
  options: CallOptions,
): Promise<number | undefined> {
  try {
    const body = { topics: [metadataLog] };
    const response = await client.request('describeQuorum', body, { to: 'any', ...options });
    const partition = response.topics[0]?.partitions[0];
    const isKnown = response.errorCode === errorCodes.NONE && partition?.errorCode === 0;
    return isKnown && partition.leaderId >= 0 ? partition.leaderId : undefined;
  } catch (error) {
    // Not there, or not allowed to ask: the answer of Metadata has to do.
    if (error instanceof UnsupportedError || error instanceof KafkaError) return undefined;
    throw error;
  }
}
