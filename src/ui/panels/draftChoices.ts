/** Keeping a record under a name, and taking one up again. */
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ProduceDraft } from '../../shared/contracts/produce.ts';
import { askText, choose, ignoreCancelled } from '../commands/prompts.ts';
import type { SavedDrafts } from '../savedDrafts.ts';

export async function saveDraft(
  drafts: SavedDrafts,
  draft: ProduceDraft,
): Promise<{ saved: boolean }> {
  const name = await ignoreCancelled(
    askText({
      title: t('Save the record'),
      prompt: t('A name to find it by. A record with the same name is replaced.'),
      value: draft.topic,
      validate: (text) => (text === '' ? t('Type a name.') : undefined),
    }),
  );
  if (name === undefined) return { saved: false };
  await drafts.save(name, draft);
  return { saved: true };
}

export async function chooseDraft(drafts: SavedDrafts): Promise<{ draft?: ProduceDraft }> {
  const choices = drafts.all.map(({ name, draft }) => ({
    label: name,
    description: draft.topic,
    value: draft,
  }));
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(t('No record is saved yet.'));
    return {};
  }
  const question = { title: t('Use a saved record'), placeholder: t('Name or topic') };
  const draft = await ignoreCancelled(choose(question, choices));
  return draft ? { draft } : {};
}
