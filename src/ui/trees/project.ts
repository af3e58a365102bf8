import { t } from '../../base/l10n.ts';
import type {
  ClusterProfile,
  CommittedOffset,
  GroupFigures,
  GroupMember,
  GroupView,
} from '../../cluster/model.ts';
import type { ClusterData } from './clusterData.ts';
import { isLagging, topicHealth } from './health.ts';
import { idPart, type ListSummary, type Node, type NodeContent, type NodeOf } from './node.ts';
import type { Readable, Slice } from './slice.ts';
import type { ListKind } from './treeChoices.ts';

export interface ProjectOptions {
  /** Lag from which a group counts as lagging; 0: never. */
  readonly lagThreshold: number;
  /** How many of a row's children are shown, by the row's id. */
  readonly limit: (id: string) => number;
}

/** Rows that a long list shows at first, and again with each asking for more: as many as the editor takes at once. */
export const pageSize = 500;

/** The slices whose content a row's children are made of; the first is the one that they cannot do without. */
export function slicesFor(node: Node, data: ClusterData): readonly Readable[] {
  switch (node.kind) {
    case 'cluster':
      // How far groups lag is seen without opening their row: in its count of those in trouble, and in the badge.
      return [data.brokers, data.topics, data.groups, data.groupFigures];
    case 'brokers':
      return [data.brokers];
    case 'topics':
      return data.choices('topics').sort === 'lag'
        ? [data.topics, data.topicLags, data.recordCounts]
        : [data.topics, data.recordCounts];
    case 'topic':
      return [data.partitions(node.topic.name)];
    case 'partition':
      return [data.commits(node.row.topic)];
    case 'groups':
      return [data.groups, data.groupFigures];
    case 'group':
      return [data.group(node.group.groupId)];
    case 'broker':
    case 'commit':
    case 'members':
    case 'member':
    case 'assignment':
    case 'groupTopic':
    case 'groupPartition':
    case 'more':
    case 'problem':
    case 'nothing':
      return [];
  }
}

/** A row's children from what has been read. A part that failed is a row that says so, before the rest. */
export function project(node: Node, data: ClusterData, options: ProjectOptions): Node[] {
  const children = childrenOf(node, data, options);
  const [needed] = slicesFor(node, data);
  const problem = node.kind === 'cluster' ? undefined : needed?.content.problem;
  if (problem) children.unshift(child(node, 'problem', { kind: 'problem', problem }));
  return children;
}

function childrenOf(node: Node, data: ClusterData, options: ProjectOptions): Node[] {
  const page = <T>(rows: readonly T[], make: (row: T) => Node): Node[] =>
    paged(node, rows, { limit: options.limit(node.id), make });
  switch (node.kind) {
    case 'cluster':
      return folders(node, data, options);
    case 'brokers':
      return page(data.brokers.value ?? [], (broker) =>
        child(node, String(broker.id), { kind: 'broker', broker }),
      );
    case 'topics':
      return topicRows(node, data, page);
    case 'topic':
      return page(data.partitions(node.topic.name).value ?? [], (row) =>
        child(node, String(row.partition), { kind: 'partition', row }),
      );
    case 'partition':
      return commitRows(node, data.commits(node.row.topic), { page, options });
    case 'groups':
      return groupRows(node, data, { page, options });
    case 'group':
      return groupChildren(node, data);
    case 'members':
      return page(node.members, (member) =>
        child(node, idPart(member.memberId), { kind: 'member', group: node.group, member }),
      );
    case 'member':
      return assignmentRows(node, node.member);
    case 'groupTopic':
      return page(node.commits, (commit) =>
        child(node, String(commit.partition), {
          kind: 'groupPartition',
          ...lagOf(commit, options),
        }),
      );
    case 'broker':
    case 'commit':
    case 'assignment':
    case 'groupPartition':
    case 'more':
    case 'problem':
    case 'nothing':
      return [];
  }
}

type Page = <T>(rows: readonly T[], make: (row: T) => Node) => Node[];

interface Paging {
  readonly page: Page;
  readonly options: ProjectOptions;
}

/** The first rows of a list, and a row that says how many more there are. */
function paged<T>(
  node: Node,
  rows: readonly T[],
  { limit, make }: { readonly limit: number; readonly make: (row: T) => Node },
): Node[] {
  const shown = rows.slice(0, limit).map(make);
  const hiddenCount = rows.length - shown.length;
  if (hiddenCount === 0) return shown;
  const nextCount = Math.min(pageSize, hiddenCount);
  return [...shown, child(node, 'more', { kind: 'more', hiddenCount, nextCount })];
}

function child(parent: Node, part: string, content: NodeContent): Node {
  return { id: `${parent.id}/${part}`, cluster: parent.cluster, ...content };
}

export function clusterNodeId(cluster: ClusterProfile): string {
  return `cluster:${idPart(cluster.id)}`;
}

export function folderNodeId(cluster: ClusterProfile, kind: ListKind): string {
  return `${clusterNodeId(cluster)}/${kind}`;
}

function folders(node: Node, data: ClusterData, { lagThreshold }: ProjectOptions): Node[] {
  const topics = data.topicList;
  const groups = data.groupList;
  const troubled = troubleCounts(data, lagThreshold);
  return [
    child(node, 'brokers', { kind: 'brokers', count: data.brokers.value?.length }),
    child(node, 'topics', {
      kind: 'topics',
      list: topics && summary('topics', topics, { data, troubled: troubled.topics }),
    }),
    child(node, 'groups', {
      kind: 'groups',
      list: groups && summary('groups', groups, { data, troubled: troubled.groups }),
    }),
  ];
}

/** Topics with offline or under-replicated partitions, and groups that lag, as far as they have been read. */
export function troubleCounts(
  data: ClusterData,
  lagThreshold: number,
): { readonly topics: number; readonly groups: number } {
  const topics = data.topics.value?.filter((topic) => topicHealth(topic)) ?? [];
  const groups = data.groups.value?.filter(({ groupId }) =>
    isLagging(data.groupFigures.of(groupId)?.lag, lagThreshold),
  );
  return { topics: topics.length, groups: groups?.length ?? 0 };
}

function summary(
  kind: ListKind,
  { rows, total }: { readonly rows: readonly unknown[]; readonly total: number },
  { data, troubled }: { readonly data: ClusterData; readonly troubled: number },
): ListSummary {
  const { filter, sort } = data.choices(kind);
  return { matching: rows.length, total, filter: filter?.text, sort, troubled };
}

function topicRows(node: Node, data: ClusterData, page: Page): Node[] {
  const { topicList: list } = data;
  if (!list) return [];
  if (list.rows.length === 0) {
    const { filter } = data.choices('topics');
    return [nothing(node, filter ? t('No topic matches {0}', filter.text) : t('No topics'))];
  }
  const { pinned, sort } = data.choices('topics');
  return page(list.rows, (topic) => {
    const lag = sort === 'lag' ? data.topicLags.value?.get(topic.name) : undefined;
    return child(node, idPart(topic.name), {
      kind: 'topic',
      topic,
      recordCount: data.recordCounts.of(topic.name),
      ...(lag && { lag }),
      ...(pinned.has(topic.name) && { isPinned: true }),
    });
  });
}

function commitRows(
  node: NodeOf<'partition'>,
  slice: Slice<CommittedOffset[]>,
  { page, options }: Paging,
): Node[] {
  if (!slice.value) return [];
  const commits = slice.value
    .filter(({ partition }) => partition === node.row.partition)
    .sort((a, b) => byName(a.group, b.group));
  if (commits.length === 0) return [nothing(node, t('No consumer group on this topic'))];
  return page(commits, (commit) =>
    child(node, idPart(commit.group), { kind: 'commit', ...lagOf(commit, options) }),
  );
}

function lagOf(
  commit: CommittedOffset,
  { lagThreshold }: ProjectOptions,
): { readonly commit: CommittedOffset; readonly isLagging?: boolean } {
  return { commit, ...(isLagging(commit.lag, lagThreshold) && { isLagging: true }) };
}

function groupRows(node: Node, data: ClusterData, { page, options }: Paging): Node[] {
  const { groupList: list } = data;
  if (!list) return [];
  const { filter, pinned } = data.choices('groups');
  if (list.rows.length === 0) {
    const text = filter ? t('No consumer group matches {0}', filter.text) : t('No consumer groups');
    return [nothing(node, text)];
  }
  return page(list.rows, (group) => {
    const view = data.group(group.groupId).value;
    const figures = data.groupFigures.of(group.groupId) ?? (view && figuresOf(view));
    return child(node, idPart(group.groupId), {
      kind: 'group',
      group,
      figures,
      view,
      ...(isLagging(figures?.lag, options.lagThreshold) && { isLagging: true }),
      ...(pinned.has(group.groupId) && { isPinned: true }),
    });
  });
}

function figuresOf({ details: { state, members }, lag, isPastEnd }: GroupView): GroupFigures {
  return { state, memberCount: members.length, lag, isPastEnd };
}

function groupChildren(node: NodeOf<'group'>, data: ClusterData): Node[] {
  const view = data.group(node.group.groupId).value;
  if (!view) return [];
  const group = node.group.groupId;
  const byTopic = Map.groupBy(view.offsets, ({ topic }) => topic);
  return [
    child(node, 'members', { kind: 'members', group, members: view.details.members }),
    ...[...byTopic.entries()]
      .sort(([a], [b]) => byName(a, b))
      .map(([topic, commits]) =>
        child(node, `topic/${idPart(topic)}`, {
          kind: 'groupTopic',
          group,
          topic,
          commits: commits.toSorted((a, b) => a.partition - b.partition),
        }),
      ),
  ];
}

function assignmentRows(node: NodeOf<'member'>, member: GroupMember): Node[] {
  if (member.assignment.length === 0) return [nothing(node, t('No partitions assigned'))];
  const byTopic = Map.groupBy(member.assignment, ({ topic }) => topic);
  return [...byTopic.entries()].map(([topic, assigned]) =>
    child(node, idPart(topic), {
      kind: 'assignment',
      group: node.group,
      topic,
      partitions: assigned.map(({ partition }) => partition).sort((a, b) => a - b),
    }),
  );
}

function nothing(node: Node, text: string): Node {
  return child(node, 'nothing', { kind: 'nothing', text });
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
