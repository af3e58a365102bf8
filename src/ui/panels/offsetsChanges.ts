/** What the offsets panel changes, each after a question, and each with what was before kept for undo. */
import type * as v from 'valibot';
import { t } from '../../base/l10n.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import { loadGroupPositions } from '../../cluster/groupPositions.ts';
import type { HistoryKey, OffsetHistory } from '../../cluster/offsetHistory.ts';
import { applyReset, type EarlierOffset, type ResetRow } from '../../cluster/offsetReset.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import type {
  HistoryEntry,
  offsetsHost,
  ResetScenario as ScenarioMessage,
} from '../../shared/contracts/offsets.ts';
import { confirm } from '../commands/prompts.ts';
import { counted, listed } from '../text.ts';
import { byPartition, resultOf, scenarioWords } from './offsetsMessages.ts';

type ApplyRow = v.InferOutput<typeof offsetsHost.apply.params>['rows'][number];
type ApplyAnswer = v.InferOutput<typeof offsetsHost.apply.result>;

export interface Changed {
  readonly session: ClusterSession;
  readonly cluster: ClusterProfile;
  readonly group: string;
  readonly history: OffsetHistory;
}

/** Kafka's id of the cluster that is connected now, and the group. */
export async function historyKey({ session, group }: Changed): Promise<HistoryKey> {
  await session.connect();
  const { state } = session;
  if (state.kind !== 'connected') throw new Error(t('the connection is gone'));
  return { clusterId: state.clusterId, group };
}

export async function resetOffsets(
  changed: Changed,
  scenario: ScenarioMessage,
  rows: readonly ApplyRow[],
  signal: AbortSignal,
): Promise<ApplyAnswer> {
  const { session, group, history } = changed;
  session.assertWritable();
  await confirmReset(changed, rows);
  const key = await historyKey(changed);
  const kept = scenario.kind === 'restore' ? await history.load(key, scenario.id) : [];
  const summary = scenarioWords(scenario);
  let undo: HistoryEntry | undefined;
  const onChecked = async (before: readonly EarlierOffset[]): Promise<void> => {
    const id = await history.save(key, summary, before);
    undo = { id, savedAtMs: Date.now(), summary, partitionCount: before.length };
  };
  const outcomes = await applyReset(session, group, resetRows(rows, kept), { signal, onChecked });
  if (undo && outcomes.every(({ problem }) => problem)) {
    await history.remove(key, undo.id);
    undo = undefined;
  }
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

/** A row that was edited goes elsewhere than it once was: only its metadata is of use. */
function keptOf(before: EarlierOffset, target: string | null): NonNullable<ResetRow['kept']> {
  const isSame = before.offset?.toString() === target;
  return { metadata: before.metadata, leaderEpoch: isSame ? before.leaderEpoch : -1 };
}

/** Deletes the group; its commits can be restored, which makes it anew. */
export async function deleteWholeGroup(changed: Changed, signal: AbortSignal): Promise<void> {
  const { session, cluster, group, history } = changed;
  session.assertWritable();
  const { positions } = await loadGroupPositions(session, group, { signal });
  const before = positions.flatMap(({ committed, ...of }) =>
    committed === null ? [] : [{ ...of, offset: committed }],
  );
  await confirm(
    t('Delete consumer group {0} ({1})?', group, counted(before.length, 'committed offset')),
    t(
      'On {0}. A consumer that joins under this name later starts where its auto.offset.reset says.',
      cluster.name,
    ),
    t('Delete'),
    cluster,
  );
  const key = await historyKey(changed);
  const id = before.length > 0 ? await history.save(key, t('group deleted'), before) : undefined;
  try {
    await session.deleteGroup(group, signal);
  } catch (error) {
    if (id !== undefined) await history.remove(key, id);
    throw error;
  }
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
