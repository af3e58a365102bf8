import type { ClusterSession } from '../../cluster/clusterSession.ts';
import type {
  BrokerInfo,
  CommittedOffset,
  GroupSummary,
  GroupView,
  PartitionRow,
  TopicSummary,
} from '../../cluster/model.ts';
import { Slice } from './slice.ts';

/** What the tree needs of a cluster's session. */
export type ClusterReader = Pick<
  ClusterSession,
  | 'state'
  | 'onDidChangeState'
  | 'connect'
  | 'brokers'
  | 'topics'
  | 'recordCounts'
  | 'partitions'
  | 'groups'
  | 'group'
  | 'committedOn'
>;

/** Topics beyond this many show no count of their records. */
const countedTopicsAtMost = 2000;
/** Groups beyond this many, which each need requests of their own, show members and lag only when opened. */
const summarisedGroupsAtMost = 100;
/** Requests under way at once for summaries, so that a refresh is no storm. */
const summaryConcurrency = 4;

/** What the tree has read from one cluster, in slices that are read and renewed apart. */
export class ClusterData {
  readonly session: ClusterReader;
  readonly brokers: Slice<BrokerInfo[]>;
  readonly topics: Slice<TopicSummary[]>;
  readonly groups: Slice<GroupSummary[]>;
  /** Records between log start and end, by topic; topics that could not be read are left out. */
  readonly recordCounts: Slice<ReadonlyMap<string, bigint>>;
  /** Views by group; groups that could not be read are left out. */
  readonly groupViews: Slice<ReadonlyMap<string, GroupView>>;
  readonly #partitions = new Map<string, Slice<PartitionRow[]>>();
  readonly #commits = new Map<string, Slice<CommittedOffset[]>>();
  readonly #group = new Map<string, Slice<GroupView>>();

  constructor(session: ClusterReader) {
    this.session = session;
    this.brokers = new Slice((signal) => session.brokers(signal));
    this.topics = new Slice((signal) => session.topics(signal));
    this.groups = new Slice((signal) => session.groups(signal));
    this.recordCounts = new Slice((signal) => session.recordCounts(countedTopicsAtMost, signal));
    this.groupViews = new Slice((signal) => this.#readGroupViews(signal));
  }

  partitions(topic: string): Slice<PartitionRow[]> {
    return getOrMake(this.#partitions, topic, (signal) => this.session.partitions(topic, signal));
  }

  /** Every group's commits on a topic. */
  commits(topic: string): Slice<CommittedOffset[]> {
    return getOrMake(this.#commits, topic, (signal) => this.session.committedOn(topic, signal));
  }

  group(groupId: string): Slice<GroupView> {
    return getOrMake(this.#group, groupId, (signal) => this.session.group(groupId, signal));
  }

  /** Forgets all and cancels what is under way. */
  reset(): void {
    const fixed = [this.brokers, this.topics, this.groups, this.recordCounts, this.groupViews];
    for (const slice of fixed) slice.reset();
    for (const slices of [this.#partitions, this.#commits, this.#group]) {
      for (const slice of slices.values()) slice.reset();
      slices.clear();
    }
  }

  async #readGroupViews(signal: AbortSignal): Promise<ReadonlyMap<string, GroupView>> {
    const groups = await this.session.groups(signal);
    const ids = groups.slice(0, summarisedGroupsAtMost).map(({ groupId }) => groupId);
    return readEach(ids, (id) => this.session.group(id, signal));
  }
}

/** Offsets between log start and end; undefined where a partition's could not be read. */
export function recordCount(rows: readonly PartitionRow[]): bigint | undefined {
  let count = 0n;
  for (const { offsets } of rows) {
    if ('problem' in offsets) return undefined;
    count += offsets.value.highWatermark - offsets.value.logStart;
  }
  return count;
}

function getOrMake<T>(
  slices: Map<string, Slice<T>>,
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
): Slice<T> {
  let slice = slices.get(key);
  if (!slice) slices.set(key, (slice = new Slice(read)));
  return slice;
}

/** Reads for each key, few at a time; what fails or is undefined is left out, and shows where it is opened. */
async function readEach<T>(
  keys: readonly string[],
  read: (key: string) => Promise<T | undefined>,
): Promise<ReadonlyMap<string, T>> {
  const results = new Map<string, T>();
  const waiting = [...keys];
  const work = async (): Promise<void> => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      const value = await read(key).catch(() => undefined);
      if (value !== undefined) results.set(key, value);
    }
  };
  await Promise.all(Array.from({ length: summaryConcurrency }, work));
  return results;
}
