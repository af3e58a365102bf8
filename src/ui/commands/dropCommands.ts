import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { sessionOf } from '../sessions.ts';
import type { ProduceDraft } from '../../shared/contracts/produce.ts';
import type { DraggedRecord } from '../../shared/contracts/recordDrag.ts';
import type { Drop } from '../trees/topicDrops.ts';
import type { Workbench } from '../workbench.ts';

/** Opens the produce panel with what was dropped on a topic; of a file, with its first record. */
export async function openDropped(workbench: Workbench, { on, what }: Drop): Promise<void> {
  const { cluster } = on;
  sessionOf(workbench.registry, cluster).assertWritable();
  const topic = on.kind === 'topic' ? on.topic.name : on.row.topic;
  const { fileDraft, textDraft } = await import('../panels/droppedDraft.ts');
  const dropped =
    'record' in what
      ? { draft: await draggedDraft(workbench, topic, what.record), hasMore: false }
      : 'text' in what
        ? { draft: textDraft(topic, what.text), hasMore: false }
        : await fileDraft(topic, what.file.fsPath);
  if (!dropped.draft) throw new Error(t('That is too much for one record. Send it as a file.'));
  const partition = on.kind === 'partition' ? on.row.partition : dropped.draft.partition;
  const draft = { ...dropped.draft, partition };
  workbench.panels.openProduce({ cluster, topic, partition, draft });
  if (!dropped.hasMore) return;
  void vscode.window.showInformationMessage(
    t(
      'This is the first record of the file. To send all of them, choose From a file... in the panel.',
    ),
  );
}

/** The record that a row of a tail stands for, read from its own cluster again: the same bytes, in the other topic. */
async function draggedDraft(
  { registry }: Workbench,
  topic: string,
  dragged: DraggedRecord,
): Promise<ProduceDraft> {
  const profile = registry.profile(dragged.cluster);
  if (!profile) throw new Error(t('The connection that this record is of is not here any more.'));
  const { readRecordAgain } = await import('../../cluster/tail/tailDetails.ts');
  const { recordDraft } = await import('../panels/recordDraft.ts');
  const { partition, offset } = dragged;
  const place = { topic: dragged.topic, partition, offset: BigInt(offset), decoders: {} };
  const session = sessionOf(registry, profile);
  const record = await session.use((client) => readRecordAgain(client, place));
  if (!record) throw new Error(t('The record is not in the log any more.'));
  return recordDraft({ ...record, topic, partition: null }, {});
}
