import type { EmbeddedState } from '../../cluster/embeddedCluster.ts';
import type { CommittedOffset, GroupView, PartitionRow } from '../../cluster/model.ts';
import { markColors } from '../connections/marks.ts';
import { counted, durationText, grouped, listed } from '../text.ts';
import type { Node, NodeOf } from './node.ts';

/** Lines of text; `[name, value]` pairs in a row make a table. */
export type Tooltip = readonly (string | readonly [string, string])[];

/** How a row looks and reads, without the editor's types. */
export interface RowText {
  readonly label: string;
  readonly description?: string;
  /** The long form. */
  readonly tooltip?: Tooltip;
  /** The editor's icon name, and its colour where the icon says something. */
  readonly icon?: string;
  readonly iconColor?: string;
  /** What a screen reader says; left out: label and description. */
  readonly spoken?: string;
  /** Matched by the menus in package.json. */
  readonly context: string;
  /** Whether there are rows below, and whether they show before the person opens or closes them. */
  readonly expands: boolean | 'open';
}

const colors = {
  good: 'testing.iconPassed',
  bad: 'list.errorForeground',
  warning: 'list.warningForeground',
  quiet: 'descriptionForeground',
} as const;

/** The row of a node. */
export function describe(node: Node): RowText {
  switch (node.kind) {
    case 'cluster':
      return node.embedded ? embeddedRow(node, node.embedded) : remoteRow(node);
    case 'brokers':
      return folder(node, 'Brokers', 'server-environment');
    case 'topics':
      return folder(node, 'Topics', 'list-tree');
    case 'groups':
      return folder(node, 'Consumer groups', 'organization');
    case 'broker':
      return brokerRow(node);
    case 'topic':
      return topicRow(node);
    case 'partition':
      return partitionRow(node, node.row);
    case 'commit':
      return commitRow(node, node.commit, node.commit.group);
    case 'group':
      return groupRow(node);
    case 'members':
      return membersRow(node);
    case 'member':
      return memberRow(node);
    case 'assignment':
      return assignmentRow(node);
    case 'groupTopic':
      return groupTopicRow(node);
    case 'groupPartition':
      return groupPartitionRow(node, node.commit);
    case 'problem':
      return problemRow(node);
    case 'nothing':
      return { label: '', description: node.text, context: 'nothing', expands: false };
  }
}

function problemRow({ problem: { message, hint } }: NodeOf<'problem'>): RowText {
  return {
    label: message,
    ...(hint && { description: hint }),
    tooltip: [message, ...(hint ? [hint] : [])],
    icon: 'error',
    iconColor: colors.bad,
    spoken: `Problem: ${message}. ${hint ?? ''}`,
    context: 'problem',
    expands: false,
  };
}

function access(node: Node): string {
  return node.cluster.readOnly ? 'readonly' : 'writable';
}

const embeddedLooks: Record<
  EmbeddedState['kind'],
  { readonly icon: string; readonly color?: string }
> = {
  stopped: { icon: 'circle-outline', color: colors.quiet },
  starting: { icon: 'loading~spin' },
  running: { icon: 'circle-filled', color: colors.good },
  stopping: { icon: 'loading~spin' },
  crashed: { icon: 'error', color: colors.bad },
};

function embeddedRow(node: NodeOf<'cluster'>, state: EmbeddedState): RowText {
  const { icon, color } = embeddedLooks[state.kind];
  const parts = ['running' === state.kind ? state.bootstrap : state.kind];
  if (state.kind === 'running' && node.brokerCount) parts.push(counted(node.brokerCount, 'broker'));
  const clock = state.kind === 'running' ? clockWords(state.clockAheadMs) : undefined;
  if (clock !== undefined) parts.push(clock);
  if (state.kind === 'crashed') parts.push(state.message);
  const description = parts.join(' · ');
  return {
    label: node.cluster.name,
    description,
    tooltip: [
      `${node.cluster.name}: ${state.kind}`,
      ...(state.kind === 'running'
        ? ([
            ['Bootstrap address', state.bootstrap],
            ['Process', String(state.pid)],
            ...(clock === undefined
              ? []
              : ([["The cluster's time", `${clock} to this machine's`]] as const)),
          ] as const)
        : []),
      ...(state.kind === 'crashed' ? [state.message, state.logTail] : []),
    ],
    spoken: `${node.cluster.name} cluster, ${state.kind}, ${description}`,
    icon,
    ...(color && { iconColor: color }),
    context: `embedded ${state.kind} ${access(node)}`,
    expands: state.kind === 'running' && 'open',
  };
}

/** `clock +7d`. */
function clockWords(aheadMs: number | undefined): string | undefined {
  return aheadMs === undefined ? undefined : `clock +${durationText(aheadMs)}`;
}

function remoteRow(node: NodeOf<'cluster'>): RowText {
  const { cluster, connection } = node;
  const bootstrap = cluster.bootstrap.join(', ');
  const mark = cluster.readOnly ? ['READ ONLY'] : [];
  // First, where a narrow view does not cut it off.
  const production = cluster.isProduction ? ['PRODUCTION'] : [];
  const markColor = cluster.color && markColors[cluster.color];
  const row = (icon: string, color: string | undefined, parts: string[]): RowText => ({
    label: cluster.name,
    description: [...production, ...parts].join(' · '),
    tooltip: [
      `${cluster.name}: ${connection.kind}`,
      ['Bootstrap address', bootstrap],
      ...production,
      ...mark,
    ],
    spoken: `${cluster.name} cluster, ${connection.kind}, ${[...production, ...parts].join(', ')}`,
    icon,
    ...(color && { iconColor: color }),
    context: `remote ${connection.kind} ${access(node)}`,
    expands: connection.kind !== 'failed',
  });
  switch (connection.kind) {
    case 'stopped':
      return row('circle-outline', markColor ?? colors.quiet, [bootstrap, ...mark]);
    case 'connecting':
      return row('loading~spin', undefined, [bootstrap, 'connecting']);
    case 'connected': {
      const brokers = node.brokerCount ? [counted(node.brokerCount, 'broker')] : [];
      return row('circle-filled', markColor ?? colors.good, [bootstrap, ...brokers, ...mark]);
    }
    case 'failed': {
      const { message, hint } = connection.problem;
      const failed = row('error', colors.bad, [message]);
      return { ...failed, tooltip: [`${cluster.name}: ${message}`, ...(hint ? [hint] : [])] };
    }
  }
}

function folder(
  node: NodeOf<'brokers' | 'topics' | 'groups'>,
  label: string,
  icon: string,
): RowText {
  const count = node.count === undefined ? undefined : grouped(node.count);
  return {
    label,
    ...(count !== undefined && { description: count }),
    icon,
    context: `${node.kind} ${access(node)}`,
    expands: true,
  };
}

function brokerRow({ broker }: NodeOf<'broker'>): RowText {
  const address = `${broker.host}:${broker.port}`;
  const parts = [address];
  if (broker.rack !== null) parts.push(`rack ${broker.rack}`);
  if (broker.isController) parts.push('controller');
  return {
    label: String(broker.id),
    description: parts.join(' · '),
    spoken: `Broker ${broker.id}, ${parts.join(', ')}`,
    icon: 'server',
    context: 'broker',
    expands: false,
  };
}

function topicRow(node: NodeOf<'topic'>): RowText {
  const { topic, recordCount } = node;
  const troubles = [
    ...(topic.offline ? [`${grouped(topic.offline)} offline`] : []),
    ...(topic.underReplicated ? [`${grouped(topic.underReplicated)} under-replicated`] : []),
  ];
  const parts = [counted(topic.partitionCount, 'partition')];
  if (recordCount !== undefined) parts.push(grouped(recordCount));
  if (troubles.length) parts.push(`⚠ ${troubles.join(', ')}`);
  const color = topic.offline ? colors.bad : colors.warning;
  return {
    label: topic.name,
    description: parts.join(' · '),
    tooltip: [
      topic.name,
      ['Topic id', topic.topicId],
      ['Partitions', grouped(topic.partitionCount)],
      ...(recordCount === undefined
        ? []
        : ([['Records between log start and end', grouped(recordCount)]] as const)),
      ...troubles,
    ],
    spoken: [
      `Topic ${topic.name}`,
      counted(topic.partitionCount, 'partition'),
      ...(recordCount === undefined ? [] : [counted(recordCount, 'record')]),
      ...troubles,
    ].join(', '),
    icon: troubles.length ? 'warning' : 'list-unordered',
    ...(troubles.length && { iconColor: color }),
    context: `topic ${access(node)}${topic.isInternal ? ' internal' : ''}`,
    expands: true,
  };
}

function partitionRow(node: Node, row: PartitionRow): RowText {
  const { offsets } = row;
  const trouble =
    row.leader === -1
      ? 'no leader'
      : row.isr.length < row.replicas.length
        ? 'under-replicated'
        : undefined;
  const range =
    'problem' in offsets
      ? offsets.problem.message
      : `${grouped(offsets.value.logStart)} … ${grouped(offsets.value.highWatermark)}`;
  const leader = row.leader === -1 ? '' : `leader ${row.leader}`;
  return {
    label: String(row.partition),
    description: [range, leader, trouble ? `⚠ ${trouble}` : ''].filter(Boolean).join('   '),
    tooltip: partitionTooltip(row),
    spoken: [
      `Partition ${row.partition}`,
      'problem' in offsets ? range : `offsets ${range.replace('…', 'to')}`,
      leader || 'no leader',
      ...(trouble === 'under-replicated' ? [trouble] : []),
    ].join(', '),
    icon: trouble ? 'warning' : 'symbol-number',
    ...(trouble && { iconColor: row.leader === -1 ? colors.bad : colors.warning }),
    context: `partition ${access(node)}`,
    expands: true,
  };
}

function partitionTooltip(row: PartitionRow): Tooltip {
  const { offsets } = row;
  return [
    `${row.topic}, partition ${row.partition}`,
    ['Leader', row.leader === -1 ? 'none' : `broker ${row.leader}`],
    ['Leader epoch', String(row.leaderEpoch)],
    ['Replicas', listed(row.replicas)],
    ['In-sync replicas', listed(row.isr)],
    ...(row.offlineReplicas.length
      ? ([['Offline replicas', listed(row.offlineReplicas)]] as const)
      : []),
    ...('problem' in offsets
      ? [offsets.problem.message, ...(offsets.problem.hint ? [offsets.problem.hint] : [])]
      : ([
          ['Log start offset', grouped(offsets.value.logStart)],
          ['Last stable offset', grouped(offsets.value.lastStable)],
          ['High watermark', grouped(offsets.value.highWatermark)],
        ] as const)),
  ];
}

function lagText(lag: bigint | null): string {
  return lag === null ? 'lag unknown' : `lag ${grouped(lag)}`;
}

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

function commitRow(node: Node, commit: CommittedOffset, label: string): RowText {
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

function groupRow(node: NodeOf<'group'>): RowText {
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

function membersRow({ members }: NodeOf<'members'>): RowText {
  return {
    label: 'Members',
    description: members.length ? grouped(members.length) : 'none',
    icon: 'person',
    context: 'members',
    expands: members.length > 0,
  };
}

function memberRow({ member }: NodeOf<'member'>): RowText {
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

function assignmentRow({ topic, partitions }: NodeOf<'assignment'>): RowText {
  return {
    label: topic,
    description: listed(partitions),
    spoken: `${topic}, partitions ${listed(partitions)}`,
    icon: 'list-unordered',
    context: 'assignment',
    expands: false,
  };
}

function groupTopicRow(node: NodeOf<'groupTopic'>): RowText {
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

function groupPartitionRow(node: Node, commit: CommittedOffset): RowText {
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
