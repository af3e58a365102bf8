import { type Deferred, deferred } from '../../base/deferred.ts';
import { inTurns, type Steps } from '../../base/turns.ts';
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

type Failures = ReadonlyMap<string, TopicFailure>;

interface Asked {
  readonly name: string;
  /** What fails of those that are made together with it. */
  readonly made: Promise<Failures>;
}

interface Begun {
  readonly asked: readonly Asked[];
  /** Of them, what nobody else is making. */
  readonly wanted: readonly string[];
  /** What others are making. */
  readonly underWay: ReadonlySet<Asked['made']>;
}

/** Creates topics that clients ask for without having created them. [DefaultAutoTopicCreationManager] */
export class AutoTopics {
  readonly #cluster: TopicMaker;
  readonly #underWay = new Map<string, Asked['made']>();

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
    const made = deferred<Failures>();
    // It may fail before anybody waits for it.
    made.promise.catch(() => undefined);
    const { asked, wanted, underWay } = await inTurns(this.#begin(names, made.promise));
    void this.#make(wanted, made);
    const results = new Map([[made.promise, await made.promise]]);
    for (const each of underWay) results.set(each, await each);
    return inTurns(failuresOf(asked, results));
  }

  *#begin(names: readonly string[], made: Asked['made']): Steps<Begun> {
    const asked: Asked[] = [];
    const wanted: string[] = [];
    const underWay = new Set<Asked['made']>();
    for (const name of names) {
      yield;
      if (name === metadataTopic) continue;
      const others = this.#underWay.get(name);
      asked.push({ name, made: others ?? made });
      if (others !== undefined) {
        underWay.add(others);
        continue;
      }
      this.#underWay.set(name, made);
      wanted.push(name);
    }
    return { asked, wanted, underWay };
  }

  /** Never rejects; `made` does. */
  async #make(names: readonly string[], made: Deferred<Failures>): Promise<void> {
    try {
      const failures = await this.#plan(names);
      await inTurns(this.#forget(names));
      made.resolve(failures);
    } catch (error) {
      await inTurns(this.#forget(names));
      made.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #plan(names: readonly string[]): Promise<Failures> {
    if (names.length === 0) return Promise.resolve(new Map());
    const { controller, topicRules } = this.#cluster;
    const settings = (name: string): NewTopic => this.#settings(name);
    return controller.change((image) => planAll(names, settings, { image, rules: topicRules() }));
  }

  *#forget(names: readonly string[]): Steps<void> {
    for (const name of names) {
      yield;
      this.#underWay.delete(name);
    }
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

function* failuresOf(
  asked: readonly Asked[],
  results: ReadonlyMap<Asked['made'], Failures>,
): Steps<readonly TopicFailure[]> {
  const failures: TopicFailure[] = [];
  for (const { name, made } of asked) {
    yield;
    const failure = results.get(made)?.get(name);
    if (failure !== undefined) failures.push(failure);
  }
  return failures;
}

function* planAll(
  names: readonly string[],
  settings: (name: string) => NewTopic,
  { image, rules }: { readonly image: MetadataImage; readonly rules: TopicRules },
): Steps<{ records: NewMetadataRecord[]; result: Failures }> {
  const records: NewMetadataRecord[] = [];
  const failures = new Map<string, TopicFailure>();
  for (const name of names) {
    yield;
    const plan = yield* planTopic(image, settings(name), rules);
    for (const record of plan.records) records.push(record);
    const { result } = plan;
    if ('error' in result && result.error !== 'TOPIC_ALREADY_EXISTS') failures.set(name, result);
  }
  return { records, result: failures };
}
