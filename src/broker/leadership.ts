import type { BrokerView } from './brokerView.ts';
import { hasEligibleReplicas } from './controller/features.ts';
import type { PartitionImage } from './controller/metadataImage.ts';

/** How a partition stands, as clients are told. */
export interface Leadership {
  /** -1: nobody leads it now. */
  readonly leaderId: number;
  readonly isrNodes: readonly number[];
  readonly offlineReplicas: readonly number[];
  /** Who may lead it though not in sync. [KIP-966] */
  readonly eligibleLeaderReplicas: readonly number[];
  readonly lastKnownElr: readonly number[];
}

/**
 * Tells who leads a topic's partitions. Kafka's controller takes the leadership of partitions from a broker that is
 * down and from one whose disk refuses their directory. The last one in sync stays that or, with KIP-966, becomes
 * eligible alone. [ReplicationControlManager.handleDirectoriesOffline, PartitionChangeBuilder, KRaftMetadataCache]
 */
export function leadershipIn(
  node: BrokerView,
  topic: string,
): (partition: PartitionImage) => Leadership {
  const up = new Set(node.cluster.endpoints().map(({ id }) => id));
  const isIsrEmptied = hasEligibleReplicas(node.image.features);
  return ({ partition, leader, replicas, isr }) => {
    const isRefused = node.partition(topic, partition)?.problem !== undefined;
    const isOffline = (id: number): boolean => !up.has(id) || (isRefused && id === node.id);
    const offlineReplicas = replicas.filter(isOffline);
    if (leader >= 0 && !isOffline(leader))
      return { ...led, leaderId: leader, isrNodes: isr, offlineReplicas };
    if (!isIsrEmptied) return { ...led, leaderId: -1, isrNodes: isr, offlineReplicas };
    const lastKnownElr = leader >= 0 ? [leader] : [];
    return {
      leaderId: -1,
      isrNodes: [],
      offlineReplicas,
      eligibleLeaderReplicas: isr,
      lastKnownElr,
    };
  };
}

const led = { eligibleLeaderReplicas: [], lastKnownElr: [] };
