/** How groups, their members and their commits look and read. */
import type { CommittedOffset, GroupView } from '../../cluster/model.ts';
import { counted, grouped, listed } from '../text.ts';
import type { Node, NodeOf } from './node.ts';
import { access, colors, lagText, type RowText, type Tooltip } from './rowText.ts';

function committedContext(kind: string, node: Node, commit: CommittedOffset): string {
  return `${kind} ${commit.committed === null ? 'none' : 'at'} ${access(node)}`;
}

function commitTooltip(commit: CommittedOffset): Tooltip {
  return [
    `${commit.group} on ${commit.topic}, partition ${commit.partition}`,
    ...(commit.committed === null
      ? ['No commit: the group starts where its auto.offset.reset says.']
      : ([
          ['Committed offset', grouped(commit.committed)],
          ['Lag', commit.lag === null ? 'unknown' : grouped(commit.lag)],
          ...(commit.metadata ? ([['Metadata', commit.metadata]] as const) : []),
        ] as const)),
  ];
}

export function commitRow(node: Node, commit: CommittedOffset, label: string): RowText {
  const { committed, lag } = commit;
  const past = lag !== null && lag < 0n;
  const text =
    committed === null
      ? 'no commit'
      : `committed ${grouped(committed)}   ${lagText(lag)}${past ? '   ⚠ past the end' : ''}`;
  return {
    label,
    description: text,
    tooltip: commitTooltip(commit),
    spoken: `Group ${label}, ${text.replaceAll('   ', ', ')}`,
    icon: past ? 'warning' : committed === null ? 'circle-slash' : 'bookmark',
    ...(past && { iconColor: colors.warning }),
    context: committedContext('commit', node, commit),
    expands: false,
  };
}

const restless = new Set(['PreparingRebalance', 'CompletingRebalance', 'Assigning', 'Reconciling']);

export function groupRow(node: NodeOf<'group'>): RowText {
  const { group, view } = node;
  const state = view?.details.state ?? group.state;
  const parts = [state || 'state unknown'];
  if (view && state !== 'Empty') parts.push(counted(view.details.members.length, 'member'));
  if (view) parts.push(view.lag === null ? 'no commit' : lagText(view.lag));
  const rebalancing = restless.has(state);
  return {
    label: group.groupId,
    description: parts.join(' · '),
    tooltip: [
      group.groupId,
      ['State', state || 'unknown'],
      ['Type', group.type || 'unknown'],
      ...groupFacts(view),
    ],
    spoken: `Group ${group.groupId}, ${parts.join(', ')}`,
    icon: rebalancing ? 'sync' : 'organization',
    ...(rebalancing && { iconColor: colors.warning }),
    context: `group ${access(node)}`,
    expands: true,
  };
}

function groupFacts(view: GroupView | undefined): readonly (readonly [string, string])[] {
  if (!view) return [];
  const { details } = view;
  return [
    ['Assignor', details.protocol || 'none'],
    ['Coordinator', `broker ${details.coordinator}`],
    ['Members', grouped(details.members.length)],
    ['Lag', view.lag === null ? 'no commit' : grouped(view.lag)],
  ];
}

export function membersRow({ members }: NodeOf<'members'>): RowText {
  return {
    label: 'Members',
    description: members.length ? grouped(members.length) : 'none',
    icon: 'person',
    context: 'members',
    expands: members.length > 0,
  };
}

export function memberRow({ member }: NodeOf<'member'>): RowText {
  const partitions = counted(member.assignment.length, 'partition');
  return {
    label: member.clientId || member.memberId,
    description: `${member.host} · ${partitions}`,
    tooltip: [
      member.clientId,
      ['Member id', member.memberId],
      ['Host', member.host],
      ...(member.groupInstanceId === null
        ? []
        : ([['Static member', member.groupInstanceId]] as const)),
    ],
    spoken: `Member ${member.clientId}, ${member.host}, ${partitions}`,
    icon: 'person',
    context: 'member',
    expands: true,
  };
}

export function assignmentRow({ topic, partitions }: NodeOf<'assignment'>): RowText {
  return {
    label: topic,
    description: listed(partitions),
    spoken: `${topic}, partitions ${listed(partitions)}`,
    icon: 'list-unordered',
    context: 'assignment',
    expands: false,
  };
}

export function groupTopicRow(node: NodeOf<'groupTopic'>): RowText {
  const lags = node.commits.map(({ lag }) => lag).filter((lag) => lag !== null);
  const total = lags.length ? lags.reduce((sum, lag) => sum + lag, 0n) : null;
  const description = total === null ? 'no commit' : lagText(total);
  return {
    label: node.topic,
    description,
    spoken: `Topic ${node.topic}, ${description}`,
    icon: 'list-unordered',
    context: `groupTopic ${access(node)}`,
    expands: true,
  };
}

export function groupPartitionRow(node: Node, commit: CommittedOffset): RowText {
  const { committed, lag } = commit;
  const row = commitRow(node, commit, String(commit.partition));
  const description =
    committed === null
      ? 'no commit'
      : `${grouped(committed)} / ${lag === null ? '?' : grouped(committed + lag)}   ${lagText(lag)}`;
  return {
    ...row,
    description,
    spoken: `Partition ${commit.partition}, ${
      committed === null ? 'no commit' : `committed ${grouped(committed)}, ${lagText(lag)}`
    }`,
    context: committedContext('groupPartition', node, commit),
  };
}
