/** Taking a change back: looked at first, asked, read back, and itself a change that can be undone. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { type ActivityEntry, isUndoable } from '../../cluster/activity/activityEntry.ts';
import type { Undo } from '../../cluster/activity/change.ts';
import { type OffsetsUndo, planOffsetsUndo } from '../../cluster/activity/offsetsUndo.ts';
import type { UndoneChange } from '../../cluster/activity/changeLog.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import { historyKey, resetAndKeep } from '../../cluster/offsets/keptReset.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import type { ResetOutcome, ResetRow } from '../../cluster/offsets/offsetReset.ts';
import { ProblemError } from '../../cluster/problems.ts';
import { usableSecrets } from '../../cluster/connections/profileSecrets.ts';
import { plaintextProfile } from '../../cluster/connections/profileSecurity.ts';
import type { StoredProfile } from '../../cluster/connections/storedProfile.ts';
import { confirm, withProgress } from '../commands/prompts.ts';
import { profileOf, sessionOf } from '../sessions.ts';
import { counted, grouped } from '../text.ts';
import type { Workbench } from '../workbench.ts';
import { titleOf, undoneOf } from './activityWords.ts';

/** Lines of a question; of more partitions, their number. */
const partitionsNamed = 12;

export async function undoChange(workbench: Workbench, entry: ActivityEntry): Promise<void> {
  const { undo } = entry.facts;
  if (!undo || !isUndoable(entry)) {
    throw new ProblemError(t('There is nothing to undo in "{0}"', titleOf(entry)));
  }
  if (undo.kind === 'offsets') await undoOffsets(workbench, entry, undo);
  else await undoConnection(workbench, entry, undo);
}

type OffsetsPlace = Extract<Undo, { kind: 'offsets' }>;

async function undoOffsets(
  workbench: Workbench,
  entry: ActivityEntry,
  { clusterId, group, historyId }: OffsetsPlace,
): Promise<void> {
  const profile = profileOf(workbench.registry, entry.cluster);
  const session = sessionOf(workbench.registry, profile);
  session.assertWritable();
  const { offsetHistory: history } = workbench;
  assertSameCluster(await historyKey({ session, group }), { clusterId, profile });
  const earlier = await history.load({ clusterId, group }, historyId);
  const left = entry.facts.offsets ?? [];
  const plan = await planOffsetsUndo(session, group, { earlier, left });
  if (plan.rows.every(({ committed, target }) => committed === target)) {
    throw new ProblemError(t('{0} is where it was already: there is nothing to undo', group));
  }
  await confirmOffsets(entry, plan, { group, profile });
  const undoes = undoneOf(entry);
  const summary = t('to before a change');
  const doing = undoes.isRedo ? t('Redoing "{0}"', undoes.title) : t('Undoing "{0}"', undoes.title);
  const { outcomes } = await withProgress(doing, ({ signal }) =>
    resetAndKeep({ session, group, history }, { rows: plan.rows, summary, undoes, signal }),
  );
  tellOffsets(group, outcomes);
  await workbench.model.refresh();
}

/** A connection may have come to name another cluster. */
function assertSameCluster(
  now: { readonly clusterId: string },
  { clusterId, profile }: { readonly clusterId: string; readonly profile: ClusterProfile },
): void {
  if (now.clusterId === clusterId) return;
  throw new ProblemError(
    t('{0} is another cluster than the one on which this was done', profile.name),
    t('Connect to that one, and undo it there.'),
  );
}

async function confirmOffsets(
  entry: ActivityEntry,
  { rows, changedSince, unknownCount }: OffsetsUndo,
  { group, profile }: { readonly group: string; readonly profile: ClusterProfile },
): Promise<void> {
  const since = changedSince.map(({ topic, partition, left, now }) =>
    t('{0}-{1}: left at {2}, now {3}', topic, partition, offset(left), offset(now)),
  );
  const detail = [
    ...named(rows.map(rowWords)),
    '',
    ...(since.length > 0 ? [t('Changed since. The undo loses this:'), ...named(since), ''] : []),
    ...(unknownCount > 0
      ? [t('Whether {0} have changed since is not known.', counted(unknownCount, 'partition')), '']
      : []),
    t(
      "On {0}. The group's consumers go on from these offsets. It can be undone in turn.",
      profile.name,
    ),
  ];
  const undoes = undoneOf(entry);
  const question = since.length > 0 ? movedOnQuestion(group, undoes) : plainQuestion(undoes);
  await confirm(question, detail.join('\n'), answerOf(undoes), profile);
}

function movedOnQuestion(group: string, { title, isRedo }: UndoneChange): string {
  return isRedo
    ? t('{0} has moved on since. Redo "{1}" all the same?', group, title)
    : t('{0} has moved on since. Undo "{1}" all the same?', group, title);
}

function plainQuestion({ title, isRedo }: UndoneChange): string {
  return isRedo ? t('Redo "{0}"?', title) : t('Undo "{0}"?', title);
}

function answerOf({ isRedo }: UndoneChange): string {
  return isRedo ? t('Redo') : t('Undo');
}

function rowWords({ topic, partition, committed, target }: ResetRow): string {
  return `${topic}-${partition}: ${offset(committed)} → ${offset(target)}`;
}

function offset(value: bigint | null): string {
  return value === null ? t('no commit') : grouped(value);
}

function named(lines: readonly string[]): string[] {
  if (lines.length <= partitionsNamed) return [...lines];
  const left = lines.length - partitionsNamed;
  return [...lines.slice(0, partitionsNamed), t('{0} more', counted(left, 'partition'))];
}

function tellOffsets(group: string, outcomes: readonly ResetOutcome[]): void {
  const refused = outcomes.flatMap(({ problem }) => problem ?? []);
  const [first] = refused;
  const all = counted(outcomes.length, 'partition');
  if (first) {
    const { message, hint } = first;
    const words = t('{0}: {1} of {2} refused. {3}.', group, refused.length, all, message);
    void vscode.window.showWarningMessage(hint === undefined ? words : `${words} ${hint}`);
    return;
  }
  const words = t('{0} is back where it was: {1}, as read back.', group, all);
  void vscode.window.showInformationMessage(words);
}

type ConnectionUndo = Extract<Undo, { kind: 'connection' }>;

async function undoConnection(
  workbench: Workbench,
  entry: ActivityEntry,
  { before, left }: ConnectionUndo,
): Promise<void> {
  const { registry } = workbench;
  const undoes = undoneOf(entry);
  if (left) {
    await confirmEdit(undoes, left, registry.profile(before.id));
    await registry.edit(before.id, before, { undoes });
  } else {
    await confirmReturn(registry, before, undoes);
    await registry.restore(before, undoes);
  }
  if (!isDeepStrictEqual(registry.profile(before.id), before)) {
    throw new ProblemError(t('the connection {0} was changed meanwhile', before.name));
  }
}

async function confirmEdit(
  undoes: UndoneChange,
  left: StoredProfile,
  now: ClusterProfile | undefined,
): Promise<void> {
  if (!now) throw new ProblemError(t('the connection {0} was removed since', left.name));
  const detail = isDeepStrictEqual(now, left)
    ? t('The settings of {0} come back. Passwords stay as they are now.', left.name)
    : t('It was edited again since, which is lost. Passwords stay as they are now.');
  await confirm(plainQuestion(undoes), detail, answerOf(undoes), undefined);
}

async function confirmReturn(
  registry: ClusterRegistry,
  removed: StoredProfile,
  undoes: UndoneChange,
): Promise<void> {
  const detail = [removed.bootstrap.join(', '), ...(await secretWords(registry, removed))];
  const question = t('Bring the connection {0} back?', removed.name);
  await confirm(question, detail.join('\n'), answerOf(undoes), undefined);
}

/** What is to be said of passwords, which are forgotten with their connection. */
async function secretWords(
  registry: ClusterRegistry,
  { id, security = plaintextProfile }: StoredProfile,
): Promise<string[]> {
  const usable = usableSecrets(security);
  if (usable.length === 0) return [];
  const stored = await registry.secrets(id);
  return usable.some((name) => stored[name] !== undefined)
    ? [t('Its passwords are still in the secret storage.')]
    : [t('Its passwords were forgotten with it. Edit the connection to give them again.')];
}
