/** What the offsets panel changes, each after a question, and each with what was before kept for undo. */
import type * as v from 'valibot';
import { t } from '../../base/l10n.ts';
import { loadGroupPositions } from '../../cluster/offsets/groupPositions.ts';
import {
  deleteAndKeep,
  historyKey,
  type KeptGroup,
  resetAndKeep,
} from '../../cluster/offsets/keptReset.ts';
import type { EarlierOffset, ResetRow } from '../../cluster/offsets/offsetReset.ts';
import type { UndoneChange } from '../../cluster/activity/changeLog.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import type { offsetsHost } from '../../shared/contracts/offsets.ts';
import { confirmGroupDeletion } from '../commands/confirmGroupDeletion.ts';
import { confirm } from '../commands/prompts.ts';
import { counted, listed } from '../text.ts';
import { byPartition, resultOf, scenarioWords } from './offsetsMessages.ts';

type Wanted = v.InferOutput<typeof offsetsHost.apply.params>;
type ApplyRow = Wanted['rows'][number];
type ApplyAnswer = v.InferOutput<typeof offsetsHost.apply.result>;

export interface Changed extends KeptGroup {
  readonly cluster: ClusterProfile;
  /** The change that kept the commits under an id of the history, if it is listed. */
  readonly changeThatKept: (historyId: string) => UndoneChange | undefined;
}

interface Applying {
  /** The person has said yes. */
  readonly onAgreed: () => void;
  readonly signal: AbortSignal;
}

export async function resetOffsets(
  changed: Changed,
  wanted: Wanted,
  { onAgreed, signal }: Applying,
): Promise<ApplyAnswer> {
  const { session, history } = changed;
  const { scenario, rows } = wanted;
  session.assertWritable();
  await confirmReset(changed, wanted);
  onAgreed();
  const key = await historyKey(changed);
  const kept = scenario.kind === 'restore' ? await history.load(key, scenario.id) : [];
  const summary = scenarioWords(scenario);
  const restores = scenario.kind === 'restore' && isWhole(kept, rows) ? scenario.id : undefined;
  const undoes = restores === undefined ? undefined : changed.changeThatKept(restores);
  const reset = { rows: resetRows(rows, kept), summary, restores, undoes, signal };
  const { outcomes, undo } = await resetAndKeep(changed, reset);
  return { cancelled: false, results: outcomes.map(resultOf), ...(undo && { undo }) };
}

function resetRows(rows: readonly ApplyRow[], kept: readonly EarlierOffset[]): ResetRow[] {
  const earlier = byPartition(kept, (each) => each);
  return rows.map(({ topic, partition, committed, target }) => {
    const before = earlier.get(topic, partition);
    return {
      topic,
      partition,
      committed: committed === null ? null : BigInt(committed),
      target: target === null ? null : BigInt(target),
      ...(before && { kept: keptOf(before, target) }),
    };
  });
}

/** Whether every earlier commit comes back: rows may be left out and edited. */
function isWhole(kept: readonly EarlierOffset[], rows: readonly ApplyRow[]): boolean {
  const targets = byPartition(rows, ({ target }) => target);
  return kept.every(({ topic, partition, offset }) => {
    return targets.get(topic, partition) === (offset?.toString() ?? null);
  });
}

/** A row that was edited goes elsewhere than it once was: only its metadata is of use. */
function keptOf(before: EarlierOffset, target: string | null): NonNullable<ResetRow['kept']> {
  const isSame = before.offset?.toString() === target;
  return { metadata: before.metadata, leaderEpoch: isSame ? before.leaderEpoch : -1 };
}

/** Deletes the group; its commits can be restored, which makes it anew. */
export async function deleteWholeGroup(changed: Changed, signal: AbortSignal): Promise<void> {
  const { session, cluster, group } = changed;
  session.assertWritable();
  const { positions } = await loadGroupPositions(session, group, { signal });
  const commits = positions.filter(({ committed }) => committed !== null);
  await confirmGroupDeletion(group, commits.length, cluster);
  await deleteAndKeep(changed, signal);
}

async function confirmReset(changed: Changed, wanted: Wanted): Promise<void> {
  const byTopic = Map.groupBy(wanted.rows, ({ topic }) => topic);
  const scope = [...byTopic.entries()].map(([topic, of]) => {
    const partitions = of.map(({ partition }) => partition).sort((a, b) => a - b);
    return `${topic}: ${partitionWords(partitions)}`;
  });
  const shown =
    scope.length > 20 ? [...scope.slice(0, 19), t('{0} more topics', scope.length - 19)] : scope;
  const { question, outcome, action } = questionOf(changed, wanted);
  await confirm(question, [...shown, '', outcome].join('\n'), action, changed.cluster);
}

interface ResetQuestion {
  readonly question: string;
  readonly outcome: string;
  readonly action: string;
}

/** In the words of the button that was pressed. */
function questionOf({ group, cluster }: Changed, wanted: Wanted): ResetQuestion {
  const { rows, scenario, isUndo } = wanted;
  const partitions = counted(rows.length, 'partition');
  const outcome = t(
    "On {0}. The group's consumers go on from the new offsets. It can be undone here.",
    cluster.name,
  );
  if (isUndo) {
    const question = t('Undo the reset of {0} on {1}?', group, partitions);
    return { question, outcome: restoredWords(cluster), action: t('Undo') };
  }
  if (scenario.kind === 'restore') {
    const question = t('Restore the earlier offsets of {0} on {1}?', group, partitions);
    return { question, outcome: restoredWords(cluster), action: t('Restore') };
  }
  if (rows.some(({ target }) => target !== null)) {
    const question = t('Reset the offsets of {0} on {1}?', group, partitions);
    return { question, outcome, action: t('Reset') };
  }
  return {
    question: t('Delete the committed offsets of {0} on {1}?', group, partitions),
    outcome: t(
      "On {0}. The group's consumers start where their auto.offset.reset says. It can be undone here.",
      cluster.name,
    ),
    action: t('Delete'),
  };
}

function restoredWords({ name }: ClusterProfile): string {
  return t("On {0}. The group's consumers go on from where they were before.", name);
}

function partitionWords(partitions: readonly number[]): string {
  if (partitions.length === 1) return t('partition {0}', String(partitions[0]));
  if (partitions.length > 12) return counted(partitions.length, 'partition');
  return t('partitions {0}', listed(partitions));
}
