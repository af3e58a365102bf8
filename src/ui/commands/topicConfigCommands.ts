import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { type ConfigEntry, setTopicConfig, topicConfigs } from '../../cluster/topicConfigs.ts';
import { configWords } from '../configWords.ts';
import { askText, type Choice, choose, withProgress } from './prompts.ts';
import { type CommandCall, type TopicTarget, topicTarget } from './targets.ts';

/** Lists what a topic is set to; the one that is chosen can be changed, and the list is shown again. */
export async function showTopicConfigs(call: CommandCall): Promise<void> {
  const target = await topicTarget(call);
  const { profile, topic, session } = target;
  for (;;) {
    const entry = await choose(
      {
        title: t('Configs of {0} on {1}', topic, profile.name),
        placeholder: profile.readOnly
          ? t('The connection is read-only: they can be looked at')
          : t('Choose one to change it'),
      },
      topicConfigs(session, topic).then(choicesOf),
    );
    session.assertWritable();
    await change(target, entry);
  }
}

function choicesOf(entries: readonly ConfigEntry[]): readonly Choice<ConfigEntry>[] {
  return entries.map((entry) => {
    const words = configWords(entry.name, entry.value ?? '');
    return {
      label: entry.name,
      description: entry.isDefault ? words : t('{0} · set for this topic', words),
      iconPath: new vscode.ThemeIcon(entry.isDefault ? 'blank' : 'edit'),
      value: entry,
    };
  });
}

async function change({ topic, session }: TopicTarget, entry: ConfigEntry): Promise<void> {
  const { name, isDefault } = entry;
  const text = await askText({
    title: t('Set {0} of {1}', name, topic),
    prompt: isDefault
      ? t('It has the default for every topic now.')
      : t('Empty: back to the default for every topic.'),
    value: entry.value ?? '',
    // What a value may be, the cluster knows.
    validate: () => undefined,
  });
  if (text === (entry.value ?? '')) return;
  const value = text === '' ? null : text;
  const before = isDefault ? null : entry.value;
  await withProgress(t('Setting {0} of {1}', name, topic), ({ signal }) =>
    setTopicConfig(session, topic, { name, before, value }, signal),
  );
}
