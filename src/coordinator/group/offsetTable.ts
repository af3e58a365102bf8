import type { Uuid } from '../../base/uuid.ts';
import { type Timeline, TimelineMap } from '../runtime/timeline.ts';
import { keyOf } from './partitionKey.ts';

/** What a group committed for a partition. */
export interface CommittedOffset {
  readonly topic: string;
  readonly partition: number;
  readonly topicId: Uuid;
  readonly offset: bigint;
  /** -1: not known. */
  readonly leaderEpoch: number;
  readonly metadata: string;
  readonly commitTimestampMs: bigint;
  /** When it expires by itself; null where the broker's retention decides. */
  readonly expireTimestampMs: bigint | null;
}

/** A committed offset, and where its record stands among all others. */
interface Entry extends CommittedOffset {
  readonly sequence: number;
}

/** Committed offsets by group, topic and partition. */
export class OffsetTable {
  readonly #timeline: Timeline;
  readonly #groups = new Map<string, TimelineMap<string, Entry>>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get(groupId: string, topic: string, partition: number): CommittedOffset | undefined {
    return this.#groups.get(groupId)?.get(keyOf(topic, partition));
  }

  getCommitted(groupId: string, topic: string, partition: number): CommittedOffset | undefined {
    return this.#groups.get(groupId)?.getCommitted(keyOf(topic, partition));
  }

  /** An offset counts unless a later record was put before it: that of a transaction is as old as its record. */
  put(groupId: string, offset: CommittedOffset, sequence: number): void {
    let group = this.#groups.get(groupId);
    if (group === undefined) {
      group = new TimelineMap(this.#timeline);
      this.#groups.set(groupId, group);
    }
    const key = keyOf(offset.topic, offset.partition);
    const present = group.get(key);
    if (present === undefined || present.sequence < sequence) {
      group.set(key, { ...offset, sequence });
    }
  }

  remove(groupId: string, topic: string, partition: number): void {
    const group = this.#groups.get(groupId);
    if (group === undefined) return;
    const key = keyOf(topic, partition);
    if (group.has(key)) group.set(key, undefined);
  }

  ofGroup(groupId: string): CommittedOffset[] {
    return this.#groups.get(groupId)?.values() ?? [];
  }

  committedOfGroup(groupId: string): CommittedOffset[] {
    return this.#groups.get(groupId)?.committedValues() ?? [];
  }

  countOf(groupId: string): number {
    return this.#groups.get(groupId)?.size ?? 0;
  }

  /** Groups that have offsets. */
  groupIds(): string[] {
    return [...this.#groups.keys()];
  }

  /** Forgets groups that have no offsets left. */
  compact(): void {
    for (const [groupId, group] of this.#groups) {
      if (group.isVacant) this.#groups.delete(groupId);
    }
  }
}
