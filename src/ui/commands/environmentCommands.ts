import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { choiceOf, noChoice } from '../environment/chosenCluster.ts';
import { tickStep } from '../firstSteps.ts';
import { setting } from '../settings.ts';
import { type Choice, choose } from './prompts.ts';
import type { CommandCall } from './targets.ts';

/** Chooses whose address terminals and debug sessions get, or that they get none. */
export async function chooseEnvironment({ workbench, title }: CommandCall): Promise<void> {
  const now = setting('environment.cluster');
  const marked = (value: string): string | undefined =>
    value === now ? t('chosen now') : undefined;
  const clusters = workbench.registry.profiles.map((profile): Choice<string> => {
    const value = choiceOf(profile);
    const detail =
      profile.kind === 'embedded'
        ? t('While it runs, at whatever port')
        : profile.bootstrap.join(',');
    return { label: profile.name, detail, ...described(marked(value)), value };
  });
  const off: Choice<string> = {
    label: t('None'),
    detail: t('Terminals and debug sessions stay as they are'),
    ...described(marked(noChoice)),
    value: noChoice,
  };
  const placeholder = t('Which cluster is KAFKA_BOOTSTRAP_SERVERS to name?');
  const choices = [...clusters, off].map((choice) => ({ ...choice, value: choice }));
  const chosen = await choose({ title, placeholder }, choices);
  const configuration = vscode.workspace.getConfiguration('kafkaWorkbench');
  const isForWorkspace = configuration.inspect('environment.cluster')?.workspaceValue !== undefined;
  await configuration.update('environment.cluster', chosen.value, !isForWorkspace);
  if (chosen.value !== noChoice) tickStep('tookSettings');
  vscode.window.setStatusBarMessage(
    chosen.value === noChoice
      ? t('New terminals and debug sessions get no address')
      : t('New terminals and debug sessions find {0}', chosen.label),
    3000,
  );
}

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}
