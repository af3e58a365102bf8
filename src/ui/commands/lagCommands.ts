import { t } from '../../base/l10n.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import { choose } from './prompts.ts';
import { type CommandCall, groupOfRow, groupTarget, targetOf, topicOfRow } from './targets.ts';

/** The lag of a group; from a topic's row, of one of the groups that have a commit on it. */
export async function lag(call: CommandCall): Promise<void> {
  const { workbench, cell } = call;
  const { panels } = workbench;
  const topic = topicOfRow(call);
  if (!cell || topic === undefined || groupOfRow(call) !== undefined) {
    const { profile, group } = await groupTarget(call);
    panels.openLag({ cluster: profile, group, topic });
    return;
  }
  const { profile, session } = targetOf(workbench, cell.node.cluster);
  const group = await chooseGroupOn(call, session, topic);
  panels.openLag({ cluster: profile, group, topic });
}

async function chooseGroupOn(
  { title }: CommandCall,
  session: ClusterSession,
  topic: string,
): Promise<string> {
  const commits = await session.committedOn(topic);
  const groups = [...new Set(commits.map(({ group }) => group))].sort();
  const [only] = groups;
  if (only === undefined) {
    throw new Error(t('No consumer group has a commit on {0} yet.', topic));
  }
  if (groups.length === 1) return only;
  const choices = groups.map((group) => ({ label: group, value: group }));
  return choose({ title, placeholder: t('Which consumer group?') }, choices);
}

/** One of the groups that are watched. */
export async function watchedLag({ workbench, title }: CommandCall): Promise<void> {
  const { watched } = workbench.lag;
  const [only] = watched;
  if (!only) {
    throw new Error(t('No group is watched. Open the lag of one and choose Watch there.'));
  }
  const choices = watched.map(({ subject, isAlarmed }) => ({
    label: `${isAlarmed ? '$(warning) ' : ''}${subject.group}`,
    description: subject.cluster.name,
    value: subject,
  }));
  const subject =
    choices.length === 1
      ? only.subject
      : await choose({ title, placeholder: t('Which consumer group?') }, choices);
  workbench.panels.openLag(subject);
}
