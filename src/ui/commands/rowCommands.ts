import { deleteGroup } from './groupCommands.ts';
import { removeConnection } from './connectionCommands.ts';
import { type CommandCall, rowsOf } from './targets.ts';
import { deleteTopic, tail } from './topicCommands.ts';

export async function refresh({ workbench, cell }: CommandCall): Promise<void> {
  const under = cell?.node.kind === 'problem' ? cell.parent : cell;
  await workbench.model.refresh(under);
}

/** Enter on a row: its records. */
export async function openSelected(call: CommandCall): Promise<void> {
  const [cell] = rowsOf(call);
  if (cell?.node.kind === 'more') await call.workbench.model.showMore(cell);
  if (cell?.node.kind === 'topic' || cell?.node.kind === 'partition') await tail({ ...call, cell });
}

export async function deleteSelected(call: CommandCall): Promise<void> {
  const cells = rowsOf(call);
  const [cell] = cells;
  const selected = { ...call, cell, cells };
  if (cell?.node.kind === 'topic') await deleteTopic(selected);
  if (cell?.node.kind === 'group') await deleteGroup(selected);
  if (cell?.node.kind === 'cluster' && cell.node.cluster.kind === 'remote') {
    await removeConnection(selected);
  }
}
