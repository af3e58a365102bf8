/** Records that were kept under a name: to be sent again, renamed, deleted. */
import { t } from '../../base/l10n.ts';
import type { SavedDraft } from '../savedDrafts.ts';
import { counted } from '../text.ts';
import { askText, choose, confirm } from './prompts.ts';
import { type CommandCall, writableTarget } from './targets.ts';

/** Opens the produce panel with a saved record, on the cluster that the person means. */
export async function produceSaved(call: CommandCall): Promise<void> {
  const { draft } = await savedTarget(call);
  const { profile } = await writableTarget(call);
  const { topic, partition } = draft;
  call.workbench.panels.openProduce({ cluster: profile, topic, partition, draft });
}

export async function renameSaved(call: CommandCall): Promise<void> {
  const { drafts } = call.workbench;
  const { name } = await savedTarget(call);
  const taken = new Set(drafts.all.map((each) => each.name).filter((each) => each !== name));
  const wanted = await askText({
    title: t('Rename {0}', name),
    prompt: t('A name to find it by.'),
    value: name,
    validate: (text) => {
      if (text === '') return t('Type a name.');
      return taken.has(text) ? t('There is a saved record {0} already.', text) : undefined;
    },
  });
  await drafts.rename(name, wanted);
}

export async function deleteSaved(call: CommandCall): Promise<void> {
  const { drafts } = call.workbench;
  const names = call.saved.length > 1 ? call.saved : [(await savedTarget(call)).name];
  const [first = ''] = names;
  await confirm(
    names.length === 1
      ? t('Delete the saved record {0}?', first)
      : t('Delete {0}?', counted(names.length, 'record')),
    t('They are only kept here. What was sent stays where it is.'),
    t('Delete'),
    undefined,
  );
  await drafts.delete(names);
}

/** The row called from, or the record that is chosen. */
async function savedTarget({ workbench, saved, title }: CommandCall): Promise<SavedDraft> {
  const { all } = workbench.drafts;
  const called = all.find(({ name }) => name === saved[0]);
  if (called) return called;
  if (all.length === 0) {
    throw new Error(t('No record is saved yet. The produce panel can save the one that it shows.'));
  }
  return choose(
    { title, placeholder: t('Name or topic') },
    all.map((each) => ({ label: each.name, description: each.draft.topic, value: each })),
  );
}
