import { inTurns, type Steps } from '../base/turns.ts';
import { Emitter } from '../base/event.ts';
import { errorMessage } from '../base/logger.ts';
import type { GroupCoordinator } from '../coordinator/group/groupCoordinator.ts';
import type { CompactedLog } from '../storage/logCleaner.ts';
import { LogManager } from '../storage/logManager.ts';
import { ClientTelemetry } from './clientTelemetry.ts';
import { topicLogConfig } from './config/effectiveConfigs.ts';
import { AutoTopics } from './controller/autoTopics.ts';
import type { MetadataChanges } from './controller/controller.ts';
import type { MetadataImage, TopicImage } from './controller/metadataImage.ts';
import { ProducerIds } from './controller/producerIds.ts';
import { offsetsTopic, transactionTopic } from './controller/topicNames.ts';
import { readCoordinatorEntries } from './coordinatorLog.ts';
import { FetchMemory } from './fetch/fetchMemory.ts';
import { FetchSessionCache } from './fetch/fetchSessionCache.ts';
import { ServedPositions } from './fetch/servedPositions.ts';
import { groupCoordinatorOf } from './groupCoordinatorOf.ts';
import { memoryBounds } from './memoryBounds.ts';
import { OpenConnections } from './openConnections.ts';
import { Partition } from './partition.ts';
import { ClientQuotas } from './quotas/clientQuotas.ts';
import { ConnectionQuotas } from './quotas/connectionQuotas.ts';
import { ConnectionRates } from './quotas/connectionRates.ts';
import { Readmissions } from './readmissions.ts';
import { authorizerOf } from './security/authorizer/authorizerOf.ts';
import type { StandardAuthorizer } from './security/authorizer/standardAuthorizer.ts';
import type { BrokerView, ClusterContext } from './brokerView.ts';
import { Transactions } from './transactions/transactions.ts';

/** One broker of the embedded cluster: its logs, the partitions that it leads, its coordinators. */
export class BrokerNode implements BrokerView {
  readonly id: number;
  readonly cluster: ClusterContext;
  readonly groupCoordinator: GroupCoordinator;
  readonly producerIds: ProducerIds;
  readonly transactions: Transactions;
  readonly quotas: ClientQuotas;
  readonly connectionQuotas: ConnectionQuotas;
  /** Undefined: everybody may do everything. */
  readonly authorizer: StandardAuthorizer | undefined;
  readonly clientTelemetry: ClientTelemetry;
  readonly openConnections = new OpenConnections();
  readonly fetchSessions: FetchSessionCache;
  readonly served: ServedPositions;
  readonly fetchMemory = new FetchMemory(memoryBounds.fetchedBytes);
  readonly directory: string;
  readonly #partitions = new Map<string, Partition[]>();
  /** Makes topics that clients ask for, as the broker's configs say. */
  readonly autoTopics: AutoTopics;
  readonly #readmissions: Readmissions;
  readonly #closeEmitter = new Emitter<void>();
  #logs: LogManager | undefined;
  #cleaning: { dispose(): void } | undefined;
  #isClosing = false;

  constructor(id: number, directory: string, cluster: ClusterContext) {
    this.id = id;
    this.directory = directory;
    this.cluster = cluster;
    this.producerIds = new ProducerIds(cluster.controller, id);
    this.autoTopics = new AutoTopics(cluster);
    const { clock, random, logger, config, controller } = cluster;
    const onDidReturn = (partition: Partition): void => this.#onDidReturn(partition);
    this.#readmissions = new Readmissions({ nodeId: id, controller, logger, onDidReturn });
    this.quotas = new ClientQuotas(() => this.image, clock);
    const rates = new ConnectionRates(() => this.image, clock);
    this.connectionQuotas = new ConnectionQuotas({ config, rates, clock });
    this.authorizer = authorizerOf(config, () => this.image.acls, logger);
    this.clientTelemetry = new ClientTelemetry({
      clock,
      random,
      image: () => this.image,
      maxBytes: config.number('telemetry.max.bytes'),
    });
    const maxSessions = config.number('max.incremental.fetch.session.cache.slots');
    this.fetchSessions = new FetchSessionCache(maxSessions, random);
    this.served = new ServedPositions(clock);
    this.groupCoordinator = groupCoordinatorOf(this);
    this.transactions = new Transactions(this);
  }

  get image(): MetadataImage {
    return this.cluster.controller.image;
  }

  /** The broker stops: long polls are to be let go. */
  get onWillClose() {
    return this.#closeEmitter.event;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Opens the data directory and every partition that the metadata places here. */
  async open(): Promise<void> {
    const { config, image } = { config: this.cluster.config, image: this.image };
    this.#logs = await LogManager.open({
      fileSystem: this.cluster.fileSystem,
      clock: this.cluster.clock,
      random: this.cluster.random,
      logger: this.cluster.logger,
      directory: this.directory,
      nodeId: this.id,
      clusterId: this.cluster.clusterId,
      defaultConfig: topicLogConfig(config, new Map()),
      configOf: (topic) => {
        const found = image.topic(topic);
        return found && topicLogConfig(config, found.configs);
      },
      isStray: ({ topic, topicId, partition }) => {
        const found = image.topic(topic);
        return found?.topicId !== topicId || found.partitions[partition] === undefined;
      },
      onDidFail: ({ topic, partition }) => this.#unloadCoordinator(topic, partition),
      onDidRecover: ({ topic, partition: index }) => {
        const partition = this.partition(topic, index);
        if (partition) this.#readmissions.begin(partition);
      },
      retentionCheckIntervalMs: config.number('log.retention.check.interval.ms'),
      get producerIdExpirationMs() {
        return config.number('producer.id.expiration.ms');
      },
      producerCheckIntervalMs: config.number('producer.id.expiration.check.interval.ms'),
      isCleanerEnabled: config.boolean('log.cleaner.enable'),
      cleanerBackoffMs: config.number('log.cleaner.backoff.ms'),
      cleanerDedupeBufferBytes: config.number('log.cleaner.dedupe.buffer.size'),
    });
    await inTurns(this.#hostTopics([...image.topics.values()]));
    this.#logs.startMaintenance();
    this.#scheduleCleaning();
    this.transactions.start();
  }

  partition(topic: string, partition: number): Partition | undefined {
    return this.#partitions.get(topic)?.[partition];
  }

  *partitions(): Generator<Partition> {
    for (const list of this.#partitions.values()) yield* list.filter(Boolean);
  }

  /** Makes changes of the metadata true here. What the disk refuses holds up nobody else. */
  async apply({ topics: changes, hasBrokerConfigs }: MetadataChanges): Promise<void> {
    if (hasBrokerConfigs) {
      this.connectionQuotas.followConfigs();
      await inTurns(this.#followConfigs());
    }
    const deleted = changes.filter(({ before, after }) => before && before !== after);
    const gone = deleted
      .filter(({ before, after }) => before?.topicId !== after?.topicId)
      .map(({ name }) => name);
    if (gone.length > 0) {
      await this.#dropTopics(gone);
      await this.groupCoordinator.onTopicsDeleted(gone);
    }
    await inTurns(this.#hostTopics(changes.flatMap(({ after }) => after ?? [])));
    const hasNew = changes.some(({ before, after }) => after && !before);
    const names = changes.map(({ name }) => name);
    await this.groupCoordinator.onTopicsChanged(names, hasNew);
  }

  /** Compacts every compacted topic's logs, however little is dirty. */
  compactNow(): Promise<readonly CompactedLog[]> {
    return this.#logManager.compactNow();
  }

  /** Lets long polls go and loses the groups' members; requests are still answered. */
  beginClose(): void {
    this.#isClosing = true;
    this.#closeEmitter.fire();
  }

  /** The clean stop; no request may come in any more. */
  async close(): Promise<void> {
    this.#cleaning?.dispose();
    this.groupCoordinator.dispose();
    this.transactions.dispose();
    for (const partition of this.partitions()) partition.leave('NOT_LEADER_OR_FOLLOWER');
    await this.#logs?.close();
    await this.#readmissions.whenSettled();
  }

  *#hostTopics(topics: readonly TopicImage[]): Steps<void> {
    for (const topic of topics) yield* this.#hostTopic(topic);
  }

  *#hostTopic(topic: TopicImage): Steps<void> {
    const config = topicLogConfig(this.cluster.config, topic.configs);
    const hosted = this.#partitions.get(topic.name) ?? [];
    this.#partitions.set(topic.name, hosted);
    const { name, topicId } = topic;
    const placedHere = topic.partitions.filter(({ replicas }) => replicas.includes(this.id));
    for (const image of placedHere) {
      yield;
      const index = image.partition;
      const present = hosted[index];
      if (present) {
        present.log.updateConfig(config);
        present.follow(image);
        continue;
      }
      const log = this.#logManager.host({ topic: name, partition: index, topicId, config });
      const partition = new Partition({ topic: name, topicId, log, nodeId: this.id, image });
      hosted[index] = partition;
      this.#loadCoordinator(partition);
    }
  }

  #loadCoordinator(partition: Partition): void {
    if (partition.topic === offsetsTopic) this.#loadGroups(partition);
    if (partition.topic === transactionTopic) this.transactions.load(partition);
  }

  #unloadCoordinator(topic: string, index: number): void {
    if (topic === offsetsTopic) this.groupCoordinator.unload(index);
    if (topic === transactionTopic) this.transactions.coordinator.unload(index);
  }

  /** A partition that was offline is not any more. */
  #onDidReturn(partition: Partition): void {
    const { topic, partition: index } = partition;
    if (this.#isClosing || this.partition(topic, index) !== partition) return;
    partition.updateHighWatermark();
    this.#loadCoordinator(partition);
  }

  /** Topics' defaults may have changed. */
  *#followConfigs(): Steps<void> {
    for (const [topic, hosted] of [...this.#partitions]) {
      const configs = this.image.topic(topic)?.configs ?? new Map<string, string>();
      const config = topicLogConfig(this.cluster.config, configs);
      for (const { log } of hosted.filter(Boolean)) {
        log.updateConfig(config);
        yield;
      }
    }
  }

  get #logManager(): LogManager {
    if (!this.#logs) throw new Error('the broker is not open');
    return this.#logs;
  }

  /** Groups are loaded beside everything else: until then they are answered COORDINATOR_LOAD_IN_PROGRESS. */
  #loadGroups(partition: Partition): void {
    const records = readCoordinatorEntries(partition.log);
    this.groupCoordinator
      .load(partition.partition, partition.leaderEpoch, records)
      .catch((error: unknown) => {
        if (this.#isClosing || !partition.isLeader) return;
        this.cluster.logger.error(
          `cannot load the groups of ${offsetsTopic}-${partition.partition}: ${errorMessage(error)}`,
        );
      });
  }

  async #dropTopics(names: readonly string[]): Promise<void> {
    await this.#logManager.deleteAll(await inTurns(this.#takeOut(names)));
  }

  *#takeOut(names: readonly string[]): Steps<Partition[]> {
    const dropped: Partition[] = [];
    for (const name of names) {
      const hosted = this.#partitions.get(name) ?? [];
      this.#partitions.delete(name);
      for (const partition of hosted.filter(Boolean)) {
        this.#leave(partition);
        dropped.push(partition);
        yield;
      }
      yield;
    }
    return dropped;
  }

  #leave(partition: Partition): void {
    partition.leave('UNKNOWN_TOPIC_OR_PARTITION');
    this.#unloadCoordinator(partition.topic, partition.partition);
  }

  #scheduleCleaning(): void {
    const { clock, config, logger } = this.cluster;
    const intervalMs = config.number('offsets.retention.check.interval.ms');
    this.#cleaning = clock.setTimer(intervalMs, () => {
      this.groupCoordinator
        .cleanExpired()
        .catch((error: unknown) => logger.error(`cannot expire offsets: ${errorMessage(error)}`))
        .finally(() => this.#scheduleCleaning());
    });
  }
}
