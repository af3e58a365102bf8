import { Emitter } from '../../../../src/base/event.ts';
import type { EmbeddedState } from '../../../../src/cluster/embedded/embeddedState.ts';
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
} from '../../../../src/cluster/model.ts';
import type { ClusterReader } from '../../../../src/ui/trees/clusterData.ts';

export const embeddedProfile: ClusterProfile = {
  id: 'embedded',
  name: 'Embedded',
  kind: 'embedded',
  bootstrap: [],
  readOnly: false,
};

/** The editor's state, in memory. */
export class FakeMemento {
  readonly values = new Map<string, unknown>();

  get<T>(key: string, fallback?: T): T | undefined {
    return (this.values.has(key) ? this.values.get(key) : fallback) as T | undefined;
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, structuredClone(value));
    return Promise.resolve();
  }
}

export const stagingProfile: ClusterProfile = {
  id: 'c-1',
  name: 'staging',
  kind: 'remote',
  bootstrap: ['kafka.example.com:9093'],
  readOnly: true,
};

export function topic(name: string, change: Partial<TopicSummary> = {}): TopicSummary {
  return {
    name,
    topicId: 'AAAAAAAAAAAAAAAAAAAAAA',
    isInternal: false,
    partitionCount: 1,
    underReplicated: 0,
    offline: 0,
    ...change,
  };
}

export function partition(
  topicName: string,
  index: number,
  change: Partial<PartitionRow> & { logStart?: bigint; end?: bigint } = {},
): PartitionRow {
  const { logStart = 0n, end = 0n, ...rest } = change;
  return {
    topic: topicName,
    partition: index,
    leader: 1,
    leaderEpoch: 0,
    replicas: [1],
    isr: [1],
    offlineReplicas: [],
    offsets: { value: { logStart, lastStable: end, highWatermark: end } },
    ...rest,
  };
}

export function commit(
  group: string,
  at: { topic: string; partition: number; committed: bigint | null; lag: bigint | null },
): CommittedOffset {
  return { group, leaderEpoch: -1, metadata: '', ...at };
}

export function group(groupId: string, state = 'Empty'): GroupSummary {
  return { groupId, state, type: 'classic', protocolType: 'consumer' };
}

export function groupView(groupId: string, change: Partial<GroupView> = {}): GroupView {
  return {
    details: { ...group(groupId), protocol: '', members: [], coordinator: 1 },
    offsets: [],
    lag: null,
    isPastEnd: false,
    ...change,
  };
}

const nothingRead = { logStart: 0n, highWatermark: 0n };

/** A cluster in memory that counts what is asked of it. */
export class FakeCluster implements ClusterReader {
  readonly #stateEmitter = new Emitter<ConnectionState>();
  readonly onDidChangeState = this.#stateEmitter.event;
  state: ConnectionState = { kind: 'stopped' };
  failure: Error | undefined;
  readonly asked: string[] = [];
  brokerList: BrokerInfo[] = [
    { id: 1, host: '127.0.0.1', port: 9092, rack: null, isController: true },
  ];
  topicList: TopicSummary[] = [];
  partitionRows: PartitionRow[] = [];
  replicaRows: Replica[] = [];
  commits: CommittedOffset[] = [];
  groupList: GroupSummary[] = [];
  views = new Map<string, GroupView>();
  /** Of how many topics records were counted, at each time. */
  counted: number[] = [];

  setState(state: ConnectionState): void {
    this.state = state;
    this.#stateEmitter.fire(state);
  }

  connect(): Promise<void> {
    if (this.state.kind === 'connected') return Promise.resolve();
    if (this.failure) {
      this.setState({ kind: 'failed', problem: { message: this.failure.message } });
      return Promise.reject(this.failure);
    }
    this.setState({ kind: 'connected', bootstrap: '127.0.0.1:9092', clusterId: 'x' });
    return Promise.resolve();
  }

  brokers(): Promise<BrokerInfo[]> {
    return this.#answer('brokers', this.brokerList);
  }

  topics(): Promise<TopicSummary[]> {
    return this.#answer(
      'topics',
      this.topicList.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }

  recordCounts(topics: readonly TopicSummary[]): Promise<ReadonlyMap<string, bigint>> {
    const wanted = new Set(topics.map(({ name }) => name));
    const counts = new Map<string, bigint>();
    for (const row of this.partitionRows.filter((each) => wanted.has(each.topic))) {
      const { highWatermark, logStart } = 'value' in row.offsets ? row.offsets.value : nothingRead;
      counts.set(row.topic, (counts.get(row.topic) ?? 0n) + highWatermark - logStart);
    }
    this.counted.push(topics.length);
    return this.#answer('record counts', counts);
  }

  topicLags(): Promise<ReadonlyMap<string, TopicLag>> {
    const lags = new Map<string, TopicLag>();
    for (const { topic: name, group: who, lag } of this.commits) {
      if (lag !== null && lag > (lags.get(name)?.lag ?? -1n)) lags.set(name, { group: who, lag });
    }
    return this.#answer('topic lags', lags);
  }

  groupFigures(groups: readonly GroupSummary[]): Promise<ReadonlyMap<string, GroupFigures>> {
    const figures = groups.map(({ groupId, state }): [string, GroupFigures] => {
      const { details, lag, isPastEnd } = this.views.get(groupId) ?? groupView(groupId);
      return [groupId, { state, memberCount: details.members.length, lag, isPastEnd }];
    });
    return this.#answer('group figures', new Map(figures));
  }

  partitions(name: string): Promise<PartitionRow[]> {
    return this.#answer(
      `partitions ${name}`,
      this.partitionRows.filter((row) => row.topic === name),
    );
  }

  replicas({ topic: name, partition: index }: PartitionRow): Promise<Replica[]> {
    return this.#answer(`replicas ${name}-${index}`, this.replicaRows);
  }

  groups(): Promise<GroupSummary[]> {
    return this.#answer('groups', this.groupList);
  }

  group(groupId: string): Promise<GroupView> {
    return this.#answer(`group ${groupId}`, this.views.get(groupId) ?? groupView(groupId));
  }

  committedOn(name: string): Promise<CommittedOffset[]> {
    return this.#answer(
      `commits ${name}`,
      this.commits.filter((each) => each.topic === name),
    );
  }

  /** What was asked since the last call. */
  takeAsked(): string[] {
    return this.asked.splice(0).sort();
  }

  #answer<T>(what: string, value: T): Promise<T> {
    this.asked.push(what);
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(value);
  }
}

/** A registry and an embedded cluster with as much as the model sees of them. */
export class FakeWorld {
  readonly #registryEmitter = new Emitter<void>();
  readonly #embeddedEmitter = new Emitter<EmbeddedState>();
  profiles: ClusterProfile[] = [embeddedProfile];
  sessions = new Map<string, FakeCluster>([['embedded', new FakeCluster()]]);
  embeddedState: EmbeddedState = { kind: 'stopped' };
  isEmbeddedShown = true;

  get embeddedCluster(): FakeCluster {
    return this.sessions.get('embedded')!;
  }

  readonly registry = ((world: FakeWorld) => ({
    get profiles() {
      return world.profiles;
    },
    session: (id: string) => world.sessions.get(id),
    onDidChange: world.#registryEmitter.event,
  }))(this);

  readonly embedded = ((world: FakeWorld) => ({
    get state() {
      return world.embeddedState;
    },
    onDidChangeState: world.#embeddedEmitter.event,
  }))(this);

  fireRegistry(): void {
    this.#registryEmitter.fire();
  }

  setEmbedded(state: EmbeddedState): void {
    this.embeddedState = state;
    this.#embeddedEmitter.fire(state);
  }
}
