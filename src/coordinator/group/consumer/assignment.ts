import type { Uuid } from '../../../base/uuid.ts';
import { inOrderOfTopics } from '../../javaOrder.ts';

/** Partitions by topic id. [Assignment] */
export type Assignment = ReadonlyMap<Uuid, ReadonlySet<number>>;

/** Partitions by topic id, each with the member epoch at which it was assigned (KIP-1251). */
export type OwnedPartitions = ReadonlyMap<Uuid, ReadonlyMap<number, number>>;

/** Partitions as requests, responses and records list them. */
export interface TopicPartitions {
  readonly topicId: Uuid;
  readonly partitions: readonly number[];
}

export const noPartitions: OwnedPartitions = new Map();
export const emptyAssignment: Assignment = new Map();

export function assignmentOf(topics: readonly TopicPartitions[]): Assignment {
  return new Map(topics.map(({ topicId, partitions }) => [topicId, new Set(partitions)]));
}

export function topicPartitionsOf(
  assignment: ReadonlyMap<Uuid, ReadonlySet<number> | ReadonlyMap<number, number>>,
): { topicId: Uuid; partitions: number[] }[] {
  return inOrderOfTopics(assignment.keys()).map((topicId) => ({
    topicId,
    partitions: [...(assignment.get(topicId)?.keys() ?? [])].sort((one, other) => one - other),
  }));
}

/** The same partitions, all assigned at this epoch. */
export function ownedAt(
  assignment: ReadonlyMap<Uuid, ReadonlySet<number> | ReadonlyMap<number, number>>,
  epoch: number,
): OwnedPartitions {
  return new Map(
    [...assignment].map(([topicId, partitions]) => [
      topicId,
      new Map([...partitions.keys()].map((partition) => [partition, epoch])),
    ]),
  );
}

export function sameAssignment(one: Assignment, other: Assignment): boolean {
  if (one.size !== other.size) return false;
  for (const [topicId, partitions] of one) {
    const others = other.get(topicId);
    if (others?.size !== partitions.size) return false;
    for (const partition of partitions) if (!others.has(partition)) return false;
  }
  return true;
}

export function sameOwned(one: OwnedPartitions, other: OwnedPartitions): boolean {
  if (one.size !== other.size) return false;
  for (const [topicId, partitions] of one) {
    const others = other.get(topicId);
    if (others?.size !== partitions.size) return false;
    for (const [partition, epoch] of partitions) if (others.get(partition) !== epoch) return false;
  }
  return true;
}
