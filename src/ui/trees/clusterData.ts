import type { ClusterSession } from '../../cluster/clusterSession.ts';
import type {
  BrokerInfo,
  CommittedOffset,
  GroupFigures,
  GroupSummary,
  GroupView,
  PartitionRow,
  TopicLag,
  TopicSummary,
} from '../../cluster/model.ts';
import { FiguresSlice } from './figuresSlice.ts';
import { type Listing, listGroups, listTopics } from './listing.ts';
import { type Readable, Slice } from './slice.ts';
import type { ListChoices, ListKind } from './treeChoices.ts';

/** What the tree needs of a cluster's session. */
export type ClusterReader = Pick<
  ClusterSession,
  | 'state'
  | 'onDidChangeState'
  | 'connect'
  | 'brokers'
  | 'topics'
  | 'recordCounts'
  | 'topicLags'
  | 'partitions'
  | 'replicas'
  | 'groups'
  | 'groupFigures'
  | 'group'
  | 'committedOn'
>;

/** How a cluster's lists are shown. */
export interface ListView {
  readonly choices: (kind: ListKind) => ListChoices;
  /** How many rows of a list are shown at most. */
  readonly limit: (kind: ListKind) => number;
  readonly showInternalTopics: () => boolean;
}

/** What the tree has read from one cluster, in slices that are read and renewed apart. */
export class ClusterData {
  readonly session: ClusterReader;
  readonly #view: ListView;
  readonly brokers: Slice<BrokerInfo[]>;
  readonly topics: Slice<TopicSummary[]>;
  readonly groups: Slice<GroupSummary[]>;
  /** Records between log start and end, of the topics shown. */
  readonly recordCounts: FiguresSlice<TopicSummary, bigint>;
  /** How far groups are behind, by topic. */
  readonly topicLags: Slice<ReadonlyMap<string, TopicLag>>;
  /** Of the groups shown. */
  readonly groupFigures: FiguresSlice<GroupSummary, GroupFigures>;
  readonly #partitions = new Map<string, Slice<PartitionRow[]>>();
  readonly #commits = new Map<string, Slice<CommittedOffset[]>>();
  readonly #group = new Map<string, Slice<GroupView>>();
  readonly #shownTopics = new Remembered<readonly TopicSummary[] | undefined>();
  readonly #topicList = new Remembered<Listing<TopicSummary> | undefined>();
  readonly #groupList = new Remembered<Listing<GroupSummary> | undefined>();

  constructor(session: ClusterReader, view: ListView) {
    this.session = session;
    this.#view = view;
    this.brokers = new Slice((signal) => session.brokers(signal));
    this.topics = new Slice((signal) => session.topics(signal));
    this.groups = new Slice((signal) => session.groups(signal));
    this.topicLags = new Slice((signal) => session.topicLags(signal));
    this.recordCounts = new FiguresSlice({
      wanted: async () => {
        await this.topics.settled();
        const isForOrder = this.choices('topics').sort === 'records';
        return this.#wanted('topics', this.topicList, isForOrder);
      },
      nameOf: ({ name }) => name,
      read: (topics, signal) => session.recordCounts(topics, signal),
    });
    this.groupFigures = new FiguresSlice({
      wanted: async () => {
        await this.groups.settled();
        const isForOrder = this.choices('groups').sort !== 'name';
        return this.#wanted('groups', this.groupList, isForOrder);
      },
      nameOf: ({ groupId }) => groupId,
      read: (groups, signal) => session.groupFigures(groups, signal),
    });
  }

  choices(kind: ListKind): ListChoices {
    return this.#view.choices(kind);
  }

  /** Topics, without internal ones unless they are to be shown; undefined until they have been read. */
  get shownTopics(): readonly TopicSummary[] | undefined {
    const topics = this.topics.value;
    const showInternal = this.#view.showInternalTopics();
    return this.#shownTopics.get([topics, showInternal], () =>
      showInternal ? topics : topics?.filter(({ isInternal }) => !isInternal),
    );
  }

  /** Of the shown topics those that match, in order. */
  get topicList(): Listing<TopicSummary> | undefined {
    const { shownTopics: topics, recordCounts, topicLags } = this;
    const choices = this.choices('topics');
    const from = [topics, choices, recordCounts.version, topicLags.value];
    return this.#topicList.get(
      from,
      () =>
        topics &&
        listTopics(topics, choices, {
          recordCount: (topic) => recordCounts.of(topic),
          lag: (topic) => topicLags.value?.get(topic),
        }),
    );
  }

  get groupList(): Listing<GroupSummary> | undefined {
    const choices = this.choices('groups');
    const groups = this.groups.value;
    const from = [groups, choices, this.groupFigures.version];
    return this.#groupList.get(
      from,
      () => groups && listGroups(groups, choices, (group) => this.groupFigures.of(group)),
    );
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
    const fixed: readonly Readable[] = [
      ...[this.brokers, this.topics, this.groups],
      ...[this.recordCounts, this.topicLags, this.groupFigures],
    ];
    for (const slice of fixed) slice.reset();
    for (const slices of [this.#partitions, this.#commits, this.#group]) {
      for (const slice of slices.values()) slice.reset();
      slices.clear();
    }
  }

  /** Figures are read for the rows shown, or for all where they are needed to find the rows to show. */
  #wanted<T>(kind: ListKind, list: Listing<T> | undefined, isForOrder: boolean): readonly T[] {
    const rows = list?.rows ?? [];
    return isForOrder ? rows : rows.slice(0, this.#view.limit(kind));
  }
}

/** A value made from others, made again when one of them is another. */
class Remembered<T> {
  #made: { readonly from: readonly unknown[]; readonly value: T } | undefined;

  get(from: readonly unknown[], make: () => T): T {
    const made = this.#made;
    if (made?.from.every((part, i) => part === from[i])) return made.value;
    const value = make();
    this.#made = { from, value };
    return value;
  }
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
