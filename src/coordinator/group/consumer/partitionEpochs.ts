import { assert } from '../../../base/assert.ts';
import type { Uuid } from '../../../base/uuid.ts';
import { type Timeline, TimelineMap } from '../../runtime/timeline.ts';
import type { OwnedPartitions } from './assignment.ts';
import type { ConsumerGroupMember } from './consumerGroupMember.ts';

/**
 * Which partitions somebody has or has still to give up, with the owner's member epoch: only one member may be
 * that. [ConsumerGroup.currentPartitionEpoch]
 */
export class PartitionEpochs {
  readonly #epochs: TimelineMap<string, number>;

  constructor(timeline: Timeline) {
    this.#epochs = new TimelineMap(timeline);
  }

  isOwned(topicId: Uuid, partition: number): boolean {
    return this.#epochs.has(keyOf(topicId, partition));
  }

  replace(before: ConsumerGroupMember | undefined, after: ConsumerGroupMember | undefined): void {
    if (before !== undefined) {
      this.#release(before.assigned, before.memberEpoch);
      this.#release(before.pendingRevocation, before.memberEpoch);
    }
    if (after !== undefined) {
      this.#take(after.assigned, after.memberEpoch);
      this.#take(after.pendingRevocation, after.memberEpoch);
    }
  }

  /** In a log that is only partly compacted, another may have it by now: that one keeps it. */
  #release(partitions: OwnedPartitions, epoch: number): void {
    for (const key of keysOf(partitions)) {
      if (this.#epochs.get(key) === epoch) this.#epochs.set(key, undefined);
    }
  }

  #take(partitions: OwnedPartitions, epoch: number): void {
    for (const key of keysOf(partitions)) {
      const owner = this.#epochs.get(key);
      assert(
        owner === undefined || owner < epoch,
        `partition ${key} cannot be owned at epoch ${epoch}, it is at ${owner}`,
      );
      this.#epochs.set(key, epoch);
    }
  }
}

function keyOf(topicId: Uuid, partition: number): string {
  return `${partition} ${topicId}`;
}

function* keysOf(owned: OwnedPartitions): Generator<string> {
  for (const [topicId, partitions] of owned) {
    for (const partition of partitions.keys()) yield keyOf(topicId, partition);
  }
}
