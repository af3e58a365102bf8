import { t } from '../../base/l10n.ts';
import {
  commitGroupOffsets,
  deleteGroupOffsets,
  type GroupOffset,
  type GroupOffsets,
  type OffsetToCommit,
} from '../../client/admin/groupOffsets.ts';
import { describeGroup } from '../../client/admin/groups.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { KafkaError } from '../../client/kafkaError.ts';
import type { Outcome } from '../../client/outcome.ts';
import { PartitionMap, type TopicPartition } from '../../client/partitionMap.ts';
import { groupThousands } from '../../shared/numbers.ts';
import type { OffsetChange } from '../activity/change.ts';
import type { RunningChange } from '../activity/changeLog.ts';
import type { ChangeOptions, ClusterSession } from '../clusterSession.ts';
import { committedOn, isInactive, membersInWords, readCommits } from './groupPositions.ts';
import type { GroupDetails, Problem } from '../model.ts';
import { ProblemError, toProblem } from '../problems.ts';

export interface ResetRow extends TopicPartition {
  /** As it was when the reset was planned. */
  readonly committed: bigint | null;
  /** Null: the commit is deleted. */
  readonly target: bigint | null;
  /** What else to commit; left out: what the group has now. */
  readonly kept?: Pick<GroupOffset, 'metadata' | 'leaderEpoch'>;
}

/** A commit as it was before a reset; an offset of null: there was none. */
export interface EarlierOffset extends TopicPartition {
  readonly offset: bigint | null;
  readonly leaderEpoch: number;
  readonly metadata: string;
}

export interface ResetOutcome extends TopicPartition {
  /** As read back; null where there is none. */
  readonly committed: bigint | null;
  readonly problem?: Problem;
}

export interface ApplyOptions extends ChangeOptions {
  /** What is done, in words: "to earliest". */
  readonly summary?: string;
  /** Told of what is about to be changed, when everything has been checked; the change waits for it. */
  readonly onChecked?: (before: readonly EarlierOffset[], running: RunningChange) => Promise<void>;
}

/**
 * Checks the group's state again, commits or deletes, and reads back. Metadata is kept, and the leader epoch where
 * the offset stays: of another offset it would say what is not so. Rejects, with nothing changed, where the group is
 * active or has committed since the plan was made.
 */
export function applyReset(
  session: ClusterSession,
  group: string,
  rows: readonly ResetRow[],
  options: ApplyOptions = {},
): Promise<ResetOutcome[]> {
  const { summary = '', onChecked, ...how } = options;
  return session.change(
    { kind: 'resetOffsets', group, summary },
    async (client, running) => {
      const { signal } = running;
      // Kafka deletes commits of an active group too, on topics that no member subscribes to.
      if (rows.some(({ target }) => target !== null)) {
        assertInactive(await describeGroup(client, group, { signal }));
      }
      const before = await readCommits(client, group, signal);
      for (const row of rows) assertUnchanged(row, before);
      const earlier = rows.map((row) => earlierOffset(row, before));
      await onChecked?.(earlier, running);
      const outcomes = await change(client, group, { rows, before, signal });
      const after = await readCommits(client, group, signal);
      const refusal = await joinedMeanwhile(client, group, outcomes);
      const results = rows.map((row) => {
        const outcome = outcomes.get(row.topic, row.partition);
        return outcomeOf(row, { outcome, after, refusal });
      });
      running.note({
        offsets: results.map((result, i) => offsetChange(result, earlier[i])),
        ...(results.every(({ problem }) => problem) && { undo: undefined }),
      });
      return results;
    },
    how,
  );
}

function offsetChange(
  { topic, partition, committed, problem }: ResetOutcome,
  before: EarlierOffset | undefined,
): OffsetChange {
  return {
    topic,
    partition,
    before: before?.offset?.toString() ?? null,
    after: committed?.toString() ?? null,
    ...(problem && { problem: problem.message.slice(0, 500) }),
  };
}

type Outcomes = PartitionMap<Outcome<undefined>>;

interface Change {
  readonly rows: readonly ResetRow[];
  readonly before: GroupOffsets;
  readonly signal: AbortSignal | undefined;
}

async function change(
  client: KafkaClient,
  group: string,
  { rows, before, signal }: Change,
): Promise<Outcomes> {
  const outcomes: Outcomes = new PartitionMap();
  const commits = rows.flatMap((row) => commitOf(row, committedOn(before, row)) ?? []);
  const deletions = rows.filter(({ target, committed }) => target === null && committed !== null);
  if (commits.length > 0) {
    outcomes.setAll(await commitGroupOffsets(client, group, commits, { signal }));
  }
  if (deletions.length > 0) {
    outcomes.setAll(await deleteGroupOffsets(client, group, deletions, { signal }));
  }
  return outcomes;
}

function commitOf(row: ResetRow, now: GroupOffset | undefined): OffsetToCommit | undefined {
  const { topic, partition, target, kept } = row;
  if (target === null) return undefined;
  const leaderEpoch = kept?.leaderEpoch ?? (now?.offset === target ? now.leaderEpoch : -1);
  const metadata = kept?.metadata ?? now?.metadata ?? '';
  return { topic, partition, offset: target, leaderEpoch, metadata };
}

function earlierOffset(row: ResetRow, before: GroupOffsets): EarlierOffset {
  const { topic, partition } = row;
  const { offset = null, leaderEpoch = -1, metadata = '' } = committedOn(before, row) ?? {};
  return { topic, partition, offset, leaderEpoch, metadata };
}

/** Rejects, in words, where Kafka lets nobody but the group's members commit. */
export function assertInactive(details: GroupDetails): void {
  if (isInactive(details)) return;
  const { groupId, state } = details;
  throw new ProblemError(
    t(
      '{0} is {1} with {2}. Kafka lets nobody else commit for a group that has members',
      groupId,
      state,
      membersInWords(details),
    ),
    t('Stop its members, then reset.'),
  );
}

function assertUnchanged(row: ResetRow, commits: GroupOffsets): void {
  const now = committedOn(commits, row)?.offset ?? null;
  if (now === row.committed) return;
  const was = row.committed === null ? t('no commit') : groupThousands(row.committed);
  const is = now === null ? t('none') : groupThousands(now);
  throw new ProblemError(
    t(
      '{0}-{1} has changed since this was planned: {2} then, {3} now',
      row.topic,
      row.partition,
      was,
      is,
    ),
    t('Load the group again and look at the new plan.'),
  );
}

/** Nothing is atomic between the check and the commit: who joins in between makes the broker refuse. */
async function joinedMeanwhile(
  client: KafkaClient,
  group: string,
  outcomes: Outcomes,
): Promise<Problem | undefined> {
  const isRefused = [...outcomes].some(
    ({ value }) =>
      'error' in value &&
      value.error instanceof KafkaError &&
      value.error.kafkaName === 'UNKNOWN_MEMBER_ID',
  );
  if (!isRefused) return undefined;
  const details = await describeGroup(client, group, {});
  return {
    message: t(
      'Somebody joined {0} after it was checked, so Kafka refused. It has {1}',
      group,
      membersInWords(details),
    ),
    hint: t('Stop its members, then reset.'),
    kafkaError: 'UNKNOWN_MEMBER_ID',
  };
}

interface Found {
  readonly outcome: Outcome<undefined> | undefined;
  readonly after: GroupOffsets;
  readonly refusal: Problem | undefined;
}

function outcomeOf(row: ResetRow, { outcome, after, refusal }: Found): ResetOutcome {
  const { topic, partition, target } = row;
  const readBack = after.get(topic, partition);
  const committed = readBack && 'value' in readBack ? readBack.value.offset : null;
  const failure = [outcome, readBack].find((each) => each && 'error' in each);
  if (failure && 'error' in failure) {
    const problem = toProblem(failure.error);
    const isSame = refusal !== undefined && problem.kafkaError === refusal.kafkaError;
    return { topic, partition, committed, problem: isSame ? refusal : problem };
  }
  if (committed === target) return { topic, partition, committed };
  const wanted =
    target === null ? t('The commit was deleted') : t('{0} was committed', groupThousands(target));
  const found = committed === null ? t('no commit') : groupThousands(committed);
  return {
    topic,
    partition,
    committed,
    problem: { message: t('{0}, but {1} was read back', wanted, found) },
  };
}
