import { describeGroup } from '../../client/admin/groups.ts';
import type { Outcome } from '../../client/outcome.ts';
import type { GroupOffset } from '../../client/admin/groupOffsets.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { inOrder, PartitionMap } from '../../client/partitionMap.ts';
import { readCommits } from '../offsets/groupPositions.ts';
import type { LagPosition } from './lagFigures.ts';
import type { GroupDetails, GroupMember } from '../model.ts';
import { toProblem } from '../problems.ts';
import { readOffsets } from '../topicReads.ts';
import { t } from '../../base/l10n.ts';

export interface LagReading {
  /** `state` is Dead where the group does not exist. */
  readonly details: GroupDetails;
  /** Of every partition that the group has a commit on or that a member is assigned. */
  readonly positions: readonly LagPosition[];
}

/** Reads a group's lag: its members, its commits, and the offsets of the partitions. Creates nothing. */
export async function readLag(
  client: KafkaClient,
  group: string,
  signal?: AbortSignal,
): Promise<LagReading> {
  // Commits before ends: a consumer at work is then never ahead of the end that is read.
  const [details, commits] = await Promise.all([
    describeGroup(client, group, { signal }),
    readCommits(client, group, signal),
  ]);
  const owners = ownersOf(details);
  const wanted = new PartitionMap<true>();
  for (const { topic, partition } of [...commits, ...owners]) wanted.set(topic, partition, true);
  const ends = await readOffsets(client, [...wanted], { signal });
  const positions = [...wanted].map(({ topic, partition }) => {
    const owner = owners.get(topic, partition);
    return {
      topic,
      partition,
      ...commitOf(commits.get(topic, partition)),
      offsets: ends.get(topic, partition) ?? { problem: { message: t('no answer') } },
      ...(owner && { owner }),
    };
  });
  return { details, positions: positions.sort(inOrder) };
}

function ownersOf({ members }: GroupDetails): PartitionMap<GroupMember> {
  const owners = new PartitionMap<GroupMember>();
  for (const member of members) {
    for (const { topic, partition } of member.assignment) owners.set(topic, partition, member);
  }
  return owners;
}

function commitOf(
  outcome: Outcome<GroupOffset> | undefined,
): Pick<LagPosition, 'committed' | 'commitProblem'> {
  if (!outcome) return { committed: null };
  if ('error' in outcome) return { committed: null, commitProblem: toProblem(outcome.error) };
  return { committed: outcome.value.offset };
}
