import { defined } from '../../../base/assert.ts';
import type { Uuid } from '../../../base/uuid.ts';
import type { Assignment } from '../consumer/assignment.ts';
import { addTo, type Draft, draftOf, type GroupSpec, removeFrom } from './groupSpec.ts';
import { MemberBalancer } from './memberBalancer.ts';

const nobody = -1;
/** How often all topics are gone through to balance them. */
const maxRounds = 16;

/**
 * For members that subscribe to different topics: each keeps what it had; what is free goes to the least loaded
 * that may have it; then partitions move from the most to the least loaded, topic by topic, as long as that helps.
 * [UniformHeterogeneousAssignmentBuilder]
 */
export function assignHeterogeneous(group: GroupSpec): Map<string, Assignment> {
  const work = new Work(group);
  work.keepWhatIsSubscribed();
  work.assignFree();
  work.balance();
  return work.drafts;
}

class Work {
  readonly #group: GroupSpec;
  readonly #memberIds: readonly string[];
  readonly drafts: Map<string, Draft>;
  /** Members, as indices, by topic. */
  readonly #subscribers = new Map<Uuid, number[]>();
  /** A member's index for each partition. */
  readonly #owners = new Map<Uuid, number[]>();
  readonly #loads: number[];

  constructor(group: GroupSpec) {
    this.#group = group;
    this.#memberIds = [...group.members.keys()];
    this.drafts = new Map();
    this.#loads = this.#memberIds.map(() => 0);
    [...group.members.values()].forEach(({ topicIds }, index) => {
      for (const topicId of topicIds) {
        const subscribers = this.#subscribers.get(topicId);
        if (subscribers === undefined) this.#subscribers.set(topicId, [index]);
        else subscribers.push(index);
      }
    });
    for (const topicId of this.#subscribers.keys()) {
      this.#owners.set(topicId, new Array<number>(group.partitionCount(topicId)).fill(nobody));
    }
  }

  keepWhatIsSubscribed(): void {
    [...this.#group.members].forEach(([memberId, { topicIds, assignment }], index) => {
      const kept = draftOf(assignment);
      for (const [topicId, partitions] of assignment) {
        if (!topicIds.has(topicId)) {
          kept.delete(topicId);
          continue;
        }
        this.#loads[index] = this.#load(index) + partitions.size;
        for (const partition of partitions) this.#ownersOf(topicId)[partition] = index;
      }
      this.drafts.set(memberId, kept);
    });
  }

  assignFree(): void {
    const topicIds = [...this.#owners]
      .filter(([, owners]) => owners.includes(nobody))
      .map(([topicId]) => topicId);
    for (const topicId of this.#sorted(topicIds)) {
      const balancer = new MemberBalancer(this.#loads, this.#subscribersOf(topicId));
      this.#ownersOf(topicId).forEach((owner, partition) => {
        if (owner === nobody) this.#assign(topicId, partition, balancer.nextLeastLoaded());
      });
    }
  }

  /** Ends when a round over all topics has moved nothing. */
  balance(): void {
    const movable = [...this.#subscribers]
      .filter(([, subscribers]) => subscribers.length >= 2)
      .map(([topicId]) => topicId);
    const topicIds = this.#sorted(movable);
    let unmovedCount = 0;
    for (let step = 0; step < maxRounds * topicIds.length; step++) {
      const topicId = defined(topicIds[step % topicIds.length], 'a topic');
      unmovedCount = this.#balanceTopic(topicId) > 0 ? 1 : unmovedCount + 1;
      if (unmovedCount >= topicIds.length) return;
    }
  }

  /** Returns how many partitions were moved. */
  #balanceTopic(topicId: Uuid): number {
    const balancer = new MemberBalancer(this.#loads, this.#subscribersOf(topicId));
    if (balancer.imbalance <= 1) return 0;
    const owned = this.#partitionsByOwner(topicId);
    let movedCount = 0;
    while (!balancer.isBalanced()) {
      let giver = balancer.nextMostLoaded();
      while (giver !== undefined && !owned.get(giver)?.length) {
        balancer.excludeMostLoaded();
        giver = balancer.nextMostLoaded();
      }
      const partition = giver === undefined ? undefined : owned.get(giver)?.pop();
      if (partition === undefined) break;
      const taker = balancer.nextLeastLoaded();
      // Where handing out both has shown that their loads are close enough.
      if (balancer.isBalanced()) break;
      this.#assign(topicId, partition, taker);
      movedCount++;
    }
    return movedCount;
  }

  #partitionsByOwner(topicId: Uuid): Map<number, number[]> {
    const owned = new Map<number, number[]>();
    this.#ownersOf(topicId).forEach((owner, partition) => {
      const partitions = owned.get(owner);
      if (partitions === undefined) owned.set(owner, [partition]);
      else partitions.push(partition);
    });
    return owned;
  }

  #assign(topicId: Uuid, partition: number, member: number): void {
    const owners = this.#ownersOf(topicId);
    const before = owners[partition] ?? nobody;
    if (before !== nobody) {
      removeFrom(this.#draftOf(before), topicId, partition);
      this.#loads[before] = this.#load(before) - 1;
    }
    addTo(this.#draftOf(member), topicId, partition);
    this.#loads[member] = this.#load(member) + 1;
    owners[partition] = member;
  }

  /** Most partitions per subscriber first, then fewest subscribers, then by id, so that it can be foretold. */
  #sorted(topicIds: readonly Uuid[]): Uuid[] {
    const share = (topicId: Uuid): number =>
      this.#ownersOf(topicId).length / this.#subscribersOf(topicId).length;
    return [...topicIds].sort(
      (one, other) =>
        share(other) - share(one) ||
        this.#subscribersOf(one).length - this.#subscribersOf(other).length ||
        compareUuids(one, other),
    );
  }

  #draftOf(member: number): Draft {
    return defined(this.drafts.get(this.#memberIds[member] ?? ''), 'a draft');
  }

  #load(member: number): number {
    return defined(this.#loads[member], 'a load');
  }

  #subscribersOf(topicId: Uuid): number[] {
    return defined(this.#subscribers.get(topicId), 'subscribers');
  }

  #ownersOf(topicId: Uuid): number[] {
    return defined(this.#owners.get(topicId), 'owners');
  }
}

/** As Java compares its halves: as signed longs. [Uuid.compareTo] */
function compareUuids(one: Uuid, other: Uuid): number {
  const [ours, theirs] = [Buffer.from(one, 'base64url'), Buffer.from(other, 'base64url')];
  for (const offset of [0, 8]) {
    const difference = ours.readBigInt64BE(offset) - theirs.readBigInt64BE(offset);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  return 0;
}
