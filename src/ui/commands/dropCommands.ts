import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { sessionOf } from '../sessions.ts';
import type { Drop } from '../trees/topicDrops.ts';
import type { Workbench } from '../workbench.ts';

/** Opens the produce panel with what was dropped on a topic; of a file, with its first record. */
export async function openDropped(workbench: Workbench, { on, what }: Drop): Promise<void> {
  const { cluster } = on;
  sessionOf(workbench.registry, cluster).assertWritable();
  const topic = on.kind === 'topic' ? on.topic.name : on.row.topic;
  const { fileDraft, textDraft } = await import('../panels/droppedDraft.ts');
  const dropped =
    'text' in what
      ? { draft: textDraft(topic, what.text), hasMore: false }
      : await fileDraft(topic, what.file.fsPath);
  if (!dropped.draft) throw new Error(t('That is too much for one record. Send it as a file.'));
  const partition = on.kind === 'partition' ? on.row.partition : dropped.draft.partition;
  const draft = { ...dropped.draft, partition };
  workbench.panels.openProduce({ cluster, topic, partition, draft });
  if (!dropped.hasMore) return;
  void vscode.window.showInformationMessage(
    t(
      'This is the first record of the file. To send all of them, choose From a file… in the panel.',
    ),
  );
}
