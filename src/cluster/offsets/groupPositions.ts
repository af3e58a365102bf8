import { t } from '../../base/l10n.ts';
import { Slices } from '../../base/slices.ts';
import {
  fetchGroupOffsets,
  type GroupOffset,
  type GroupOffsets,
} from '../../client/admin/groupOffsets.ts';
import { describeGroup } from '../../client/admin/groups.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { valueOf } from '../../client/outcome.ts';
import { inOrder, PartitionMap, type TopicPartition } from '../../client/partitionMap.ts';
import { counted } from '../../shared/counted.ts';
import type { ClusterSession } from '../clusterSession.ts';
import type { GroupDetails, PartitionOffsets, Readable } from '../model.ts';
import { readOffsets } from '../topicReads.ts';

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
    const positions: GroupPosition[] = [];
    const slices = new Slices(client.clock);
    for (const { topic, partition } of wanted) {
      if (slices.isOver) await slices.pause();
      const commit = committedOn(commits, { topic, partition });
      positions.push({
        topic,
        partition,
        committed: commit?.offset ?? null,
        metadata: commit?.metadata ?? '',
        leaderEpoch: commit?.leaderEpoch ?? -1,
        offsets: offsets.get(topic, partition) ?? { problem: { message: t('no answer') } },
      });
    }
    return { details, resettable: isInactive(details), positions: positions.sort(inOrder) };
  }, signal);
}

export async function readCommits(
  client: KafkaClient,
  group: string,
  signal?: AbortSignal,
): Promise<GroupOffsets> {
  const outcome = (await fetchGroupOffsets(client, [group], { signal })).get(group);
  return outcome ? valueOf(outcome) : new PartitionMap();
}

/** A commit that could not be read is not taken for none. */
export function committedOn(
  commits: GroupOffsets,
  { topic, partition }: TopicPartition,
): GroupOffset | undefined {
  const outcome = commits.get(topic, partition);
  return outcome && valueOf(outcome);
}

/** [ConsumerGroupCommand.resetOffsets]: Empty and Dead groups are reset, any other is refused. */
export function isInactive({ state }: GroupDetails): boolean {
  return state === 'Empty' || state === 'Dead';
}

/** `3 members: a (10.0.0.1), b (10.0.0.2), c (10.0.0.3)`. */
export function membersInWords({ members }: GroupDetails): string {
  const who = members.map(({ clientId, host }) => `${clientId} (${host.replace(/^\//, '')})`);
  const count = counted(who.length, 'member');
  if (who.length === 0) return count;
  const named = who.slice(0, 5).join(', ');
  return who.length > 5
    ? t('{0}: {1} and {2} more', count, named, who.length - 5)
    : `${count}: ${named}`;
}
