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
import type { ClusterProfile } from '../../cluster/model.ts';
import type {
  offsetsHost,
  ResetScenario as ScenarioMessage,
} from '../../shared/contracts/offsets.ts';
import { confirmGroupDeletion } from '../commands/confirmGroupDeletion.ts';
import { confirm } from '../commands/prompts.ts';
import { counted, listed } from '../text.ts';
import { byPartition, resultOf, scenarioWords } from './offsetsMessages.ts';

type ApplyRow = v.InferOutput<typeof offsetsHost.apply.params>['rows'][number];
type ApplyAnswer = v.InferOutput<typeof offsetsHost.apply.result>;

export interface Changed extends KeptGroup {
  readonly cluster: ClusterProfile;
}

export async function resetOffsets(
  changed: Changed,
  scenario: ScenarioMessage,
  rows: readonly ApplyRow[],
  signal: AbortSignal,
): Promise<ApplyAnswer> {
  const { session, history } = changed;
  session.assertWritable();
  await confirmReset(changed, rows);
  const key = await historyKey(changed);
  const kept = scenario.kind === 'restore' ? await history.load(key, scenario.id) : [];
  const summary = scenarioWords(scenario);
  const restores = scenario.kind === 'restore' && isWhole(kept, rows) ? scenario.id : undefined;
  const reset = { rows: resetRows(rows, kept), summary, restores, signal };
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

async function confirmReset({ group, cluster }: Changed, rows: readonly ApplyRow[]): Promise<void> {
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  const scope = [...byTopic.entries()].map(([topic, of]) => {
    const partitions = of.map(({ partition }) => partition).sort((a, b) => a - b);
    return `${topic}: ${partitionWords(partitions)}`;
  });
  const shown =
    scope.length > 20 ? [...scope.slice(0, 19), t('{0} more topics', scope.length - 19)] : scope;
  const isDeletion = rows.every(({ target }) => target === null);
  const partitions = counted(rows.length, 'partition');
  const outcome = isDeletion
    ? t(
        "On {0}. The group's consumers start where their auto.offset.reset says. It can be undone here.",
        cluster.name,
      )
    : t(
        "On {0}. The group's consumers go on from the new offsets. It can be undone here.",
        cluster.name,
      );
  await confirm(
    isDeletion
      ? t('Delete the commits of {0} on {1}?', group, partitions)
      : t('Reset the offsets of {0} on {1}?', group, partitions),
    [...shown, '', outcome].join('\n'),
    isDeletion ? t('Delete') : t('Reset'),
    cluster,
  );
}

function partitionWords(partitions: readonly number[]): string {
  if (partitions.length === 1) return t('partition {0}', String(partitions[0]));
  if (partitions.length > 12) return counted(partitions.length, 'partition');
  return t('partitions {0}', listed(partitions));
}
