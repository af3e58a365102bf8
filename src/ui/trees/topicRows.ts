/** How topics and partitions look and read. */
import type { PartitionRow } from '../../cluster/model.ts';
import { counted, grouped, listed } from '../text.ts';
import type { Node, NodeOf } from './node.ts';
import { access, colors, type RowText, type Tooltip } from './rowText.ts';

export function topicRow(node: NodeOf<'topic'>): RowText {
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

export function partitionRow(node: Node, row: PartitionRow): RowText {
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
