import type { Clock } from '../base/clock.ts';
import type { LevelledLogger } from './levelledLogger.ts';
import type { Random } from '../base/random.ts';
import type { Uuid } from '../base/uuid.ts';
import type { GroupCoordinator } from '../coordinator/group/groupCoordinator.ts';
import type { FileSystem } from '../storage/fileSystem.ts';
import type { BrokerConfig } from './config/brokerConfigs.ts';
import type { Controller } from './controller/controller.ts';
import type { TopicRules } from './controller/createTopics.ts';
import type { Emulation } from './emulation/emulation.ts';
import type { MetadataImage } from './controller/metadataImage.ts';
import type { ProducerIds } from './controller/producerIds.ts';
import type { Partition } from './partition.ts';

/** A broker's address as clients are told it. */
export interface BrokerEndpoint {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

/** What the brokers of a cluster have in common. */
export interface ClusterContext {
  readonly clusterId: Uuid;
  readonly config: BrokerConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: LevelledLogger;
  readonly fileSystem: FileSystem;
  readonly controller: Controller;
  /** The brokers that are up, as clients of the listener reach them; of the first one where none is named. */
  readonly endpoints: (listener?: string) => readonly BrokerEndpoint[];
  /** The server that this one behaves as, where that is not Apache Kafka 4.4. */
  readonly emulation: Emulation | undefined;
  readonly topicRules: () => TopicRules;
}

/** A broker as its own parts see it. */
export interface BrokerView {
  readonly id: number;
  readonly cluster: ClusterContext;
  readonly image: MetadataImage;
  readonly groupCoordinator: GroupCoordinator;
  readonly producerIds: ProducerIds;
  readonly isClosing: boolean;
  partition(topic: string, partition: number): Partition | undefined;
}
