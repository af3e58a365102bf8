import type { BrokerConfig } from '../config/brokerConfigs.ts';
import type { Controller } from './controller.ts';
import { type NewTopic, planTopic, type TopicRules } from './createTopics.ts';
import { offsetsTopic, transactionTopic } from './topicNames.ts';

/** The cluster, as far as making topics goes. */
export interface TopicMaker {
  readonly config: BrokerConfig;
  readonly controller: Controller;
  readonly topicRules: () => TopicRules;
}

/** Creates topics that clients ask for without having created them. [DefaultAutoTopicCreationManager] */
export class AutoTopics {
  readonly #cluster: TopicMaker;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(cluster: TopicMaker) {
    this.#cluster = cluster;
  }

  /** Resolves once the topic is there, whoever created it; rejects, in words, where it cannot be. */
  create(name: string): Promise<void> {
    const present = this.#underWay.get(name);
    if (present) return present;
    const created = this.#create(name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, created);
    return created;
  }

  async #create(name: string): Promise<void> {
    const { controller, topicRules } = this.#cluster;
    const result = await controller.change((image) =>
      planTopic(image, this.#settings(name), topicRules()),
    );
    if ('error' in result && result.error !== 'TOPIC_ALREADY_EXISTS') {
      throw new Error(result.message);
    }
  }

  #settings(name: string): NewTopic {
    if (name === offsetsTopic) return this.#offsetsTopic();
    if (name === transactionTopic) return this.#transactionTopic();
    return { name, partitionCount: -1, replicationFactor: -1, configs: new Map() };
  }

  /** [GroupCoordinatorService.groupMetadataTopicConfigs] */
  #offsetsTopic(): NewTopic {
    const { config } = this.#cluster;
    return {
      name: offsetsTopic,
      partitionCount: config.number('offsets.topic.num.partitions'),
      replicationFactor: config.number('offsets.topic.replication.factor'),
      configs: new Map([
        ['cleanup.policy', 'compact'],
        ['compression.type', 'producer'],
        ['segment.bytes', String(config.number('offsets.topic.segment.bytes'))],
      ]),
    };
  }

  /** [TransactionStateManager.transactionTopicConfigs] */
  #transactionTopic(): NewTopic {
    const { config } = this.#cluster;
    return {
      name: transactionTopic,
      partitionCount: config.number('transaction.state.log.num.partitions'),
      replicationFactor: config.number('transaction.state.log.replication.factor'),
      configs: new Map([
        ['cleanup.policy', 'compact'],
        ['compression.type', 'uncompressed'],
        ['min.insync.replicas', String(config.number('transaction.state.log.min.isr'))],
        ['segment.bytes', String(config.number('transaction.state.log.segment.bytes'))],
        ['unclean.leader.election.enable', 'false'],
      ]),
    };
  }
}
