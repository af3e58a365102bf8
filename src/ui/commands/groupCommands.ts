import { t } from '../../base/l10n.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import type { Workbench } from '../workbench.ts';
import { confirmGroupDeletion } from './confirmGroupDeletion.ts';
import { askText, type Choice, choose, withProgress } from './prompts.ts';
import {
  type CommandCall,
  groupChoices,
  groupOfRow,
  type GroupTarget,
  groupTarget,
  rowOf,
  topicOfRow,
  topicTarget,
  writableTarget,
} from './targets.ts';

export async function resetOffsets(call: CommandCall): Promise<void> {
  const { profile, session } = await writableTarget(call);
  const group = groupOfRow(call) ?? (await chooseOrNameGroup(call, session));
  call.workbench.panels.openOffsets({ cluster: profile, group });
}

/** One that is there, those on the row's topic first, or the name of one that the reset makes. */
async function chooseOrNameGroup(call: CommandCall, session: ClusterSession): Promise<string> {
  const { title } = call;
  const making: Choice<string | undefined> = {
    label: `$(add) ${t('New consumer group...')}`,
    detail: t('A reset gives it its first offsets.'),
    alwaysShow: true,
    value: undefined,
  };
  const known = groupChoices(session, topicOfRow(call));
  const choices = known.then((groups) => [...groups, making]);
  const question = { title, placeholder: t('Which consumer group?') };
  const chosen = await choose<string | undefined>(question, choices);
  if (chosen !== undefined) return chosen;
  return askText({
    title,
    prompt: t('Name of the new consumer group'),
    validate: (name) => (name === '' ? t('A consumer group needs a name.') : undefined),
  });
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
  const { deleteAndKeep } = await import('../../cluster/offsets/keptReset.ts');
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
