import { RevertibleMap } from '../runtime/revertibleMap.ts';
import type { Timeline } from '../runtime/timeline.ts';
import type { CommittedOffset } from './offsetTable.ts';
import { keyOf, placeOf } from './partitionKey.ts';

/** An offset that counts once its transaction is committed. */
export interface PendingOffset {
  readonly groupId: string;
  readonly offset: CommittedOffset;
  /** Where its record stands among all others. */
  readonly sequence: number;
}

/** The offsets of open transactions, by producer; and which partitions of which groups have some. */
export class TxnOffsetTable {
  readonly #timeline: Timeline;
  readonly #byProducer = new Map<bigint, RevertibleMap<string, PendingOffset>>();
  /** By group, then by partition: the producers with an open transaction. */
  readonly #openByGroup = new Map<string, RevertibleMap<string, readonly bigint[]>>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  put(producerId: bigint, pending: PendingOffset): void {
    const { groupId, offset } = pending;
    const key = keyOf(offset.topic, offset.partition);
    this.#ofProducer(producerId).set(`${key} ${groupId}`, pending);
    const open = this.#ofGroup(groupId);
    const producers = open.get(key) ?? [];
    if (!producers.includes(producerId)) open.set(key, [...producers, producerId]);
  }

  /** The producer's transaction is over: takes out what was pending, oldest first. */
  take(producerId: bigint): PendingOffset[] {
    const taken = this.#byProducer.get(producerId)?.clear() ?? [];
    for (const { groupId, offset } of taken) {
      const key = keyOf(offset.topic, offset.partition);
      const open = this.#ofGroup(groupId);
      const others = open.get(key)?.filter((each) => each !== producerId) ?? [];
      open.set(key, others.length > 0 ? others : undefined);
    }
    return taken.sort((a, b) => a.sequence - b.sequence);
  }

  /** The group's offset is deleted: whatever is pending for it will never count. */
  remove(groupId: string, topic: string, partition: number): void {
    const open = this.#openByGroup.get(groupId);
    if (open === undefined) return;
    const key = keyOf(topic, partition);
    const producers = open.get(key);
    if (producers === undefined) return;
    for (const producerId of producers) {
      this.#byProducer.get(producerId)?.set(`${key} ${groupId}`, undefined);
    }
    open.set(key, undefined);
  }

  isOpen(groupId: string, topic: string, partition: number): boolean {
    return this.#openByGroup.get(groupId)?.get(keyOf(topic, partition)) !== undefined;
  }

  /** Partitions of the group that an open transaction has an offset for. */
  ofGroup(groupId: string): Pick<CommittedOffset, 'topic' | 'partition'>[] {
    return (this.#openByGroup.get(groupId)?.keys() ?? []).map(placeOf);
  }

  countOf(groupId: string): number {
    return this.#openByGroup.get(groupId)?.size ?? 0;
  }

  /** Forgets producers and groups that have nothing left. */
  compact(): void {
    for (const [producerId, offsets] of this.#byProducer) {
      if (offsets.isVacant) this.#byProducer.delete(producerId);
    }
    for (const [groupId, open] of this.#openByGroup) {
      if (open.isVacant) this.#openByGroup.delete(groupId);
    }
  }

  #ofProducer(producerId: bigint): RevertibleMap<string, PendingOffset> {
    let offsets = this.#byProducer.get(producerId);
    if (offsets === undefined) {
      offsets = new RevertibleMap(this.#timeline);
      this.#byProducer.set(producerId, offsets);
    }
    return offsets;
  }

  #ofGroup(groupId: string): RevertibleMap<string, readonly bigint[]> {
    let open = this.#openByGroup.get(groupId);
    if (open === undefined) {
      open = new RevertibleMap(this.#timeline);
      this.#openByGroup.set(groupId, open);
    }
    return open;
  }
}
