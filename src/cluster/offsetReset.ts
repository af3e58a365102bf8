import {
  commitGroupOffsets,
  fetchGroupOffsets,
  type GroupOffsets,
} from '../client/admin/groupOffsets.ts';
import { describeGroup } from '../client/admin/groups.ts';
import { listOffsets } from '../client/admin/listOffsets.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import { type Outcome, valueOf } from '../client/outcome.ts';
import { PartitionMap, type TopicPartition } from '../client/partitionMap.ts';
import { groupThousands } from '../shared/numbers.ts';
import type { ClusterSession } from './clusterSession.ts';
import type { GroupDetails, PartitionOffsets, Problem, Readable } from './model.ts';
import { type PlannedOffset, planOffsets, type ResetScenario } from './offsetPlan.ts';
import { ProblemError, toProblem } from './problems.ts';
import { readOffsets } from './topicReads.ts';

export type { TopicPartition } from '../client/partitionMap.ts';

/** A group's commit on a partition, with the partition's offsets. */
export interface GroupPosition extends TopicPartition {
  /** Null: no commit. */
  readonly committed: bigint | null;
  readonly metadata: string;
  readonly leaderEpoch: number;
  readonly offsets: Readable<PartitionOffsets>;
}

export interface GroupPositions {
  /** `state` is Dead where the group does not exist. */
  readonly details: GroupDetails;
  /** Whether Kafka would accept a reset now (Empty or Dead). */
  readonly resettable: boolean;
  readonly positions: readonly GroupPosition[];
}

export interface ResetRow extends TopicPartition {
  /** As it was when the reset was planned. */
  readonly committed: bigint | null;
  readonly target: bigint;
}

export interface ResetOutcome extends TopicPartition {
  /** As read back; null where there is none. */
  readonly committed: bigint | null;
  readonly problem?: Problem;
}

/** The group with its commits, and with all partitions of `extraTopics` besides. */
export function loadGroupPositions(
  session: ClusterSession,
  group: string,
  options: { readonly extraTopics?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<GroupPositions> {
  const { extraTopics = [], signal } = options;
  return session.use(async (client) => {
    const [details, commits] = await Promise.all([
      describeGroup(client, group, { signal }),
      readCommits(client, group, signal),
    ]);
    const wanted = new PartitionMap<true>();
    for (const { topic, partition } of commits) wanted.set(topic, partition, true);
    for (const topic of extraTopics) {
      const { partitions } = await client.topic(topic, { signal });
      for (const { partition } of partitions) wanted.set(topic, partition, true);
    }
    const offsets = await readOffsets(client, [...wanted], { signal });
    const positions = [...wanted].map(({ topic, partition }) => {
      const commit = committedOn(commits, { topic, partition });
      return {
        topic,
        partition,
        committed: commit?.offset ?? null,
        metadata: commit?.metadata ?? '',
        leaderEpoch: commit?.leaderEpoch ?? -1,
        offsets: offsets.get(topic, partition) ?? { problem: { message: 'no answer' } },
      };
    });
    return { details, resettable: isInactive(details), positions: positions.sort(inOrder) };
  }, signal);
}

/** Plans a reset over `scope` with fresh offsets. Changes nothing. Rejects where a partition cannot be read. */
export function planReset(
  session: ClusterSession,
  request: {
    readonly group: string;
    readonly scenario: ResetScenario;
    readonly scope: readonly TopicPartition[];
  },
  signal?: AbortSignal,
): Promise<PlannedOffset[]> {
  const { group, scenario, scope } = request;
  return session.use(async (client) => {
    const [commits, offsets, times] = await Promise.all([
      readCommits(client, group, signal),
      readOffsets(client, scope, { signal }),
      readTimes(client, scenario, scope, signal),
    ]);
    const positions = scope.map(({ topic, partition }) => {
      const read = offsets.get(topic, partition);
      if (!read || 'problem' in read) {
        const reason = read?.problem.message ?? 'the broker did not answer';
        throw new ProblemError(`${topic}-${partition}: ${reason}`, read?.problem.hint);
      }
      const time = times.get(topic, partition);
      return {
        topic,
        partition,
        committed: committedOn(commits, { topic, partition })?.offset ?? null,
        ...read.value,
        offsetForTime: time ? valueOf(time).offset : null,
      };
    });
    return planOffsets(scenario, positions.sort(inOrder));
  }, signal);
}

/**
 * Checks the group's state again, commits the targets with each commit's metadata, and reads them back.
 * Rejects, with nothing changed, where the group is active or has committed since the plan was made.
 */
export function applyReset(
  session: ClusterSession,
  group: string,
  rows: readonly ResetRow[],
  signal?: AbortSignal,
): Promise<ResetOutcome[]> {
  session.assertWritable();
  return session.use(async (client) => {
    assertInactive(await describeGroup(client, group, { signal }));
    const before = await readCommits(client, group, signal);
    for (const row of rows) assertUnchanged(row, before);
    const commits = rows.map((row) => ({
      topic: row.topic,
      partition: row.partition,
      offset: row.target,
      // As Kafka's own tool: the epoch belonged to the record before the old offset.
      leaderEpoch: -1,
      metadata: committedOn(before, row)?.metadata ?? '',
    }));
    const outcomes = await commitGroupOffsets(client, group, commits, { signal });
    session.forgetCommits();
    const after = await readCommits(client, group, signal);
    return rows.map((row) => outcomeOf(row, outcomes.get(row.topic, row.partition), after));
  }, signal);
}

async function readCommits(
  client: KafkaClient,
  group: string,
  signal?: AbortSignal,
): Promise<GroupOffsets> {
  const outcome = (await fetchGroupOffsets(client, [group], { signal })).get(group);
  return outcome ? valueOf(outcome) : new PartitionMap();
}

/** A commit that could not be read is not taken for none. */
function committedOn(
  commits: GroupOffsets,
  { topic, partition }: TopicPartition,
):
  { readonly offset: bigint; readonly leaderEpoch: number; readonly metadata: string } | undefined {
  const outcome = commits.get(topic, partition);
  return outcome && valueOf(outcome);
}

async function readTimes(
  client: KafkaClient,
  scenario: ResetScenario,
  scope: readonly TopicPartition[],
  signal?: AbortSignal,
): Promise<PartitionMap<Outcome<{ readonly offset: bigint | null }>>> {
  if (scenario.kind !== 'time') return new PartitionMap();
  const { timestamp } = scenario;
  const queries = scope.map(({ topic, partition }) => ({ topic, partition, timestamp }));
  return listOffsets(client, queries, { signal });
}

/** [ConsumerGroupCommand.resetOffsets]: Empty and Dead groups are reset, any other is refused. */
function isInactive({ state }: GroupDetails): boolean {
  return state === 'Empty' || state === 'Dead';
}

function assertInactive(details: GroupDetails): void {
  if (isInactive(details)) return;
  const { groupId, state, members } = details;
  const who = members.map(({ clientId, host }) => `${clientId} (${host.replace(/^\//, '')})`);
  const named = who.length > 0 ? `: ${who.slice(0, 5).join(', ')}` : '';
  const more = who.length > 5 ? ` and ${who.length - 5} more` : '';
  throw new ProblemError(
    `${groupId} is ${state} with ${who.length === 1 ? '1 member' : `${who.length} members`}${named}${more}. Kafka lets nobody else commit for a group that has members`,
    'Stop its members, then reset.',
  );
}

function assertUnchanged(row: ResetRow, commits: GroupOffsets): void {
  const now = committedOn(commits, row)?.offset ?? null;
  if (now === row.committed) return;
  const was = row.committed === null ? 'no commit' : groupThousands(row.committed);
  const is = now === null ? 'none' : groupThousands(now);
  throw new ProblemError(
    `${row.topic}-${row.partition} has changed since this was planned: ${was} then, ${is} now`,
    'Load the group again and look at the new plan.',
  );
}

function outcomeOf(
  row: ResetRow,
  committing: Outcome<undefined> | undefined,
  after: GroupOffsets,
): ResetOutcome {
  const { topic, partition, target } = row;
  const readBack = after.get(topic, partition);
  const committed = readBack && 'value' in readBack ? readBack.value.offset : null;
  const failure = [committing, readBack].find((outcome) => outcome && 'error' in outcome);
  if (failure && 'error' in failure) {
    return { topic, partition, committed, problem: toProblem(failure.error) };
  }
  if (committed === target) return { topic, partition, committed };
  const found = committed === null ? 'no commit' : groupThousands(committed);
  const message = `${groupThousands(target)} was committed, but ${found} was read back`;
  return { topic, partition, committed, problem: { message } };
}

function inOrder(a: TopicPartition, b: TopicPartition): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition;
}
