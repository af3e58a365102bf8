/** How groups, their members and their commits look and read. */
import { t } from '../../base/l10n.ts';
import { sumOfLags } from '../../cluster/lag/lagFigures.ts';
import type { CommittedOffset, GroupView } from '../../cluster/model.ts';
import { counted, grouped, listed } from '../text.ts';
import { groupHealth, healthLooks, lagHealth } from './health.ts';
import type { Node, NodeOf } from './node.ts';
import { access, lagText, type RowText, type Tooltip } from './rowText.ts';

function committedContext(kind: string, node: Node, commit: CommittedOffset): string {
  return `${kind} ${commit.committed === null ? 'none' : 'at'} ${access(node)}`;
}

function commitTooltip(commit: CommittedOffset): Tooltip {
  return [
    t('{0} on {1}, partition {2}', commit.group, commit.topic, commit.partition),
    ...(commit.committed === null
      ? [commit.problem?.message ?? noCommitWords()]
      : ([
          [t('Committed offset'), grouped(commit.committed)],
          [t('Lag'), commit.lag === null ? t('unknown') : grouped(commit.lag)],
          [t('Leader epoch'), commit.leaderEpoch < 0 ? t('none') : String(commit.leaderEpoch)],
          ...(commit.metadata ? ([[t('Metadata'), commit.metadata]] as const) : []),
        ] as const)),
  ];
}

function noCommitWords(): string {
  return t('No commit: the group starts where its auto.offset.reset says.');
}

/** What is common to a commit under its partition and under its group. */
function committedRow(
  node: NodeOf<'commit' | 'groupPartition'>,
): Pick<RowText, 'tooltip' | 'icon' | 'iconColor' | 'health' | 'context' | 'expands'> {
  const { commit, isLagging = false } = node;
  const health = lagHealth(isPastEnd(commit), isLagging);
  const look = health && healthLooks[health];
  return {
    tooltip: () => commitTooltip(commit),
    icon: look?.icon ?? (commit.committed === null ? 'circle-slash' : 'bookmark'),
    ...(look && { iconColor: look.color }),
    ...(health && { health }),
    context: committedContext(node.kind, node, commit),
    expands: false,
  };
}

function isPastEnd({ lag }: CommittedOffset): boolean {
  return lag !== null && lag < 0n;
}

/** What follows the figures: what is the matter with them. */
function troubleOf(isPastEnd: boolean, isLagging = false): string[] {
  if (isPastEnd) return [t('past the end')];
  return isLagging ? [t('lagging')] : [];
}

/** A narrow view cuts the end off: what is the matter comes first, and the lag, as far as it is known. */
function lagFirst(
  lag: bigint | null,
  { isPastEnd: isPast, isLagging = false }: { isPastEnd: boolean; isLagging?: boolean | undefined },
): string[] {
  if (isPast) return [`⚠ ${t('past the end')}`, lagText(lag)];
  return [isLagging ? `⚠ ${lagText(lag)}` : lagText(lag)];
}

function commitLagFirst({ commit, isLagging }: NodeOf<'commit' | 'groupPartition'>): string[] {
  return lagFirst(commit.lag, { isPastEnd: isPastEnd(commit), isLagging });
}

export function commitRow(node: NodeOf<'commit'>): RowText {
  const { commit } = node;
  const trouble = troubleOf(isPastEnd(commit), node.isLagging);
  const { committed } = commit;
  const said = saidOf(commit);
  const shown =
    committed === null ? said : [...commitLagFirst(node), t('at {0}', grouped(committed))];
  return {
    label: commit.group,
    description: shown.join('   '),
    spoken: [t('Group {0}', commit.group), ...said, ...trouble].join(', '),
    ...committedRow(node),
  };
}

function saidOf(commit: CommittedOffset): string[] {
  const { committed, lag } = commit;
  return committed === null
    ? [noCommit(commit)]
    : [t('committed {0}', grouped(committed)), lagText(lag)];
}

function noCommit({ problem }: CommittedOffset): string {
  return problem ? problem.message : t('no commit');
}

export function groupPartitionRow(node: NodeOf<'groupPartition'>): RowText {
  const { commit } = node;
  const { committed, lag } = commit;
  const trouble = troubleOf(isPastEnd(commit), node.isLagging);
  const shown =
    committed === null
      ? [noCommit(commit)]
      : [
          ...commitLagFirst(node),
          `${grouped(committed)} / ${lag === null ? '?' : grouped(committed + lag)}`,
        ];
  return {
    label: String(commit.partition),
    description: shown.join('   '),
    spoken: [t('Partition {0}', commit.partition), ...saidOf(commit), ...trouble].join(', '),
    ...committedRow(node),
  };
}

export function groupRow(node: NodeOf<'group'>): RowText {
  const { group, figures, isLagging = false, isPinned = false } = node;
  const state = figures?.state || group.state;
  const parts = [state || t('state unknown')];
  if (figures && state !== 'Empty') parts.push(counted(figures.memberCount, 'member'));
  const shown = groupText(parts, node);
  if (figures) parts.push(figures.lag === null ? t('no commit') : lagText(figures.lag));
  const health = groupHealth(group, figures, isLagging);
  const look = health && healthLooks[health];
  const trouble = troubleOf(figures?.isPastEnd ?? false, isLagging);
  return {
    label: group.groupId,
    description: shown.join(' · '),
    tooltip: () => [
      group.groupId,
      ...trouble,
      [t('State'), state || t('unknown')],
      [t('Type'), group.type || t('unknown')],
      ...groupFacts(node),
      ...(isPinned ? [t('Favourite')] : []),
    ],
    spoken: [
      t('Group {0}', group.groupId),
      ...parts,
      ...trouble,
      ...(isPinned ? [t('favourite')] : []),
    ].join(', '),
    icon: iconOf(health, isPinned),
    ...(look && { iconColor: look.color }),
    ...(health && { health }),
    context: `group ${access(node)} ${isPinned ? 'pinned' : 'unpinned'}`,
    expands: true,
  };
}

function groupText(parts: readonly string[], { figures, isLagging }: NodeOf<'group'>): string[] {
  if (!figures) return [...parts];
  return figures.lag === null
    ? [...parts, t('no commit')]
    : [...lagFirst(figures.lag, { ...figures, isLagging }), ...parts];
}

/** A favourite keeps its sign unless there is something to look at. */
function iconOf(health: ReturnType<typeof groupHealth>, isPinned: boolean): string {
  if (isPinned && (health === undefined || health === 'empty')) return 'pinned';
  return health ? healthLooks[health].icon : 'organization';
}

function groupFacts({
  view,
  figures,
}: {
  readonly view: GroupView | undefined;
  readonly figures: NodeOf<'group'>['figures'];
}): readonly (readonly [string, string])[] {
  const details = view?.details;
  return [
    ...(details
      ? ([
          [t('Assignor'), details.protocol || t('none')],
          [t('Coordinator'), t('broker {0}', details.coordinator)],
        ] as const)
      : []),
    ...(figures
      ? ([
          [t('Members'), grouped(figures.memberCount)],
          [t('Lag'), figures.lag === null ? t('no commit') : grouped(figures.lag)],
        ] as const)
      : []),
  ];
}

export function membersRow({ members }: NodeOf<'members'>): RowText {
  return {
    label: t('Members'),
    description: members.length ? grouped(members.length) : t('none'),
    icon: 'person',
    context: 'members',
    expands: members.length > 0,
  };
}

export function memberRow({ member }: NodeOf<'member'>): RowText {
  const partitions = counted(member.assignment.length, 'partition');
  // Kafka writes the address as Java does, with a slash before it.
  const host = member.host.replace(/^\//, '');
  return {
    label: member.clientId || member.memberId,
    description: `${partitions} · ${host}`,
    tooltip: () => [
      member.clientId,
      [t('Member id'), member.memberId],
      [t('Host'), host],
      ...(member.groupInstanceId === null
        ? []
        : ([[t('Static member'), member.groupInstanceId]] as const)),
    ],
    spoken: [t('Member {0}', member.clientId), host, partitions].join(', '),
    icon: 'person',
    context: 'member',
    expands: true,
  };
}

export function assignmentRow(node: NodeOf<'assignment'>): RowText {
  const { topic, partitions } = node;
  return {
    label: topic,
    description: listed(partitions),
    spoken: t('{0}, partitions {1}', topic, listed(partitions)),
    icon: 'list-unordered',
    context: `assignment ${access(node)}`,
    expands: false,
  };
}

export function groupTopicRow(node: NodeOf<'groupTopic'>): RowText {
  const total = sumOfLags(node.commits.map(({ lag }) => lag));
  const lag = total === null ? t('no commit') : lagText(total);
  const trouble = troubleOf(node.commits.some(isPastEnd));
  return {
    label: node.topic,
    description: [...trouble.map((text) => `⚠ ${text}`), lag].join(' · '),
    spoken: [t('Topic {0}', node.topic), lag, ...trouble].join(', '),
    icon: 'list-unordered',
    context: `groupTopic ${access(node)}`,
    expands: true,
  };
}
