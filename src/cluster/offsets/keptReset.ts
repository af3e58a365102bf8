import { readCommits } from './groupPositions.ts';
import { deleteGroup } from '../../client/admin/groups.ts';
import { valueOf } from '../../client/outcome.ts';
import { inOrder } from '../../client/partitionMap.ts';
import { t } from '../../base/l10n.ts';
import type { ChangeOptions, ClusterSession } from '../clusterSession.ts';
import type { HistoryEntry, HistoryKey, OffsetHistory } from './offsetHistory.ts';
import { applyReset, type EarlierOffset, type ResetOutcome, type ResetRow } from './offsetReset.ts';
import { ProblemError } from '../problems.ts';

/** A group, and where its commits are kept before they are changed. */
export interface KeptGroup {
  readonly session: ClusterSession;
  readonly group: string;
  readonly history: OffsetHistory;
}

export interface KeptReset extends ChangeOptions {
  readonly rows: readonly ResetRow[];
  /** What is done, in words: "to earliest". */
  readonly summary: string;
  /** The history's id of the commits, where all of them come back. */
  readonly restores?: string | undefined;
}

/** Kafka's id of the cluster that is connected now, and the group. */
export async function historyKey({
  session,
  group,
}: Pick<KeptGroup, 'session' | 'group'>): Promise<HistoryKey> {
  await session.connect();
  const { state } = session;
  if (state.kind !== 'connected') throw new ProblemError(t('the connection is gone'));
  return { clusterId: state.clusterId, group };
}

/** Resets, with what was before kept for undo; one that changed nothing is forgotten. */
export async function resetAndKeep(
  { session, group, history }: KeptGroup,
  { rows, summary, restores, ...how }: KeptReset,
): Promise<{ readonly outcomes: ResetOutcome[]; readonly undo?: HistoryEntry }> {
  const key = await historyKey({ session, group });
  let undo: HistoryEntry | undefined;
  const outcomes = await applyReset(session, group, rows, {
    ...how,
    summary,
    onChecked: async (before, running) => {
      const id = await history.save(key, summary, before);
      undo = { id, savedAtMs: Date.now(), summary, partitionCount: before.length };
      running.note({ undo: { kind: 'offsets', ...key, historyId: id }, restores });
    },
  });
  if (undo && outcomes.every(({ problem }) => problem)) {
    await history.remove(key, undo.id);
    undo = undefined;
  }
  return { outcomes, ...(undo && { undo }) };
}

/** Deletes the group; its commits are kept, and restoring them makes it anew. */
export async function deleteAndKeep(
  { session, group, history }: KeptGroup,
  signal?: AbortSignal,
): Promise<void> {
  const key = await historyKey({ session, group });
  await session.change(
    { kind: 'deleteGroup', group },
    async (client, running) => {
      const commits = await readCommits(client, group, running.signal);
      const before = [...commits]
        .sort(inOrder)
        .map(({ topic, partition, value }): EarlierOffset => {
          return { topic, partition, ...valueOf(value) };
        });
      const id =
        before.length > 0 ? await history.save(key, t('group deleted'), before) : undefined;
      if (id !== undefined) running.note({ undo: { kind: 'offsets', ...key, historyId: id } });
      try {
        await deleteGroup(client, group, { signal: running.signal });
      } catch (error) {
        running.note({ undo: undefined });
        if (id !== undefined) await history.remove(key, id);
        throw error;
      }
      const offsets = before.map(({ topic, partition, offset }) => {
        return { topic, partition, before: offset?.toString() ?? null, after: null };
      });
      running.note({ offsets });
    },
    { signal },
  );
}
