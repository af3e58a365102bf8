/** How topics and partitions look and read. */
import { t } from '../../base/l10n.ts';
import type { PartitionRow, Replica } from '../../cluster/model.ts';
import { counted, grouped, listed } from '../text.ts';
import { healthLooks, partitionHealth, topicHealth } from './health.ts';
import type { Node, NodeOf } from './node.ts';
import { access, lagText, type RowText, type Tooltip } from './rowText.ts';

export function topicRow(node: NodeOf<'topic'>): RowText {
  const { topic, recordCount, lag, isPinned } = node;
  const partitions = counted(topic.partitionCount, 'partition');
  const troubles = [
    ...(topic.offline ? [t('{0} offline', grouped(topic.offline))] : []),
    ...(topic.underReplicated ? [t('{0} under-replicated', grouped(topic.underReplicated))] : []),
  ];
  // A narrow view cuts the end off.
  const parts = troubles.length ? [`⚠ ${troubles.join(', ')}`] : [];
  if (lag) parts.push(`${lagText(lag.lag)} (${lag.group})`);
  parts.push(partitions);
  if (recordCount !== undefined) parts.push(grouped(recordCount));
  const health = topicHealth(topic);
  const look = health && healthLooks[health];
  return {
    label: topic.name,
    description: parts.join(' · '),
    tooltip: () => topicTooltip(node, troubles),
    spoken: [
      t('Topic {0}', topic.name),
      partitions,
      ...(recordCount === undefined
        ? []
        : [t('{0} offsets between log start and end', grouped(recordCount))]),
      ...(lag ? [t('{0} of {1}', lagText(lag.lag), lag.group)] : []),
      ...troubles,
      ...(isPinned ? [t('favourite')] : []),
    ].join(', '),
    icon: look?.icon ?? (isPinned ? 'pinned' : 'list-unordered'),
    ...(look && { iconColor: look.color }),
    ...(health && { health }),
    context: [
      'topic',
      access(node),
      ...(topic.isInternal ? ['internal'] : []),
      isPinned ? 'pinned' : 'unpinned',
    ].join(' '),
    expands: true,
  };
}

function topicTooltip(
  { topic, recordCount, lag, isPinned }: NodeOf<'topic'>,
  troubles: readonly string[],
): Tooltip {
  return [
    topic.name,
    [t('Topic id'), topic.topicId],
    [t('Partitions'), grouped(topic.partitionCount)],
    ...(recordCount === undefined
      ? []
      : ([[t('Offsets between log start and end'), grouped(recordCount)]] as const)),
    ...(lag ? ([[t('Furthest behind'), `${lag.group}, ${lagText(lag.lag)}`]] as const) : []),
    ...(recordCount === undefined
      ? []
      : [t('Transaction markers and records that compaction removed count as offsets too.')]),
    ...troubles,
    ...(isPinned ? [t('Favourite')] : []),
  ];
}

export function partitionRow(node: Node, row: PartitionRow): RowText {
  const { offsets } = row;
  const health = partitionHealth(row);
  const look = health && healthLooks[health];
  const problem = 'problem' in offsets ? offsets.problem.message : undefined;
  const [start, end] =
    'problem' in offsets
      ? []
      : [grouped(offsets.value.logStart), grouped(offsets.value.highWatermark)];
  const leader = row.leader === -1 ? '' : t('leader {0}', row.leader);
  const trouble =
    health === 'offline'
      ? t('no leader')
      : health === 'underReplicated'
        ? t('under-replicated')
        : '';
  return {
    label: String(row.partition),
    description: [trouble && `⚠ ${trouble}`, problem ?? `${start} … ${end}`, leader]
      .filter(Boolean)
      .join('   '),
    tooltip: () => partitionTooltip(row),
    spoken: [
      t('Partition {0}', row.partition),
      problem ?? t('offsets {0} to {1}', start ?? '', end ?? ''),
      leader,
      trouble,
    ]
      .filter(Boolean)
      .join(', '),
    icon: look?.icon ?? 'symbol-number',
    ...(look && { iconColor: look.color }),
    ...(health && { health }),
    context: `partition ${access(node)}`,
    expands: true,
  };
}

/** `replicas` are read only when somebody looks; undefined: not yet. */
export function partitionTooltip(row: PartitionRow, replicas?: readonly Replica[]): Tooltip {
  const { offsets } = row;
  const leader = replicas?.find(({ broker }) => broker === row.leader);
  return [
    t('{0}, partition {1}', row.topic, row.partition),
    [t('Leader'), leaderText(row)],
    [t('Replicas'), replicasText(row)],
    ...(row.offlineReplicas.length
      ? ([[t('Offline replicas'), listed(row.offlineReplicas)]] as const)
      : []),
    ...('problem' in offsets
      ? [offsets.problem.message, ...(offsets.problem.hint ? [offsets.problem.hint] : [])]
      : ([
          [t('Log start offset'), grouped(offsets.value.logStart)],
          [t('Last stable offset'), grouped(offsets.value.lastStable)],
          [t('High watermark'), grouped(offsets.value.highWatermark)],
        ] as const)),
    ...(leader ? leaderFacts(leader) : []),
    ...(replicas ?? [])
      .filter((replica) => replica !== leader)
      .map((replica) => followerFact(row, replica)),
  ];
}

/** Few lines: the editor lays the tooltip over the rows below. */
function leaderText({ leader, leaderEpoch }: PartitionRow): string {
  return leader === -1
    ? t('none, epoch {0}', leaderEpoch)
    : t('broker {0}, epoch {1}', leader, leaderEpoch);
}

function replicasText({ replicas, isr }: PartitionRow): string {
  return replicas.every((broker) => isr.includes(broker))
    ? t('{0}, all in sync', listed(replicas))
    : t('{0}; in sync: {1}', listed(replicas), isr.length ? listed(isr) : t('none'));
}

function leaderFacts({ logEndOffset, log }: Replica): Tooltip {
  return [
    [t('Log end offset'), logEndText(logEndOffset)],
    [t('Size on disk'), sizeText(log)],
    ...('value' in log ? ([[t('Log directory'), log.value.directory]] as const) : []),
  ];
}

function followerFact(row: PartitionRow, { broker, logEndOffset, log }: Replica) {
  const sync = row.isr.includes(broker) ? t('in sync') : t('not in sync');
  const parts = [sync, t('log end {0}', logEndText(logEndOffset)), sizeText(log)];
  return [t('Replica on broker {0}', broker), parts.join(' · ')] as const;
}

function logEndText(logEndOffset: Replica['logEndOffset']): string {
  return 'value' in logEndOffset
    ? grouped(logEndOffset.value)
    : t('unknown: {0}', logEndOffset.problem.message);
}

function sizeText(log: Replica['log']): string {
  return 'value' in log
    ? counted(log.value.sizeBytes, 'byte')
    : t('size unknown: {0}', log.problem.message);
}
