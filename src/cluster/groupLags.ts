/** What groups' commits and the ends of partitions come to: rows and lags. */
import type { GroupOffsets } from '../client/admin/groupOffsets.ts';
import type { Outcome } from '../client/outcome.ts';
import { inOrder, PartitionMap, type TopicPartition } from '../client/partitionMap.ts';
import { sumOfLags } from './lag/lagFigures.ts';
import type { CommittedOffset, GroupDetails, GroupFigures, GroupView } from './model.ts';
import { toProblem } from './problems.ts';

export function addAll(wanted: PartitionMap<true>, partitions: Iterable<TopicPartition>): void {
  for (const { topic, partition } of partitions) wanted.set(topic, partition, true);
}

/** A group with a row for each partition that it has a commit on or is assigned. */
export function viewOf(details: GroupDetails, known: Known): GroupView {
  const partitions = new PartitionMap<true>();
  addAll(partitions, known.commits);
  for (const { assignment } of details.members) addAll(partitions, assignment);
  const offsets = [...partitions]
    .map((partition) => committedOffset(details.groupId, partition, known))
    .sort(inOrder);
  return { details, offsets, ...totalOf(offsets.map(({ lag }) => lag)) };
}

/** Of the groups that have any commit on a topic, a row for each of its partitions. */
export function commitsOn(
  partitions: readonly TopicPartition[],
  groups: ReadonlyMap<string, Outcome<GroupOffsets>>,
  ends: PartitionMap<bigint>,
): CommittedOffset[] {
  const result: CommittedOffset[] = [];
  for (const [group, outcome] of groups) {
    if ('error' in outcome) continue;
    const commits = outcome.value;
    if (!partitions.some(({ topic, partition }) => commits.get(topic, partition))) continue;
    for (const partition of partitions) {
      result.push(committedOffset(group, partition, { commits, ends }));
    }
  }
  return result.sort((a, b) => a.partition - b.partition || (a.group < b.group ? -1 : 1));
}

/** The partitions that have a lag, each with its own. */
function knownLags(
  commits: GroupOffsets,
  ends: PartitionMap<bigint>,
): (TopicPartition & { readonly lag: bigint })[] {
  return [...commits].flatMap(({ topic, partition, value }) => {
    const end = ends.get(topic, partition);
    if (end === undefined || 'error' in value) return [];
    return [{ topic, partition, lag: end - value.value.offset }];
  });
}

/** Nothing of topics on which no partition has a lag. */
export function lagByTopic(commits: GroupOffsets, ends: PartitionMap<bigint>): Map<string, bigint> {
  const byTopic = Map.groupBy(knownLags(commits, ends), ({ topic }) => topic);
  return new Map(
    [...byTopic].map(([topic, lags]) => [topic, sumOfLags(lags.map(({ lag }) => lag)) ?? 0n]),
  );
}

/** How far a group is behind in all. */
export function lagOf(
  group: string,
  known: {
    readonly commits: ReadonlyMap<string, Outcome<GroupOffsets>>;
    readonly ends: PartitionMap<bigint>;
  },
): Pick<GroupFigures, 'lag' | 'isPastEnd'> {
  const outcome = known.commits.get(group);
  if (!outcome || 'error' in outcome) return totalOf([]);
  return totalOf(knownLags(outcome.value, known.ends).map(({ lag }) => lag));
}

interface Known {
  readonly commits: GroupOffsets;
  readonly ends: PartitionMap<bigint>;
}

function committedOffset(
  group: string,
  { topic, partition }: TopicPartition,
  { commits, ends }: Known,
): CommittedOffset {
  const outcome = commits.get(topic, partition);
  const commit = outcome && 'value' in outcome ? outcome.value : undefined;
  const end = ends.get(topic, partition);
  const isKnown = commit !== undefined && end !== undefined;
  return {
    group,
    topic,
    partition,
    committed: commit?.offset ?? null,
    leaderEpoch: commit?.leaderEpoch ?? -1,
    metadata: commit?.metadata ?? '',
    lag: isKnown ? end - commit.offset : null,
    ...(outcome && 'error' in outcome && { problem: toProblem(outcome.error) }),
  };
}

function totalOf(lags: readonly (bigint | null)[]): Pick<GroupFigures, 'lag' | 'isPastEnd'> {
  return { lag: sumOfLags(lags), isPastEnd: lags.some((lag) => lag !== null && lag < 0n) };
}
