import type { Steps } from '../../base/turns.ts';
import type { BrokerConfig } from '../config/brokerConfigs.ts';
import type { Controller, NewMetadataRecord } from './controller.ts';
import { type NewTopic, planTopic, type TopicFailure, type TopicRules } from './createTopics.ts';
import type { MetadataImage } from './metadataImage.ts';
import { metadataTopic, offsetsTopic, shareStateTopic, transactionTopic } from './topicNames.ts';

/** The cluster, as far as making topics goes. */
export interface TopicMaker {
  readonly config: BrokerConfig;
  readonly controller: Controller;
  readonly topicRules: () => TopicRules;
}

/** Creates topics that clients ask for without having created them. [DefaultAutoTopicCreationManager] */
export class AutoTopics {
  readonly #cluster: TopicMaker;
  /** By name, with what fails of those that are made together with it. */
  readonly #underWay = new Map<string, Promise<ReadonlyMap<string, TopicFailure>>>();

  constructor(cluster: TopicMaker) {
    this.#cluster = cluster;
  }

  /** Resolves once the topic is there, whoever created it; rejects, in words, where it cannot be. */
  async create(name: string): Promise<void> {
    const [failure] = await this.createTogether([name]);
    if (failure) throw new Error(failure.message);
  }

  /**
   * As one request of the controller: names of which each would collide with another are all taken, and its own log is
   * no topic. Resolves once the topics are there, with those that cannot be.
   */
  async createTogether(names: readonly string[]): Promise<readonly TopicFailure[]> {
    const wanted = names.filter((name) => !this.#underWay.has(name) && name !== metadataTopic);
    if (wanted.length > 0) this.#begin(wanted);
    const results = await Promise.all(
      names.map(async (name) => (await this.#underWay.get(name))?.get(name)),
    );
    return results.filter((failure) => failure !== undefined);
  }

  #begin(names: readonly string[]): void {
    const { controller, topicRules } = this.#cluster;
    const settings = names.map((name) => this.#settings(name));
    const made = controller
      .change((image) => planAll(image, settings, topicRules()))
      .then((failures) => new Map(failures.map((failure) => [failure.name, failure])))
      .finally(() => {
        for (const name of names) this.#underWay.delete(name);
      });
    for (const name of names) this.#underWay.set(name, made);
  }

  #settings(name: string): NewTopic {
    if (name === offsetsTopic) return this.#offsetsTopic();
    if (name === transactionTopic) return this.#transactionTopic();
    if (name === shareStateTopic) return this.#shareStateTopic();
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

  /** Nobody needs it here, and yet who asks for it gets it. [ShareCoordinatorService.shareGroupStateTopicConfigs] */
  #shareStateTopic(): NewTopic {
    const { config } = this.#cluster;
    const own = 'share.coordinator.state.topic';
    return {
      name: shareStateTopic,
      partitionCount: config.number(`${own}.num.partitions`),
      replicationFactor: config.number(`${own}.replication.factor`),
      configs: new Map([
        ['cleanup.policy', 'delete'],
        ['compression.type', 'producer'],
        ['segment.bytes', String(config.number(`${own}.segment.bytes`))],
        ['min.insync.replicas', String(config.number(`${own}.min.isr`))],
        ['retention.ms', '-1'],
      ]),
    };
  }
}

function* planAll(
  image: MetadataImage,
  topics: readonly NewTopic[],
  rules: TopicRules,
): Steps<{ records: NewMetadataRecord[]; result: TopicFailure[] }> {
  const records: NewMetadataRecord[] = [];
  const failures: TopicFailure[] = [];
  for (const topic of topics) {
    const plan = yield* planTopic(image, topic, rules);
    for (const record of plan.records) records.push(record);
    const { result } = plan;
    if ('error' in result && result.error !== 'TOPIC_ALREADY_EXISTS') failures.push(result);
  }
  return { records, result: failures };
}
