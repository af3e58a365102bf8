import type {
  ClusterProfile,
  CommittedOffset,
  GroupMember,
  TopicSummary,
} from '../../cluster/model.ts';
import type { ClusterData } from './clusterData.ts';
import { idPart, type Node, type NodeContent, type NodeOf } from './node.ts';
import type { Slice } from './slice.ts';

export interface ProjectOptions {
  readonly showInternalTopics: boolean;
}

/** The slices whose content a row's children are made of; the first is the one that they cannot do without. */
export function slicesFor(node: Node, data: ClusterData): readonly Slice<unknown>[] {
  switch (node.kind) {
    case 'cluster':
      return [data.brokers, data.topics, data.groups];
    case 'brokers':
      return [data.brokers];
    case 'topics':
      return [data.topics, data.recordCounts];
    case 'topic':
      return [data.partitions(node.topic.name)];
    case 'partition':
      return [data.commits(node.row.topic)];
    case 'groups':
      return [data.groups, data.groupViews];
    case 'group':
      return [data.group(node.group.groupId)];
    case 'broker':
    case 'commit':
    case 'members':
    case 'member':
    case 'assignment':
    case 'groupTopic':
    case 'groupPartition':
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
  switch (node.kind) {
    case 'cluster':
      return folders(node, data, options);
    case 'brokers':
      return (data.brokers.value ?? []).map((broker) =>
        child(node, String(broker.id), { kind: 'broker', broker }),
      );
    case 'topics':
      return topicRows(node, data, options);
    case 'topic':
      return (data.partitions(node.topic.name).value ?? []).map((row) =>
        child(node, String(row.partition), { kind: 'partition', row }),
      );
    case 'partition':
      return commitRows(node, data.commits(node.row.topic));
    case 'groups':
      return groupRows(node, data);
    case 'group':
      return groupChildren(node, data);
    case 'members':
      return node.members.map((member) =>
        child(node, idPart(member.memberId), { kind: 'member', group: node.group, member }),
      );
    case 'member':
      return assignmentRows(node, node.member);
    case 'groupTopic':
      return node.commits.map((commit) =>
        child(node, String(commit.partition), { kind: 'groupPartition', commit }),
      );
    case 'broker':
    case 'commit':
    case 'assignment':
    case 'groupPartition':
    case 'problem':
    case 'nothing':
      return [];
  }
}

function child(parent: Node, part: string, content: NodeContent): Node {
  return { id: `${parent.id}/${part}`, cluster: parent.cluster, ...content };
}

export function clusterNodeId(cluster: ClusterProfile): string {
  return `cluster:${idPart(cluster.id)}`;
}

function folders(node: Node, data: ClusterData, options: ProjectOptions): Node[] {
  const topics = data.topics.value?.filter((topic) => isShown(topic, options));
  return [
    child(node, 'brokers', { kind: 'brokers', count: data.brokers.value?.length }),
    child(node, 'topics', { kind: 'topics', count: topics?.length }),
    child(node, 'groups', { kind: 'groups', count: data.groups.value?.length }),
  ];
}

function isShown(topic: TopicSummary, options: ProjectOptions): boolean {
  return options.showInternalTopics || !topic.isInternal;
}

function topicRows(node: Node, data: ClusterData, options: ProjectOptions): Node[] {
  const { value } = data.topics;
  if (!value) return [];
  const shown = value
    .filter((topic) => isShown(topic, options))
    .sort((a, b) => byName(a.name, b.name));
  if (shown.length === 0) return [nothing(node, 'No topics')];
  return shown.map((topic) =>
    child(node, idPart(topic.name), {
      kind: 'topic',
      topic,
      recordCount: data.recordCounts.value?.get(topic.name),
    }),
  );
}

function commitRows(node: NodeOf<'partition'>, slice: Slice<CommittedOffset[]>): Node[] {
  if (!slice.value) return [];
  const commits = slice.value
    .filter(({ partition }) => partition === node.row.partition)
    .sort((a, b) => byName(a.group, b.group));
  if (commits.length === 0) return [nothing(node, 'No consumer group on this topic')];
  return commits.map((commit) => child(node, idPart(commit.group), { kind: 'commit', commit }));
}

function groupRows(node: Node, data: ClusterData): Node[] {
  const { value } = data.groups;
  if (!value) return [];
  if (value.length === 0) return [nothing(node, 'No consumer groups')];
  return [...value]
    .sort((a, b) => byName(a.groupId, b.groupId))
    .map((group) =>
      child(node, idPart(group.groupId), {
        kind: 'group',
        group,
        view: data.group(group.groupId).value ?? data.groupViews.value?.get(group.groupId),
      }),
    );
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
  if (member.assignment.length === 0) return [nothing(node, 'No partitions assigned')];
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
