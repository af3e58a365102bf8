import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import type { MaintenanceTask } from '../../shared/maintenance.ts';
import { parseSeek, SeekSyntaxError } from '../../shared/seek.ts';
import { counted, durationText } from '../text.ts';
import { askText, type Choice, choose, withProgress } from './prompts.ts';
import type { CommandCall } from './targets.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const advances = (): readonly Choice<number>[] => [
  { label: counted(1, 'hour'), value: hourMs },
  ...[1, 7, 30].map((days) => ({ label: counted(days, 'day'), value: days * dayMs })),
];

/** Moves the embedded cluster's clock, so that retention and expiry can be seen at once. It never goes back. */
export async function advanceClock({ workbench, title }: CommandCall): Promise<void> {
  const other: Choice<number> = { label: t('Another duration...'), value: 0 };
  const placeholder = t('By how much? The clock never goes back, and is kept over a restart.');
  const chosen = await choose({ title, placeholder }, [...advances(), other]);
  const byMs = chosen || (await askDuration(title));
  const { clockAheadMs } = await workbench.embedded.operations.advanceClock(byMs);
  await workbench.model.refresh();
  const run = t('Run maintenance now...');
  void vscode.window
    .showInformationMessage(
      t(
        "The embedded cluster's clock is {0} ahead. What is due comes with the broker's next turn, or when you run it.",
        durationText(clockAheadMs),
      ),
      run,
    )
    .then((answer) => {
      if (answer === run) void vscode.commands.executeCommand('kafkaWorkbench.runMaintenance');
    });
}

async function askDuration(title: string): Promise<number> {
  const text = await askText({
    title,
    prompt: t('A duration such as 90m, 36h, 1d12h or PT1H.'),
    placeholder: '36h',
    validate: (typed) =>
      durationMs(typed) === undefined ? t('Not a duration, such as 90m, 36h or 1d12h.') : undefined,
  });
  return durationMs(text) ?? 0;
}

function durationMs(text: string): number | undefined {
  try {
    const { start, end } = parseSeek(`@-${text}`);
    return start.kind === 'ago' && !end ? start.agoMs : undefined;
  } catch (error) {
    if (error instanceof SeekSyntaxError) return undefined;
    throw error;
  }
}

const tasks = (): readonly Choice<readonly MaintenanceTask[]>[] => [
  {
    label: t('Retention'),
    detail: t('Delete segments that are over retention.ms or retention.bytes'),
    value: ['retention'],
  },
  {
    label: t('Compaction'),
    detail: t('Keep the newest record of each key'),
    value: ['compaction'],
  },
  {
    label: t('Offset expiry'),
    detail: t('Drop the commits of groups that have been empty for offsets.retention.minutes'),
    value: ['offsets'],
  },
  {
    label: t('Transaction expiry'),
    detail: t('Abort transactions that are over their timeout'),
    value: ['transactions'],
  },
  {
    label: t('All of these'),
    value: ['transactions', 'retention', 'compaction', 'offsets'],
  },
];

/** Runs at once what the broker otherwise does every few minutes. */
export async function runMaintenance({ workbench, title }: CommandCall): Promise<void> {
  const chosen = await choose({ title, placeholder: t('What is to be done at once?') }, tasks());
  const done = await withProgress(t("Running the embedded cluster's maintenance"), () =>
    workbench.embedded.operations.runMaintenance(chosen),
  );
  await workbench.model.refresh();
  const words = done.map(({ task, summary }) => `${task}: ${summary}`).join('. ');
  void vscode.window.showInformationMessage(words);
}
