import { t } from '../../base/l10n.ts';
import { counted, grouped } from '../text.ts';
import { brokerRow, brokersRow, embeddedRow, listRow, remoteRow } from './clusterRows.ts';
import {
  assignmentRow,
  commitRow,
  groupPartitionRow,
  groupRow,
  groupTopicRow,
  memberRow,
  membersRow,
} from './groupRows.ts';
import type { Node, NodeOf } from './node.ts';
import type { RowText } from './rowText.ts';
import { colors } from './themeColors.ts';
import { partitionRow, topicRow } from './topicRows.ts';

/** The row of a node. */
export function describe(node: Node): RowText {
  switch (node.kind) {
    case 'cluster':
      return node.embedded ? embeddedRow(node, node.embedded) : remoteRow(node);
    case 'brokers':
      return brokersRow(node);
    case 'topics':
      return listRow(node, t('Topics'), 'list-tree');
    case 'groups':
      return listRow(node, t('Consumer groups'), 'organization');
    case 'broker':
      return brokerRow(node);
    case 'topic':
      return topicRow(node);
    case 'partition':
      return partitionRow(node, node.row);
    case 'commit':
      return commitRow(node);
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
      return groupPartitionRow(node);
    case 'more':
      return moreRow(node);
    case 'problem':
      return problemRow(node);
    case 'nothing':
      return { label: '', description: node.text, context: 'nothing', expands: false };
  }
}

function moreRow({ hiddenCount, nextCount }: NodeOf<'more'>): RowText {
  return {
    label: t('Show {0} more', grouped(nextCount)),
    description: t('{0} not shown', counted(hiddenCount, 'row')),
    icon: 'unfold',
    context: 'more',
    expands: false,
    onClick: 'showMore',
  };
}

function problemRow({ problem: { message, hint } }: NodeOf<'problem'>): RowText {
  return {
    label: message,
    ...(hint && { description: hint }),
    tooltip: () => [message, ...(hint ? [hint] : [])],
    icon: 'error',
    iconColor: colors.bad,
    spoken: t('Problem: {0}. {1}', message, hint ?? ''),
    context: 'problem',
    expands: false,
  };
}
