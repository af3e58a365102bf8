import { t } from '../../base/l10n.ts';
import { confirmGroupDeletion } from './confirmGroupDeletion.ts';
import { withProgress } from './prompts.ts';
import type { Workbench } from '../workbench.ts';
import {
  type CommandCall,
  type GroupTarget,
  groupTarget,
  rowOf,
  topicTarget,
  writableTarget,
} from './targets.ts';

export async function resetOffsets(call: CommandCall): Promise<void> {
  const { profile, group } = await groupTarget(call, writableTarget);
  call.workbench.panels.openOffsets({ cluster: profile, group });
}

export async function deleteGroup(call: CommandCall): Promise<void> {
  await deleteGroupOf(call.workbench, await groupTarget(call, writableTarget));
}

export async function deleteGroupOf(
  workbench: Workbench,
  { profile, session, group }: GroupTarget,
): Promise<void> {
  const view = await session.group(group);
  const commits = view.offsets.filter((offset) => offset.committed !== null);
  await confirmGroupDeletion(group, commits.length, profile);
  const { deleteAndKeep } = await import('../../cluster/keptReset.ts');
  const { offsetHistory: history } = workbench;
  await withProgress(t('Deleting group {0}', group), ({ signal }) =>
    deleteAndKeep({ session, group, history }, signal),
  );
  await workbench.model.refresh();
}

/** Reads on from where a group would: the tail of what it has not read yet. */
export async function tailFromCommitted(call: CommandCall): Promise<void> {
  const row = rowOf(call, 'commit', 'groupPartition');
  const { profile, topic } = await topicTarget(call);
  const group = row?.commit.group ?? (await groupTarget(call)).group;
  call.workbench.panels.openTail({
    cluster: profile,
    topic,
    ...(row && { partitions: [row.commit.partition] }),
    from: `group ${group}`,
  });
}
