import { brokerRow, embeddedRow, folder, remoteRow } from './clusterRows.ts';
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
import { colors, type RowText } from './rowText.ts';
import { partitionRow, topicRow } from './topicRows.ts';

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
