import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { t } from '../base/l10n.ts';
import { type Logger, errorMessage, silentLogger } from '../base/logger.ts';
import { type Random, systemRandom } from '../base/random.ts';
import type { ApiName } from '../protocol/apis.ts';
import { errorCodes } from '../protocol/errors.ts';
import { parseAddress } from './address.ts';
import { AnswerMemory } from './answerMemory.ts';
import { BrokerRoutes } from './brokerRoutes.ts';
import { workbenchClientId } from './clientId.ts';
import type { Connection } from './connection.ts';
import { ConnectionPool } from './connectionPool.ts';
import { GroupCoordinators } from './groupCoordinators.ts';
import {
  ConnectionError,
  DeadlineError,
  isBrokerDown,
  isUnknownTopic,
  KafkaError,
} from './kafkaError.ts';
import type { BrokerNode, ClusterMetadata, TopicMetadata } from './metadata.ts';
import { type Endpoint, MetadataCache, type NewLeader } from './metadataCache.ts';
import { type Outcome, valueOf } from './outcome.ts';
import type { TopicPartition } from './partitionMap.ts';
import type { BodyFor, CallOptions, RequestOptions, ResponseOf, Requester } from './request.ts';
import { isWorthRetrying, retrying } from './retry.ts';
import { AccessTokens } from './sasl/accessTokens.ts';
import { plaintext, type SecurityOptions } from './security.ts';
import { TopicNews } from './topicNews.ts';
import { Deadline } from './waiting.ts';

export interface KafkaClientOptions {
  /** `host:port` list. */
  readonly bootstrap: readonly string[];
  readonly clientId?: string;
  readonly security?: SecurityOptions;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly connectTimeoutMs?: number;
  /** For a call with all its retries, where the call does not say. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;
const defaultConnectTimeoutMs = 10_000;
/** Of one try: a broker that does not answer for so long leaves time to ask another. [request.timeout.ms] */
const requestTimeoutMs = 30_000;
const longestNewsWaitMs = 5000;
const mainLane = 'main';
/** What is looked up on the way to a request. */
const lookups: ReadonlySet<ApiName> = new Set<ApiName>(['metadata', 'findCoordinator']);

/**
 * Our own Kafka client: connections, what is where, retries. It creates no topic and no group by
 * itself. Errors of brokers that a response carries beside data are the caller's to raise; `retry`
 * refreshes what they show to be stale.
 */
export class KafkaClient implements Disposable, Requester {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly topicNews: TopicNews;
  readonly coordinators = new GroupCoordinators(this);
  readonly #timeoutMs: number;
  readonly #tokens: AccessTokens;
  readonly #pool: ConnectionPool;
  readonly #metadata: MetadataCache;
  readonly #routes: BrokerRoutes;

  /** Opens nothing yet. Throws where an address cannot be read. */
  constructor(options: KafkaClientOptions) {
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? systemRandom;
    this.logger = options.logger ?? silentLogger;
    this.topicNews = new TopicNews(this.clock);
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    this.#tokens = new AccessTokens(this.clock);
    this.#pool = new ConnectionPool({
      clientId: options.clientId ?? workbenchClientId,
      security: options.security ?? plaintext,
      clock: this.clock,
      random: this.random,
      tokens: this.#tokens,
      memory: new AnswerMemory(),
      connectTimeoutMs: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    });
    this.#metadata = new MetadataCache({
      clock: this.clock,
      load: (topics, call) => this.#loadMetadata(topics, call),
    });
    this.#routes = new BrokerRoutes({
      ...{ pool: this.#pool, metadata: this.#metadata },
      bootstrap: options.bootstrap.map(parseAddress),
      deadline: (call) => this.deadline(call),
      coordinator: (group, call) => this.coordinators.ofOne(group, call),
      topic: (name, call) => this.topic(name, call),
    });
  }

  /** Sends a request to the broker that `to` names, at the highest version both sides have. */
  request<A extends ApiName>(
    api: A,
    body: BodyFor<A>,
    options: RequestOptions,
  ): Promise<ResponseOf<A>> {
    const { to, lane = mainLane, signal, expectsResponse = true } = options;
    const sendOnce = async (call: CallOptions): Promise<ResponseOf<A>> => {
      const deadline = this.deadline(call);
      const connection = await this.#routes.connectionTo(to, lane, call);
      if (deadline.hasPassed) throw deadline.error(t('no connection for {0}', api));
      const version = connection.versions.negotiate(api, options);
      const made = typeof body === 'function' ? body(version) : body;
      const timeoutMs = Math.min(deadline.remainingMs, requestTimeoutMs);
      const sent = connection
        .send(api, made, { version, timeoutMs, signal, expectsResponse })
        .catch((error: unknown) => this.#rethrowLate(error, connection, deadline));
      return lookups.has(api) ? sent.catch(rethrowAsUnsent) : sent;
    };
    return this.retry(sendOnce, options);
  }

  /**
   * Runs an operation again when it fails with something that passes, after refreshing what was stale. It hands its
   * `call` on to its parts, which then try once each.
   */
  retry<T>(
    operation: (call: CallOptions) => Promise<T>,
    options: CallOptions & { readonly isRepeatable?: boolean } = {},
  ): Promise<T> {
    const { signal, within, isRepeatable = true } = options;
    if (within) return operation({ signal, within });
    const deadline = this.deadline(options);
    return retrying(() => operation({ signal, within: deadline }), {
      ...{ clock: this.clock, random: this.random, deadline, signal, isRepeatable },
      isAboutNews: (error) => this.#isAboutNews(error),
      beforeRetry: (error) => {
        this.logger.debug(`trying again: ${errorMessage(error)}`);
        this.forgetAfter(error);
      },
    });
  }

  /** Whether another try may help, after `tries` of them, for who counts them. */
  isWorthRetrying(error: unknown, tries: number): boolean {
    return isWorthRetrying(error, { tries, isAboutNews: this.#isAboutNews(error) });
  }

  deadline(options: CallOptions): Deadline {
    return options.within ?? new Deadline(this.clock, options.timeoutMs ?? this.#timeoutMs);
  }

  /** Fresh metadata of some topics, or of all (null). Topics that cannot be described are errors in it. */
  metadata(topics: readonly string[] | null, options: CallOptions = {}): Promise<ClusterMetadata> {
    return this.#metadata.refresh(topics, options);
  }

  /** What is known of a topic, asked for if nothing is. Throws the broker's error if it has none. */
  topic(name: string, options: CallOptions = {}): Promise<TopicMetadata> {
    return this.retry(async (call) => {
      const outcome = (await this.topics([name], call)).get(name);
      const topic = outcome && valueOf(outcome);
      if (topic && !this.topicNews.isOld(topic)) return topic;
      throw new KafkaError(errorCodes.UNKNOWN_TOPIC_OR_PARTITION, { api: 'metadata', topic: name });
    }, options);
  }

  /** What is known of topics; the unknown ones are asked for together. One that fails is beside the rest. */
  async topics(
    names: readonly string[],
    options: CallOptions = {},
  ): Promise<Map<string, Outcome<TopicMetadata>>> {
    const outcomes = new Map<string, Outcome<TopicMetadata>>();
    const unknown: string[] = [];
    for (const name of names) {
      const known = this.#metadata.topic(name);
      if (known) outcomes.set(name, { value: known });
      else unknown.push(name);
    }
    if (unknown.length === 0) return outcomes;
    const { topics, topicErrors } = await this.metadata(unknown, options);
    for (const [name, error] of topicErrors) outcomes.set(name, { error });
    for (const [name, value] of topics) outcomes.set(name, { value });
    return outcomes;
  }

  /**
   * What was created or grown is waited for: who looks next should find it. It is done, also where this cannot see it.
   */
  async awaitNews(topic: string, partitionCount: number, options: CallOptions): Promise<void> {
    this.topicNews.add(topic, partitionCount);
    this.forgetTopics([topic]);
    const timeoutMs = Math.min(longestNewsWaitMs, this.deadline(options).remainingMs);
    await this.topic(topic, { signal: options.signal, timeoutMs }).catch(() => undefined);
  }

  /** Takes over what a broker that leads no longer says of who does. [KIP-951] */
  learnLeader(of: TopicPartition, leader: NewLeader, endpoints: readonly Endpoint[]): boolean {
    return this.#metadata.learnLeader(of, leader, endpoints);
  }

  /** Makes the next request for these topics ask again where they are. */
  forgetTopics(names: Iterable<string>): void {
    this.#metadata.forget(names);
  }

  /** Every broker, freshly asked for. */
  async brokers(options: CallOptions = {}): Promise<readonly BrokerNode[]> {
    return (await this.metadata([], options)).brokers;
  }

  /** Whether the broker that `to` names has an API; connects to it if need be. */
  async supports(api: ApiName, options: RequestOptions): Promise<boolean> {
    const connection = await this.#routes.connectionTo(options.to, mainLane, options);
    return connection.versions.supports(api, options);
  }

  /** Levels of the cluster's features, as a broker said when it was connected to. */
  async finalizedFeatures(options: CallOptions = {}): Promise<ReadonlyMap<string, number>> {
    return (await this.#routes.connectionTo('any', mainLane, options)).versions.finalizedFeatures;
  }

  closeLane(lane: string): void {
    this.#pool.closeLane(lane);
  }

  /** Closes every connection; what waits rejects. */
  dispose(): void {
    this.#tokens.dispose();
    this.#pool.dispose();
  }

  /** Whether a broker has not heard yet of a topic that was made a moment ago. */
  #isAboutNews(error: unknown): boolean {
    if (!isUnknownTopic(error) || error.topic === undefined) return false;
    return this.topicNews.has(error.topic, error.partition);
  }

  /** Makes the next request ask again for what an error shows to be stale. */
  forgetAfter(error: unknown): void {
    if (error instanceof ConnectionError || isBrokerDown(error)) {
      // The broker may be gone for good: leaders and coordinators are asked for again.
      this.#metadata.clear();
      this.coordinators.clear();
    } else if (error instanceof KafkaError) {
      if (error.code === errorCodes.NOT_CONTROLLER) this.#metadata.forgetController();
      if (error.topic !== undefined && !error.isLeaderKnown) this.forgetTopics([error.topic]);
      if (error.group !== undefined) this.coordinators.forget(error.group);
    }
  }

  /** Only this try is over: its request may have been carried out, and another broker may answer the next. */
  #rethrowLate(error: unknown, { address }: Connection, deadline: Deadline): never {
    if (!(error instanceof DeadlineError) || deadline.hasPassed) throw error;
    this.#routes.noteLate(address);
    throw new ConnectionError(error.message, { address, mayHaveBeenSent: true });
  }

  #loadMetadata(
    topics: readonly string[] | null,
    call: CallOptions,
  ): Promise<ResponseOf<'metadata'>> {
    const names = topics?.map((name) => ({ name })) ?? null;
    // Version 4 is the first that can say: do not create it. [KIP-4]
    const request = { topics: names, allowAutoTopicCreation: false };
    return this.request('metadata', request, { to: 'any', minVersion: 4, ...call });
  }
}

/** What fails on the way to a request has not sent that one. */
function rethrowAsUnsent(error: unknown): never {
  if (!(error instanceof ConnectionError)) throw error;
  const { message, address, cause } = error;
  throw new ConnectionError(message, { address, cause });
}
