import { t } from '../base/l10n.ts';
import { Slices } from '../base/slices.ts';
import { fetchGroupOffsets, type GroupOffsets } from '../client/admin/groupOffsets.ts';
import { describeGroups, listGroups } from '../client/admin/groups.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import type { Outcome } from '../client/outcome.ts';
import { PartitionMap } from '../client/partitionMap.ts';
import { orCancelled } from '../client/waiting.ts';
import { Batched } from './batched.ts';
import { addAll, commitsOn, lagByTopic, lagOf, viewOf } from './groupLags.ts';
import type { CommittedOffset, GroupFigures, GroupSummary, GroupView, TopicLag } from './model.ts';
import { partitionsOf, readHighWatermarks, soon } from './topicReads.ts';

/** A reading of all commits serves for so long, or ten times as long as it took, if that is longer. */
const shortestLifeMs = 1500;

interface Snapshot {
  readonly commits: Promise<Map<string, Outcome<GroupOffsets>>>;
  /** Infinity while it is being read. */
  expiresAtMs: number;
}

/** States in which a group has no members: describing it would say nothing new. */
const memberless = new Set(['Empty', 'Dead']);

/**
 * Groups and their commits. What several rows ask for at once is read at once, and what is asked for each topic is
 * answered from one reading of all groups' commits: the cost is requests to each coordinator, however many rows are
 * open.
 */
export class GroupReads {
  readonly #client: KafkaClient;
  readonly #views = new Batched((groups) => this.#readViews(groups));
  readonly #commitsOn = new Batched((topics) => this.#readCommitsOn(topics));
  #snapshot: Snapshot | undefined;

  constructor(client: KafkaClient) {
    this.#client = client;
  }

  forget(): void {
    this.#snapshot = undefined;
  }

  group(groupId: string, signal?: AbortSignal): Promise<GroupView> {
    return this.#client.retry((call) => this.#views.get(groupId, call.signal), { signal });
  }

  committedOn(topic: string, signal?: AbortSignal): Promise<CommittedOffset[]> {
    return this.#client.retry((call) => this.#commitsOn.get(topic, call.signal), { signal });
  }

  /** What a list shows of each group; groups that could not be read are left out. */
  async figures(
    groups: readonly GroupSummary[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, GroupFigures>> {
    const peopled = groups.filter(({ state }) => !memberless.has(state));
    const [described, commits] = await Promise.all([
      describeGroups(this.#client, peopled, { signal }),
      this.#commitsOf(groups.filter(isReadable), signal),
    ]);
    const known = { commits, ends: await this.#endsOf(commits, signal) };
    const figures = new Map<string, GroupFigures>();
    const slices = new Slices(this.#client.clock);
    for (const { groupId, state } of groups) {
      if (slices.isOver) await slices.pause();
      const details = described.get(groupId);
      if (details && 'error' in details) continue;
      figures.set(groupId, {
        state: details?.value.state ?? state,
        memberCount: details?.value.members.length ?? 0,
        ...lagOf(groupId, known),
      });
    }
    return figures;
  }

  /** The group that is furthest behind on each topic. */
  async topicLags(signal?: AbortSignal): Promise<ReadonlyMap<string, TopicLag>> {
    const commits = await this.#allCommits(signal);
    const ends = await this.#endsOf(commits, signal);
    const lags = new Map<string, TopicLag>();
    const slices = new Slices(this.#client.clock);
    for (const [group, outcome] of commits) {
      if (slices.isOver) await slices.pause();
      if ('error' in outcome) continue;
      for (const [topic, lag] of lagByTopic(outcome.value, ends)) {
        const worst = lags.get(topic);
        if (!worst || worst.lag < lag) lags.set(topic, { group, lag });
      }
    }
    return lags;
  }

  async #readViews(groupIds: readonly string[]): Promise<Map<string, Outcome<GroupView>>> {
    const [described, commits] = await Promise.all([
      describeGroups(
        this.#client,
        groupIds.map((groupId) => ({ groupId })),
      ),
      fetchGroupOffsets(this.#client, groupIds),
    ]);
    const wanted = new PartitionMap<true>();
    for (const outcome of commits.values()) {
      if ('value' in outcome) addAll(wanted, outcome.value);
    }
    for (const outcome of described.values()) {
      const members = 'value' in outcome ? outcome.value.members : [];
      for (const { assignment } of members) addAll(wanted, assignment);
    }
    const ends = await readHighWatermarks(this.#client, [...wanted], soon);
    return new Map(
      groupIds.map((groupId) => {
        const details = described.get(groupId);
        const offsets = commits.get(groupId);
        if (details && 'error' in details) return [groupId, details];
        if (offsets && 'error' in offsets) return [groupId, offsets];
        const none = new PartitionMap<never>();
        const known = { commits: offsets?.value ?? none, ends };
        return [groupId, details ? { value: viewOf(details.value, known) } : noAnswer(groupId)];
      }),
    );
  }

  async #readCommitsOn(
    topics: readonly string[],
  ): Promise<Map<string, Outcome<CommittedOffset[]>>> {
    const [described, groups] = await Promise.all([
      this.#client.topics(topics),
      this.#allCommits(),
    ]);
    const wanted = [...described.values()].flatMap((outcome) =>
      'value' in outcome ? partitionsOf(outcome.value) : [],
    );
    const ends = await readHighWatermarks(this.#client, wanted, soon);
    const commits = new Map<string, Outcome<CommittedOffset[]>>();
    const slices = new Slices(this.#client.clock);
    for (const [topic, outcome] of described) {
      if (slices.isOver) await slices.pause();
      if ('error' in outcome) commits.set(topic, outcome);
      else commits.set(topic, { value: commitsOn(partitionsOf(outcome.value), groups, ends) });
    }
    return commits;
  }

  /** From the reading of all commits if there is a fresh one, else of these groups alone. */
  #commitsOf(
    groups: readonly GroupSummary[],
    signal?: AbortSignal,
  ): Promise<Map<string, Outcome<GroupOffsets>>> {
    if (this.#isFresh) return this.#allCommits(signal);
    const ids = groups.map(({ groupId }) => groupId);
    return fetchGroupOffsets(this.#client, ids, { signal });
  }

  /** The ends of every partition that groups have a commit on. */
  async #endsOf(
    commits: ReadonlyMap<string, Outcome<GroupOffsets>>,
    signal: AbortSignal | undefined,
  ): Promise<PartitionMap<bigint>> {
    const wanted = new PartitionMap<true>();
    const slices = new Slices(this.#client.clock);
    for (const outcome of commits.values()) {
      if (slices.isOver) await slices.pause();
      if ('value' in outcome) addAll(wanted, outcome.value);
    }
    return readHighWatermarks(this.#client, [...wanted], { signal, ...soon });
  }

  get #isFresh(): boolean {
    const nowMs = this.#client.clock.monotonicMs();
    return this.#snapshot !== undefined && this.#snapshot.expiresAtMs > nowMs;
  }

  #allCommits(signal?: AbortSignal): Promise<Map<string, Outcome<GroupOffsets>>> {
    if (!this.#snapshot || !this.#isFresh) this.#snapshot = this.#read();
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
    return fetchGroupOffsets(
      this.#client,
      groups.filter(isReadable).map(({ groupId }) => groupId),
    );
  }
}

/** Share and streams groups keep their progress elsewhere. */
function isReadable({ type }: { readonly type: string }): boolean {
  return type === 'classic' || type === 'consumer';
}

function noAnswer(groupId: string): { readonly error: Error } {
  return { error: new Error(t('there was no answer for the group {0}', groupId)) };
}
