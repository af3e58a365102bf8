import type { Clock } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { errorCodes } from '../protocol/errors.ts';
import { KafkaError, throwOnError } from './kafkaError.ts';
import {
  type BrokerNode,
  type ClusterMetadata,
  readMetadata,
  type TopicMetadata,
} from './metadata.ts';
import type { TopicPartition } from './partitionMap.ts';
import type { CallOptions, ResponseOf } from './request.ts';

interface MetadataCacheOptions {
  readonly clock: Clock;
  readonly load: (
    topics: readonly string[] | null,
    call: CallOptions,
  ) => Promise<ResponseOf<'metadata'>>;
}

/** As answers to Produce and Fetch have them. */
export interface NewLeader {
  /** -1: the broker does not say. */
  readonly leaderId: number;
  readonly leaderEpoch: number;
}

export interface Endpoint {
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | null;
}

/** metadata.max.age.ms of Kafka's clients. */
const maxAgeMs = 300_000;

/** What the cluster said of its brokers and topics, for finding leaders. Views ask afresh through `refresh`. */
export class MetadataCache {
  readonly #options: MetadataCacheOptions;
  readonly #topics = new Map<string, { readonly topic: TopicMetadata; readonly atMs: number }>();
  #brokers: ReadonlyMap<number, BrokerNode> = new Map();
  /** Whether brokers may listen elsewhere by now. */
  #areBrokersStale = false;
  #controllerId = -1;

  constructor(options: MetadataCacheOptions) {
    this.#options = options;
  }

  get brokers(): readonly BrokerNode[] {
    return [...this.#brokers.values()];
  }

  topic(name: string): TopicMetadata | undefined {
    const entry = this.#topics.get(name);
    if (entry === undefined) return undefined;
    return this.#options.clock.monotonicMs() - entry.atMs < maxAgeMs ? entry.topic : undefined;
  }

  /** Asks for some topics, or for all (null), and keeps the answer. */
  async refresh(topics: readonly string[] | null, call: CallOptions): Promise<ClusterMetadata> {
    const response = await this.#options.load(topics, call);
    throwOnError(response.errorCode, { api: 'metadata' });
    const metadata = await readMetadata(response, this.#options.clock);
    // A broker that is starting may not know the others yet: an empty list says nothing.
    if (metadata.brokers.length > 0) {
      this.#brokers = new Map(metadata.brokers.map((broker) => [broker.id, broker]));
      this.#areBrokersStale = false;
    }
    this.#controllerId = metadata.controllerId;
    if (topics === null) this.#topics.clear();
    for (const name of metadata.topicErrors.keys()) this.#topics.delete(name);
    const atMs = this.#options.clock.monotonicMs();
    for (const topic of metadata.topics.values()) this.#topics.set(topic.name, { topic, atMs });
    return metadata;
  }

  /**
   * Takes over who leads a partition now, where that is newer than what is known. Answers whether it was.
   * [Metadata.updatePartitionLeadership]
   */
  learnLeader(
    { topic: name, partition }: TopicPartition,
    { leaderId, leaderEpoch }: NewLeader,
    endpoints: readonly Endpoint[],
  ): boolean {
    // As most answers have it: nothing is looked up for them.
    if (leaderId < 0) return false;
    const entry = this.#topics.get(name);
    const known = entry?.topic.partitions.find((each) => each.partition === partition);
    if (!entry || !known || leaderEpoch <= known.leaderEpoch) return false;
    const endpoint = endpoints.find(({ nodeId }) => nodeId === leaderId);
    if (endpoint) {
      const { nodeId: id, host, port, rack } = endpoint;
      this.#brokers = new Map([...this.#brokers, [id, { id, host, port, rack }]]);
    }
    if (!this.#brokers.has(leaderId)) return false;
    const partitions = entry.topic.partitions.map((each) =>
      each === known ? { ...each, leader: leaderId, leaderEpoch } : each,
    );
    this.#topics.set(name, { ...entry, topic: { ...entry.topic, partitions } });
    return true;
  }

  /** Where a broker listens. Throws where no answer named it. */
  async broker(id: number, call: CallOptions): Promise<BrokerNode> {
    const known = this.#brokers.get(id);
    if (known && !this.#areBrokersStale) return known;
    await this.refresh([], call);
    const found = this.#brokers.get(id);
    if (found) return found;
    const detail = t('broker {0} is not among the brokers that are up', id);
    throw new KafkaError(errorCodes.BROKER_NOT_AVAILABLE, { api: 'metadata', detail });
  }

  async controller(call: CallOptions): Promise<number> {
    if (this.#controllerId < 0) await this.refresh([], call);
    if (this.#controllerId >= 0) return this.#controllerId;
    throw new KafkaError(errorCodes.NOT_CONTROLLER, {
      api: 'metadata',
      detail: t('the cluster has no active controller'),
    });
  }

  forget(names: Iterable<string>): void {
    for (const name of names) this.#topics.delete(name);
  }

  forgetController(): void {
    this.#controllerId = -1;
  }

  /** Forgets leaders and the controller; brokers stay as addresses to ask where they are now. */
  clear(): void {
    this.#topics.clear();
    this.#areBrokersStale = true;
    this.forgetController();
  }
}
