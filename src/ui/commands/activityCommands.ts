/** What the Activity view offers. */
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { type ActivityEntry, isUndoable } from '../../cluster/activity/activityEntry.ts';
import { isRetryable } from '../activity/activityRow.ts';
import { exactTime } from '../activity/activityTime.ts';
import { entryText, isRedoOf, titleOf, undoneOf, undoWords } from '../activity/activityWords.ts';
import { activityViewId } from '../contributions.ts';
import { askText, choose, confirm } from './prompts.ts';
import type { CommandCall } from './targets.ts';

export async function showActivity(): Promise<void> {
  await vscode.commands.executeCommand(`${activityViewId}.focus`);
}

export async function undoActivity(call: CommandCall): Promise<void> {
  const isUndo = (entry: ActivityEntry): boolean => isUndoable(entry) && !isRedoOf(entry);
  await takeBack(call, isUndo, t('There is nothing that can be undone.'));
}

/** An undo is taken back by the name that everybody knows. */
export async function redoActivity(call: CommandCall): Promise<void> {
  const isRedo = (entry: ActivityEntry): boolean => isUndoable(entry) && isRedoOf(entry);
  await takeBack(call, isRedo, t('There is nothing that can be redone.'));
}

async function takeBack(
  call: CommandCall,
  isFit: (entry: ActivityEntry) => boolean,
  none: string,
): Promise<void> {
  const labelOf = (entry: ActivityEntry): string => undoneOf(entry).title;
  const entry = await chosenEntry(call, isFit, { none, labelOf });
  const { undoChange } = await import('../activity/undoChange.ts');
  await undoChange(call.workbench, entry);
}

export async function cancelActivity(call: CommandCall): Promise<void> {
  const { activity } = call.workbench;
  const isRunning = ({ id }: ActivityEntry): boolean => activity.isRunningHere(id);
  const entry = await chosenEntry(call, isRunning, { none: t('Nothing runs in this window.') });
  activity.cancel(entry.id);
}

export async function retryActivity(call: CommandCall): Promise<void> {
  const entry = await chosenEntry(call, isRetryable, {
    none: t('There is nothing to try again.'),
  });
  const { retryChange } = await import('../activity/openChange.ts');
  await retryChange(call, entry);
}

/** Enter on a row, or its menu. A day has nothing to open. */
export async function openActivity(call: CommandCall): Promise<void> {
  const [entry] = entriesOf(call);
  if (!entry) return;
  const { openChange } = await import('../activity/openChange.ts');
  await openChange(call.workbench, entry);
}

/** The rows that are selected; from the title or the palette, all that are shown. */
export async function copyActivity(call: CommandCall): Promise<void> {
  await call.workbench.activity.load();
  const chosen = entriesOf(call);
  const entries = chosen.length > 0 ? chosen : call.workbench.activityView.shown;
  if (entries.length === 0) throw new Error(nothingYet());
  await vscode.env.clipboard.writeText(`${entries.map(entryText).join('\n')}\n`);
  vscode.window.setStatusBarMessage(t('Copied'), 3000);
}

export async function removeActivity(call: CommandCall): Promise<void> {
  const entries = entriesOf(call).filter(({ state }) => state !== 'running');
  if (entries.length > 0) await remove(call, entries);
}

export async function clearActivity(call: CommandCall): Promise<void> {
  const { activity } = call.workbench;
  await activity.load();
  const entries = activity.entries.filter(({ state }) => state !== 'running');
  if (entries.length === 0) throw new Error(nothingYet());
  await remove(call, entries);
}

/** What was done stays done: only the list, and the way back from it, go. */
async function remove(call: CommandCall, entries: readonly ActivityEntry[]): Promise<void> {
  const undoable = entries.filter(isUndoable).length;
  const [only] = entries.length === 1 ? entries : [];
  if (undoable > 0 || !only) {
    await confirm(
      only ? t('Forget "{0}"?', titleOf(only)) : t('Forget {0} entries?', entries.length),
      undoable > 0
        ? t('What was done stays done. {0} of them can no longer be undone from here.', undoable)
        : t('What was done stays done.'),
      t('Forget'),
      undefined,
    );
  }
  await call.workbench.activity.remove(entries.map(({ id }) => id));
}

export async function filterActivity({ workbench, title }: CommandCall): Promise<void> {
  await showActivity();
  workbench.activityView.filter = await askText({
    title,
    prompt: t(
      'Words that a change is to have: of its name, its cluster, its topic or how it ended.',
    ),
    value: workbench.activityView.filter,
    validate: () => undefined,
  });
}

export function clearActivityFilter({ workbench }: CommandCall): Promise<void> {
  workbench.activityView.filter = '';
  return Promise.resolve();
}

function nothingYet(): string {
  return t('Nothing was changed yet.');
}

/** Of the rows called from or, from the keyboard, those selected. */
function entriesOf({ workbench, activity }: CommandCall): ActivityEntry[] {
  const selected = workbench.activityView.selection.flatMap((row) =>
    row.kind === 'day' ? [] : [row.activityId],
  );
  const ids = new Set(activity.length > 0 ? activity : selected);
  return workbench.activity.entries.filter(({ id }) => ids.has(id));
}

/**
 * The row's entry, or, by a key of the view, the selected one; else the one that is then chosen of those that would do:
 * from the palette nobody sees what was once selected.
 */
async function chosenEntry(
  call: CommandCall,
  isFit: (entry: ActivityEntry) => boolean,
  {
    none,
    labelOf = titleOf,
  }: Readonly<{ none: string; labelOf?: (entry: ActivityEntry) => string }>,
): Promise<ActivityEntry> {
  const { workbench, title } = call;
  const [entry] = call.activity.length > 0 || call.isOnSelection ? entriesOf(call) : [];
  if (entry && (isFit(entry) || call.activity.length > 0)) return entry;
  await workbench.activity.load();
  const fit = workbench.activity.entries.filter(isFit);
  if (fit.length === 0) throw new Error(none);
  return choose(
    { title, placeholder: t('Which change?') },
    fit.map((value) => ({
      label: labelOf(value),
      description: `${value.cluster.name} · ${exactTime(value.startedAtMs)}`,
      ...(isUndoable(value) && { detail: undoWords(value) }),
      value,
    })),
  );
}
