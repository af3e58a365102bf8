import { fetchGroupOffsets, type GroupOffsets } from '../client/admin/groupOffsets.ts';
import { describeGroup, listGroups } from '../client/admin/groups.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import { type Outcome, valueOf } from '../client/outcome.ts';
import { PartitionMap, type TopicPartition } from '../client/partitionMap.ts';
import { orCancelled } from '../client/waiting.ts';
import type { CommittedOffset, GroupView } from './model.ts';
import { toProblem } from './problems.ts';
import { readHighWatermarks } from './topicReads.ts';

/** A reading of all commits serves for so long, or ten times as long as it took, if that is longer. */
const shortestLifeMs = 1500;

interface Snapshot {
  readonly commits: Promise<Map<string, Outcome<GroupOffsets>>>;
  /** Infinity while it is being read. */
  expiresAtMs: number;
}

/**
 * Groups and their commits. What a tree asks for each topic is answered from one reading of all groups'
 * commits, so its cost is a request a coordinator, however many topics are open.
 */
export class GroupReads {
  readonly #client: KafkaClient;
  #snapshot: Snapshot | undefined;

  constructor(client: KafkaClient) {
    this.#client = client;
  }

  forget(): void {
    this.#snapshot = undefined;
  }

  async group(groupId: string, signal?: AbortSignal): Promise<GroupView> {
    const details = await describeGroup(this.#client, groupId, { signal });
    const outcome = (await fetchGroupOffsets(this.#client, [groupId], { signal })).get(groupId);
    const commits = outcome ? valueOf(outcome) : new PartitionMap<never>();
    const assigned = details.members.flatMap(({ assignment }) => assignment);
    const partitions = new PartitionMap<true>();
    for (const { topic, partition } of [...commits, ...assigned]) {
      partitions.set(topic, partition, true);
    }
    const ends = await readHighWatermarks(this.#client, [...partitions], { signal });
    const offsets = [...partitions]
      .map((partition) => committedOffset(groupId, partition, { commits, ends }))
      .sort(byTopicAndPartition);
    return { details, offsets, lag: totalLag(offsets) };
  }

  async committedOn(topic: string, signal?: AbortSignal): Promise<CommittedOffset[]> {
    const described = await this.#client.topic(topic, { signal });
    const partitions = described.partitions.map(({ partition }) => ({ topic, partition }));
    const [groups, ends] = await Promise.all([
      this.#allCommits(signal),
      readHighWatermarks(this.#client, partitions, { signal }),
    ]);
    const result: CommittedOffset[] = [];
    for (const [group, outcome] of groups) {
      if ('error' in outcome) continue;
      const commits = outcome.value;
      if (!partitions.some(({ partition }) => commits.get(topic, partition))) continue;
      for (const partition of partitions) {
        result.push(committedOffset(group, partition, { commits, ends }));
      }
    }
    return result.sort((a, b) => a.partition - b.partition || (a.group < b.group ? -1 : 1));
  }

  #allCommits(signal?: AbortSignal): Promise<Map<string, Outcome<GroupOffsets>>> {
    const nowMs = this.#client.clock.monotonicMs();
    if (!this.#snapshot || this.#snapshot.expiresAtMs <= nowMs) this.#snapshot = this.#read();
    return orCancelled(this.#snapshot.commits, signal);
  }

  /** Shared by all who wait for it, so it does not end when one of them is cancelled. */
  #read(): Snapshot {
    const { clock } = this.#client;
    const startedAtMs = clock.monotonicMs();
    const snapshot: Snapshot = { commits: this.#readCommits(), expiresAtMs: Infinity };
    snapshot.commits.then(
      () => {
        const nowMs = clock.monotonicMs();
        snapshot.expiresAtMs = nowMs + Math.max(shortestLifeMs, 10 * (nowMs - startedAtMs));
      },
      () => (snapshot.expiresAtMs = 0),
    );
    return snapshot;
  }

  async #readCommits(): Promise<Map<string, Outcome<GroupOffsets>>> {
    const { groups } = await listGroups(this.#client);
    // Share and streams groups keep their progress elsewhere.
    const readable = groups.filter(({ type }) => type === 'classic' || type === 'consumer');
    return fetchGroupOffsets(
      this.#client,
      readable.map(({ groupId }) => groupId),
    );
  }
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

/** Over the partitions that have a lag. Null if none has. */
function totalLag(offsets: readonly CommittedOffset[]): bigint | null {
  return offsets.reduce<bigint | null>(
    (total, { lag }) => (lag === null ? total : (total ?? 0n) + lag),
    null,
  );
}

function byTopicAndPartition(a: TopicPartition, b: TopicPartition): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition;
}
