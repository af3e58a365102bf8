import type { BrokerView } from './brokerView.ts';
import type { PartitionImage } from './controller/metadataImage.ts';

/** How a partition stands, as clients are told. */
export interface Leadership {
  /** -1: nobody leads it now. */
  readonly leaderId: number;
  readonly offlineReplicas: number[];
}

/**
 * Tells who leads a topic's partitions. Kafka's controller takes the leadership of partitions from a broker that is down
 * and from one whose disk refuses their directory; they stay in the ISR.
 * [ReplicationControlManager.handleDirectoriesOffline, KRaftMetadataCache.getOfflineReplicas]
 */
export function leadershipIn(
  node: BrokerView,
  topic: string,
): (partition: PartitionImage) => Leadership {
  const up = new Set(node.cluster.endpoints().map(({ id }) => id));
  return ({ partition, leader, replicas }) => {
    const isRefused = node.partition(topic, partition)?.log.problem !== undefined;
    const isOffline = (id: number): boolean => !up.has(id) || (isRefused && id === node.id);
    return {
      leaderId: leader >= 0 && !isOffline(leader) ? leader : -1,
      offlineReplicas: replicas.filter(isOffline),
    };
  };
}
