import { t } from '../../base/l10n.ts';
import { counted } from '../text.ts';
import { confirm, withProgress } from './prompts.ts';
import { type CommandCall, groupTarget, rowOf, topicTarget, writableTarget } from './targets.ts';

export async function resetOffsets(call: CommandCall): Promise<void> {
  const { profile, group } = await groupTarget(call, writableTarget);
  call.workbench.panels.openOffsets({ cluster: profile, group });
}

export async function deleteGroup(call: CommandCall): Promise<void> {
  const { profile, session, group } = await groupTarget(call, writableTarget);
  const view = await session.group(group);
  const committed = view.offsets.filter((offset) => offset.committed !== null).length;
  await confirm(
    t('Delete consumer group {0} ({1})?', group, counted(committed, 'committed offset')),
    t(
      'On {0}. A consumer that joins under this name later starts where its auto.offset.reset says.',
      profile.name,
    ),
    t('Delete'),
    profile,
  );
  await withProgress(t('Deleting group {0}', group), ({ signal }) =>
    session.deleteGroup(group, signal),
  );
  await call.workbench.model.refresh();
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
