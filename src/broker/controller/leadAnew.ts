import type { Uuid } from '../../base/uuid.ts';
import { metadataRecord, type MetadataDecision, type NewMetadataRecord } from './controller.ts';
import type { MetadataImage } from './metadataImage.ts';

interface LedPartition {
  readonly topic: string;
  readonly topicId: Uuid;
  readonly partition: number;
}

/**
 * A broker leads a partition again that its disk had refused. Kafka's controller changes it to no leader when the disk
 * fails and to the broker when it is back, each with a new leader epoch; here both are written when it is back, as the
 * metadata may be on the disk that failed. [ReplicationControlManager.handleDirectoriesOffline, decision 36]
 */
export function leadAnew(
  image: MetadataImage,
  { topic, topicId, partition: partitionId }: LedPartition,
  nodeId: number,
): MetadataDecision<undefined> {
  const present = image.topic(topic);
  const isLed = present?.topicId === topicId && present.partitions[partitionId]?.leader === nodeId;
  const change = (leader: number): NewMetadataRecord =>
    metadataRecord('partitionChange', { partitionId, topicId, leader }, { topic });
  return { records: isLed ? [change(noLeader), change(nodeId)] : [], result: undefined };
}

const noLeader = -1;
