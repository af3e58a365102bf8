import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
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
import type { KafkaClient } from '../client/kafkaClient.ts';
import { valueOf } from '../client/outcome.ts';
import { plaintext, type SecurityOptions } from '../client/security.ts';
import type { Change } from './activity/change.ts';
import {
  type ChangeLog,
  type RunningChange,
  type UndoneChange,
  unlogged,
} from './activity/changeLog.ts';
import { ClusterConnection, type ConnectionOptions } from './clusterConnection.ts';
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
import { ProblemError } from './problems.ts';
import { readRecordCounts } from './recordCounts.ts';
import { readReplicas } from './replicaReads.ts';
import { summariseTopic } from './topicReads.ts';

export type { NewTopic } from '../client/admin/topics.ts';

export interface ClusterSessionOptions extends ConnectionOptions {
  /** Told of everything that is changed. */
  readonly changes?: ChangeLog;
}

/** What is changed, and what ends it. */
export interface ChangeOptions {
  readonly signal?: AbortSignal | undefined;
  /** What it takes back. */
  readonly undoes?: UndoneChange | undefined;
}

/** Topics of a deletion that are named afterwards. */
const topicsNamed = 100;

/**
 * One connected cluster. Every call connects first if need be; failures are turned into words by
 * `toProblem`. Nothing here creates a topic or a group unless its name says so.
 */
export class ClusterSession implements Disposable {
  readonly profile: ClusterProfile;
  readonly #options: ClusterSessionOptions;
  readonly #logger: Logger;
  readonly #connection: ClusterConnection;
  readonly onDidChangeState: Event<ConnectionState>;

  constructor(profile: ClusterProfile, options?: Partial<ClusterSessionOptions>) {
    this.profile = profile;
    this.#options = { bootstrap: () => profile.bootstrap, ...options };
    this.#logger = options?.logger ?? silentLogger;
    this.#connection = new ClusterConnection(profile.name, this.#options);
    this.onDidChangeState = this.#connection.onDidChangeState;
  }

  get state(): ConnectionState {
    return this.#connection.state;
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
    const { connected } = this.#connection;
    if (connected) return connected.client;
    throw new ProblemError(t('{0} is not connected', this.profile.name), t('Connect first.'));
  }

  /** Connects, or answers at once when connected. Rejects with the reason, which `state` then also holds. */
  connect(signal?: AbortSignal): Promise<void> {
    return this.#connection.connect(signal);
  }

  /** Closes every connection; the state becomes `stopped`. */
  disconnect(): void {
    this.#connection.disconnect();
  }

  async brokers(signal?: AbortSignal): Promise<BrokerInfo[]> {
    const { brokers, controllerId } = await this.#connection.use(signal, ({ client }) =>
      describeCluster(client, { signal }),
    );
    return brokers
      .map((broker) => ({ ...broker, isController: broker.id === controllerId }))
      .sort((a, b) => a.id - b.id);
  }

  /** Every topic that may be seen, internal ones too, by name. */
  async topics(signal?: AbortSignal): Promise<TopicSummary[]> {
    return this.#connection.use(signal, async ({ client }) => {
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
    return this.#connection.use(signal, ({ client }) =>
      readRecordCounts(client, topics, { signal }),
    );
  }

  /** How far groups are behind on each topic that has commits. */
  topicLags(signal?: AbortSignal): Promise<ReadonlyMap<string, TopicLag>> {
    return this.#connection.use(signal, ({ groupReads }) => groupReads.topicLags(signal));
  }

  /**
   * One row a partition; what could not be read of one is a problem in its row. Topics asked for at once are read at
   * once.
   */
  partitions(topic: string, signal?: AbortSignal): Promise<PartitionRow[]> {
    return this.#connection.use(signal, ({ topicReads }) => topicReads.partitions(topic, signal));
  }

  /** The replicas of a partition, each asked of its own broker: for one that somebody looks at, not for many. */
  replicas(
    partition: Pick<PartitionRow, 'topic' | 'partition' | 'replicas'>,
    signal?: AbortSignal,
  ): Promise<Replica[]> {
    return this.#connection.use(signal, ({ client }) =>
      readReplicas(client, partition, { signal }),
    );
  }

  /** Every group that may be seen, by name. */
  async groups(signal?: AbortSignal): Promise<GroupSummary[]> {
    const { groups, failures } = await this.#connection.use(signal, ({ client }) =>
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
    return this.#connection.use(signal, ({ groupReads }) => groupReads.figures(groups, signal));
  }

  /** A group with its members and its commits; partitions assigned without a commit are among them. */
  group(groupId: string, signal?: AbortSignal): Promise<GroupView> {
    return this.#connection.use(signal, ({ groupReads }) => groupReads.group(groupId, signal));
  }

  /**
   * The groups that have a commit on a topic, each with a row for each partition. Cheap to call for each row:
   * one reading of all groups' commits serves every topic for a moment.
   */
  committedOn(topic: string, signal?: AbortSignal): Promise<CommittedOffset[]> {
    return this.#connection.use(signal, ({ groupReads }) => groupReads.committedOn(topic, signal));
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
        return await this.#connection.use(running.signal, ({ client }) => work(client, running));
      } finally {
        // What failed may have been done in part.
        this.forgetCommits();
      }
    });
  }

  /** Runs work that reads on the connected client, and notices where the cluster is gone. */
  use<T>(work: (client: KafkaClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#connection.use(signal, ({ client }) => work(client));
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
    this.#connection.connected?.groupReads.forget();
  }

  dispose(): void {
    this.#connection.dispose();
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
