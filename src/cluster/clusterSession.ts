import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { Slices } from '../base/slices.ts';
import { describeCluster } from '../client/admin/cluster.ts';
import { listGroups } from '../client/admin/groups.ts';
import {
  createPartitions,
  createTopic,
  deleteTopics,
  type NewTopic,
} from '../client/admin/topics.ts';
import { topicPages } from '../client/admin/topicPages.ts';
import { KafkaClient } from '../client/kafkaClient.ts';
import { CancelledError, ConnectionError } from '../client/kafkaError.ts';
import { valueOf } from '../client/outcome.ts';
import { plaintext, type SecurityOptions } from '../client/security.ts';
import { orCancelled } from '../client/waiting.ts';
import type { Change } from './activity/change.ts';
import {
  type ChangeLog,
  type RunningChange,
  type UndoneChange,
  unlogged,
} from './activity/changeLog.ts';
import { GroupReads } from './groupReads.ts';
import type {
  BrokerInfo,
  ClusterProfile,
  CommittedOffset,
  ConnectionState,
  GroupFigures,
  GroupSummary,
  GroupView,
  PartitionRow,
  Replica,
  TopicLag,
  TopicSummary,
} from './model.ts';
import { ProblemError, toProblem } from './problems.ts';
import { readRecordCounts } from './recordCounts.ts';
import { readReplicas } from './replicaReads.ts';
import { summariseTopic, TopicReads } from './topicReads.ts';

export type { NewTopic } from '../client/admin/topics.ts';

export interface ClusterSessionOptions {
  /** Where to connect now. The embedded cluster's address may change with each start; empty: it is stopped. */
  readonly bootstrap: () => readonly string[];
  /** How to connect, with its secrets; asked for at each connecting. Left out: PLAINTEXT. */
  readonly security?: () => Promise<SecurityOptions>;
  /** Told of everything that is changed. */
  readonly changes?: ChangeLog;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** What is changed, and what ends it. */
export interface ChangeOptions {
  readonly signal?: AbortSignal | undefined;
  /** What it takes back. */
  readonly undoes?: UndoneChange | undefined;
}

/** The client of a connection with what is read over it. */
interface Connected {
  readonly client: KafkaClient;
  readonly topicReads: TopicReads;
  readonly groupReads: GroupReads;
}

const connectTimeoutMs = 10_000;
/** Topics of a deletion that are named afterwards. */
const topicsNamed = 100;
/** How long the check takes at most whether the whole cluster is gone, or one broker. */
const checkTimeoutMs = 3000;

/**
 * One connected cluster. Every call connects first if need be; failures are turned into words by
 * `toProblem`. Nothing here creates a topic or a group unless its name says so.
 */
export class ClusterSession implements Disposable {
  readonly profile: ClusterProfile;
  readonly #options: ClusterSessionOptions;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #stateEmitter = new Emitter<ConnectionState>();
  readonly onDidChangeState = this.#stateEmitter.event;
  #state: ConnectionState = { kind: 'stopped' };
  #connected: Connected | undefined;
  #connecting: Promise<void> | undefined;
  /** Tells a connection attempt that it was overtaken by a disconnect. */
  #generation = 0;

  constructor(profile: ClusterProfile, options?: Partial<ClusterSessionOptions>) {
    this.profile = profile;
    this.#options = { bootstrap: () => profile.bootstrap, ...options };
    this.#logger = options?.logger ?? silentLogger;
    this.#clock = options?.clock ?? systemClock;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Where and how to connect now, for what connects by itself. Holds secrets: in memory only. */
  async connection(): Promise<{
    readonly name: string;
    readonly bootstrap: string[];
    readonly security: SecurityOptions;
  }> {
    const { bootstrap, security } = this.#options;
    const options = (await security?.()) ?? plaintext;
    return { name: this.profile.name, bootstrap: [...bootstrap()], security: options };
  }

  /** The client beneath, for what the session has no method for. Throws where there is no connection. */
  get client(): KafkaClient {
    if (this.#connected) return this.#connected.client;
    throw new ProblemError(t('{0} is not connected', this.profile.name), t('Connect first.'));
  }

  /** Connects, or answers at once when connected. Rejects with the reason, which `state` then also holds. */
  connect(signal?: AbortSignal): Promise<void> {
    if (this.#connected) return Promise.resolve();
    this.#connecting ??= this.#open().finally(() => (this.#connecting = undefined));
    return orCancelled(this.#connecting, signal);
  }

  /** Closes every connection; the state becomes `stopped`. */
  disconnect(): void {
    this.#close();
    this.#setState({ kind: 'stopped' });
  }

  async brokers(signal?: AbortSignal): Promise<BrokerInfo[]> {
    const { brokers, controllerId } = await this.#call(signal, ({ client }) =>
      describeCluster(client, { signal }),
    );
    return brokers
      .map((broker) => ({ ...broker, isController: broker.id === controllerId }))
      .sort((a, b) => a.id - b.id);
  }

  /** Every topic that may be seen, internal ones too, by name. */
  async topics(signal?: AbortSignal): Promise<TopicSummary[]> {
    return this.#call(signal, async ({ client }) => {
      const topics: TopicSummary[] = [];
      const slices = new Slices(client.clock);
      for await (const page of topicPages(client, { signal })) {
        for (const topic of page) {
          if (slices.isOver) await slices.pause();
          topics.push(summariseTopic(topic));
        }
      }
      await slices.pause();
      return sortedByName(topics, ({ name }) => name);
    });
  }

  /** How many records each topic can hold at most, between log start and end. */
  recordCounts(
    topics: readonly TopicSummary[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, bigint>> {
    return this.#call(signal, ({ client }) => readRecordCounts(client, topics, { signal }));
  }

  /** How far groups are behind on each topic that has commits. */
  topicLags(signal?: AbortSignal): Promise<ReadonlyMap<string, TopicLag>> {
    return this.#call(signal, ({ groupReads }) => groupReads.topicLags(signal));
  }

  /** One row a partition; what could not be read of one is a problem in its row. Topics asked for at once are read at once. */
  partitions(topic: string, signal?: AbortSignal): Promise<PartitionRow[]> {
    return this.#call(signal, ({ topicReads }) => topicReads.partitions(topic, signal));
  }

  /** The replicas of a partition, each asked of its own broker: for one that somebody looks at, not for many. */
  replicas(
    partition: Pick<PartitionRow, 'topic' | 'partition' | 'replicas'>,
    signal?: AbortSignal,
  ): Promise<Replica[]> {
    return this.#call(signal, ({ client }) => readReplicas(client, partition, { signal }));
  }

  /** Every group that may be seen, by name. */
  async groups(signal?: AbortSignal): Promise<GroupSummary[]> {
    const { groups, failures } = await this.#call(signal, ({ client }) =>
      listGroups(client, { signal }),
    );
    for (const { broker, error } of failures) {
      this.#logger.warn(`groups of broker ${broker} could not be listed: ${error.message}`);
    }
    return sortedByName(
      groups.map(({ groupId, state, type, protocolType }) => ({
        groupId,
        state,
        type,
        protocolType,
      })),
      ({ groupId }) => groupId,
    );
  }

  /** What a list shows of groups, in few requests; groups that could not be read are left out. */
  groupFigures(
    groups: readonly GroupSummary[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, GroupFigures>> {
    return this.#call(signal, ({ groupReads }) => groupReads.figures(groups, signal));
  }

  /** A group with its members and its commits; partitions assigned without a commit are among them. */
  group(groupId: string, signal?: AbortSignal): Promise<GroupView> {
    return this.#call(signal, ({ groupReads }) => groupReads.group(groupId, signal));
  }

  /**
   * The groups that have a commit on a topic, each with a row for each partition. Cheap to call for each row:
   * one reading of all groups' commits serves every topic for a moment.
   */
  committedOn(topic: string, signal?: AbortSignal): Promise<CommittedOffset[]> {
    return this.#call(signal, ({ groupReads }) => groupReads.committedOn(topic, signal));
  }

  createTopic(topic: NewTopic, signal?: AbortSignal): Promise<void> {
    const { name, partitionCount, replicationFactor } = topic;
    return this.change(
      { kind: 'createTopic', topic: name, partitionCount, replicationFactor },
      (client, running) => createTopic(client, topic, { signal: running.signal }),
      { signal },
    );
  }

  /** Deletes topics; rejects with the first refusal after trying all. */
  deleteTopics(names: readonly string[], signal?: AbortSignal): Promise<void> {
    const topics = names.slice(0, topicsNamed);
    return this.change(
      { kind: 'deleteTopics', topics, count: names.length },
      async (client, running) => {
        const outcomes = await deleteTopics(client, names, { signal: running.signal });
        for (const outcome of outcomes.values()) valueOf(outcome);
      },
      { signal },
    );
  }

  /** Grows a topic to `partitionCount` partitions in all. */
  addPartitions(topic: string, partitionCount: number, signal?: AbortSignal): Promise<void> {
    return this.change(
      { kind: 'addPartitions', topic, partitionCount },
      (client, running) =>
        createPartitions(client, topic, partitionCount, { signal: running.signal }),
      { signal },
    );
  }

  /**
   * The one way to change the cluster: refused where it is read-only, and told to whoever keeps the list of
   * what was changed.
   */
  async change<T>(
    change: Change,
    work: (client: KafkaClient, running: RunningChange) => Promise<T>,
    { signal, undoes }: ChangeOptions = {},
  ): Promise<T> {
    this.assertWritable();
    const { changes = unlogged } = this.#options;
    const request = { cluster: this.profile, change, signal, undoes };
    return changes.run(request, async (running) => {
      try {
        return await this.#call(running.signal, ({ client }) => work(client, running));
      } finally {
        // What failed may have been done in part.
        this.forgetCommits();
      }
    });
  }

  /** Runs work that reads on the connected client, and notices where the cluster is gone. */
  use<T>(work: (client: KafkaClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#call(signal, ({ client }) => work(client));
  }

  /** Throws where the profile is marked read-only. */
  assertWritable(): void {
    if (!this.profile.readOnly) return;
    throw new ProblemError(
      t('{0} is marked read-only, so nothing is changed in it', this.profile.name),
      t('Edit the connection to allow changes.'),
    );
  }

  /** Makes the next reading of commits a fresh one, after something changed them. */
  forgetCommits(): void {
    this.#connected?.groupReads.forget();
  }

  dispose(): void {
    this.disconnect();
    this.#stateEmitter.dispose();
  }

  async #call<T>(
    signal: AbortSignal | undefined,
    work: (connected: Connected) => Promise<T>,
  ): Promise<T> {
    await this.connect(signal);
    const connected = this.#connected;
    if (!connected) throw new CancelledError();
    try {
      return await work(connected);
    } catch (error) {
      if (error instanceof ConnectionError) void this.#checkIsAlive(connected.client);
      throw error;
    }
  }

  async #open(): Promise<void> {
    const generation = ++this.#generation;
    const bootstrap = this.#options.bootstrap();
    this.#setState({ kind: 'connecting' });
    let client: KafkaClient | undefined;
    try {
      if (bootstrap.length === 0) {
        throw new ProblemError(t('{0} is not running', this.profile.name), t('Start it first.'));
      }
      const security = (await this.#options.security?.()) ?? plaintext;
      client = new KafkaClient({ bootstrap, security, logger: this.#logger, clock: this.#clock });
      const { clusterId } = await client.metadata([], { timeoutMs: connectTimeoutMs });
      if (generation !== this.#generation) throw new CancelledError();
      const [topicReads, groupReads] = [new TopicReads(client), new GroupReads(client)];
      this.#connected = { client, topicReads, groupReads };
      this.#setState({ kind: 'connected', bootstrap: bootstrap.join(','), clusterId });
    } catch (error) {
      client?.dispose();
      if (generation !== this.#generation) throw new CancelledError();
      this.#setState({ kind: 'failed', problem: toProblem(error) });
      throw error;
    }
  }

  /** One broker may be down and the others not: the session has failed only when none answers. */
  async #checkIsAlive(client: KafkaClient): Promise<void> {
    try {
      await client.metadata([], { timeoutMs: checkTimeoutMs });
    } catch (error) {
      if (this.#connected?.client !== client) return;
      this.#close();
      this.#setState({ kind: 'failed', problem: toProblem(error) });
    }
  }

  #close(): void {
    this.#generation++;
    this.#connecting = undefined;
    this.#connected?.client.dispose();
    this.#connected = undefined;
  }

  #setState(state: ConnectionState): void {
    if (state.kind === this.#state.kind && state.kind !== 'failed') return;
    this.#state = state;
    this.#stateEmitter.fire(state);
  }
}

/**
 * In order of name. Kafka's names are ASCII; people expect capital and small letters together. Made small once each:
 * comparing ten thousand by a locale takes longer than a turn of the event loop should.
 */
function sortedByName<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, name: nameOf(item), small: nameOf(item).toLowerCase() }))
    .sort((a, b) => compare(a.small, b.small) || compare(a.name, b.name))
    .map(({ item }) => item);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
