/** Where what was changed can be looked at, and how it is tried again. */
import * as vscode from 'vscode';
import type { ActivityEntry } from '../../cluster/activity/activityEntry.ts';
import { t } from '../../base/l10n.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { ProblemError } from '../../cluster/problems.ts';
import { loadSampleData, startEmbedded, stopEmbedded } from '../commands/embeddedCommands.ts';
import { deleteGroupOf } from '../commands/groupCommands.ts';
import { withProgress } from '../commands/prompts.ts';
import { type CommandCall, targetOf } from '../commands/targets.ts';
import { deleteTopicsOf } from '../commands/topicCommands.ts';
import { profileOf } from '../sessions.ts';
import { clusterNodeId } from '../trees/project.ts';
import type { Workbench } from '../workbench.ts';
import { isRetryable } from './activityRow.ts';
import { titleOf } from './activityWords.ts';

/** The panel, the file or the row of what was changed. */
export async function openChange(workbench: Workbench, entry: ActivityEntry): Promise<void> {
  const { change } = entry;
  if ('file' in change) {
    await vscode.window.showTextDocument(vscode.Uri.parse(change.file));
    return;
  }
  const cluster = profileOf(workbench.registry, entry.cluster);
  if ('group' in change) workbench.panels.openOffsets({ cluster, group: change.group });
  else if ('topic' in change) openTopic(workbench, entry, { cluster, topic: change.topic });
  else await revealCluster(workbench, cluster);
}

function openTopic(
  { panels }: Workbench,
  { state, change, facts: { place } }: ActivityEntry,
  { cluster, topic }: { readonly cluster: ClusterProfile; readonly topic: string },
): void {
  if (state === 'failed' && change.kind === 'produce') {
    panels.openProduce({ cluster, topic, partition: null });
    return;
  }
  const offset = place && BigInt(place.offset);
  // With acks=0 nobody says where a record went.
  if (!place || offset === undefined || offset < 0n) {
    panels.openTail({ cluster, topic, from: 'last 100', isFresh: true });
    return;
  }
  const { partition } = place;
  const open = { partition, offset };
  panels.openTail({ cluster, topic, partitions: [partition], from: place.offset, open });
}

async function revealCluster({ view }: Workbench, cluster: ClusterProfile): Promise<void> {
  await vscode.commands.executeCommand('kafkaWorkbench.clusters.focus');
  await view.reveal(clusterNodeId(cluster), { select: true });
}

/** Does once more what failed, with the same questions as before. */
export async function retryChange(call: CommandCall, entry: ActivityEntry): Promise<void> {
  const { workbench } = call;
  if (!isRetryable(entry)) {
    throw new ProblemError(t('"{0}" cannot be tried again from here', titleOf(entry)));
  }
  const { kind } = entry.change;
  if (kind === 'startCluster') await startEmbedded(call);
  else if (kind === 'stopCluster') await stopEmbedded(call);
  else if (kind === 'loadSample') await loadSampleData(call);
  else await retryOnCluster(workbench, entry);
}

async function retryOnCluster(workbench: Workbench, entry: ActivityEntry): Promise<void> {
  const { change } = entry;
  const target = targetOf(workbench, profileOf(workbench.registry, entry.cluster));
  const { session } = target;
  session.assertWritable();
  if (change.kind === 'deleteTopics') {
    await deleteTopicsOf(workbench, target, stillThere(entry, await session.topics()));
  } else if (change.kind === 'deleteGroup') {
    await deleteGroupOf(workbench, { ...target, group: change.group });
  } else {
    await withProgress(titleOf(entry), async ({ signal }) => {
      if (change.kind === 'createTopic') {
        await session.createTopic({ ...change, name: change.topic }, signal);
      } else if (change.kind === 'addPartitions') {
        await session.addPartitions(change.topic, change.partitionCount, signal);
      }
    });
    await workbench.model.refresh();
  }
}

/** Some of the topics may have been deleted the first time. */
function stillThere(
  { change }: ActivityEntry,
  topics: readonly { readonly name: string }[],
): readonly string[] {
  const there = new Set(topics.map(({ name }) => name));
  const wanted = change.kind === 'deleteTopics' ? change.topics : [];
  const left = wanted.filter((name) => there.has(name));
  if (left.length === 0) throw new ProblemError(t('the topics are gone already'));
  return left;
}
