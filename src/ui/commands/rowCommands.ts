import * as vscode from 'vscode';
import type { Node } from '../trees/node.ts';
import { deleteGroup } from './groupCommands.ts';
import { removeConnection } from './connectionCommands.ts';
import type { CommandCall } from './targets.ts';
import { deleteTopic, tail } from './topicCommands.ts';

export async function refresh({ workbench, cell }: CommandCall): Promise<void> {
  const under = cell?.node.kind === 'problem' ? cell.parent : cell;
  await workbench.model.refresh(under);
}

export async function copyName(call: CommandCall): Promise<void> {
  const names = rows(call).flatMap(({ node }) => nameOf(node) ?? []);
  if (names.length) await vscode.env.clipboard.writeText(names.join('\n'));
}

export async function copyValue(call: CommandCall): Promise<void> {
  const values = rows(call).flatMap(({ node }) => valueOf(node) ?? []);
  if (values.length) await vscode.env.clipboard.writeText(values.join('\n'));
}

/** Enter on a row: its records. */
export async function openSelected(call: CommandCall): Promise<void> {
  const [cell] = rows(call);
  if (cell?.node.kind === 'topic' || cell?.node.kind === 'partition') await tail({ ...call, cell });
}

export async function deleteSelected(call: CommandCall): Promise<void> {
  const cells = rows(call);
  const [cell] = cells;
  const selected = { ...call, cell, cells };
  if (cell?.node.kind === 'topic') await deleteTopic(selected);
  if (cell?.node.kind === 'group') await deleteGroup(selected);
  if (cell?.node.kind === 'cluster' && cell.node.cluster.kind === 'remote') {
    await removeConnection(selected);
  }
}

/** The rows called from, or, from the keyboard, those selected. */
function rows({ workbench, cells }: CommandCall): CommandCall['cells'] {
  return cells.length ? cells : workbench.view.selection;
}

function nameOf(node: Node): string | undefined {
  switch (node.kind) {
    case 'cluster':
      return node.cluster.name;
    case 'broker':
      return String(node.broker.id);
    case 'topic':
      return node.topic.name;
    case 'partition':
      return `${node.row.topic}-${node.row.partition}`;
    case 'commit':
      return node.commit.group;
    case 'group':
      return node.group.groupId;
    case 'member':
      return node.member.clientId;
    case 'assignment':
    case 'groupTopic':
      return node.topic;
    case 'groupPartition':
      return `${node.commit.topic}-${node.commit.partition}`;
    case 'brokers':
    case 'topics':
    case 'groups':
    case 'members':
    case 'problem':
    case 'nothing':
      return undefined;
  }
}

/** The figure or address of a row, as plain digits and text: for pasting, not for reading. */
function valueOf(node: Node): string | undefined {
  if ('commit' in node) return node.commit.committed?.toString();
  if (node.kind === 'broker') return `${node.broker.host}:${node.broker.port}`;
  if (node.kind === 'member') return node.member.memberId;
  if (node.kind === 'problem') {
    return [node.problem.message, node.problem.hint ?? ''].filter(Boolean).join('\n');
  }
  if (node.kind !== 'partition' || 'problem' in node.row.offsets) return undefined;
  return node.row.offsets.value.highWatermark.toString();
}
