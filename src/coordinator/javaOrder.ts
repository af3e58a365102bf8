import type { Uuid } from '../base/uuid.ts';
import { hashCodeOf } from './javaStringHash.ts';

/** As many buckets as a HashMap has at first, and how full it may be before it has twice as many. */
const leastBuckets = 16;
const mostFilled = 0.75;
/** As many slots as the table of a timeline has at first. */
export const leastSlots = 2;
/** 2^64 divided by the golden ratio. [BaseHashTable.findSlot] */
const fibonacci = 0x9e3779b97f4a7c15n;

/**
 * Members in the order in which Kafka goes through them, which decides who gets which partition: that of a HashMap that
 * was filled from a timeline's table, and then by who joins just now. [TargetAssignmentBuilder.build, OverlayMap]
 */
export function inOrderOfMembers<T extends { readonly memberId: string }>(
  members: readonly T[],
  { slots, joiningId }: { readonly slots: number; readonly joiningId: string | undefined },
): T[] {
  const hashOf = ({ memberId }: T): number => hashCodeOf(memberId);
  const present = members.filter(({ memberId }) => memberId !== joiningId);
  const joining = members.filter(({ memberId }) => memberId === joiningId);
  return inOrderOfHashMap([...inOrderOfTimeline(present, slots, hashOf), ...joining], hashOf);
}

/** Topics in the order of a HashSet that their ids were added to. */
export const inOrderOfTopics = (topicIds: Iterable<Uuid>): Uuid[] =>
  inOrderOfHashMap([...topicIds], hashOfUuid);

/** Texts in the order of a HashSet that they were added to. */
export const inOrderOfTexts = (texts: Iterable<string>): string[] =>
  inOrderOfHashMap([...texts], hashCodeOf);

/** Topics in the order of a HashSet that is a copy of their ids. */
export const inOrderOfTopicsCopied = (topicIds: Iterable<Uuid>): Uuid[] =>
  inOrderOfCopy([...topicIds], hashOfUuid);

/** Texts in the order of a HashSet that is a copy of a list of them. */
export const inOrderOfTextList = (texts: Iterable<string>): string[] =>
  inOrderOfCopy([...texts], hashCodeOf);

/** Some of so many texts, in the order of a HashSet that is a copy of all. */
export const inOrderOfTextsCopied = (texts: readonly string[], count: number): string[] =>
  inOrderOfCopy(texts, hashCodeOf, count);

/** A copy has room for one more from the start. [java.util.HashSet] */
function inOrderOfCopy<T>(
  items: readonly T[],
  hashOf: (item: T) => number,
  count = items.length,
): T[] {
  return inOrderOfHashMap(items, hashOf, count + 1);
}

/** Those of one bucket stay as they came. [java.util.HashMap] */
function inOrderOfHashMap<T>(
  items: readonly T[],
  hashOf: (item: T) => number,
  room = items.length,
): T[] {
  let buckets = leastBuckets;
  while (room > buckets * mostFilled) buckets *= 2;
  // Not sorted: a member may subscribe to as many topics as a record has room for.
  const filled = new Array<T[]>(buckets);
  for (const item of items) {
    const hash = hashOf(item);
    (filled[(hash ^ (hash >>> 16)) & (buckets - 1)] ??= []).push(item);
  }
  return filled.flat();
}

/** Those of one slot are gone through from the last. [SnapshottableHashTable.CurrentIterator] */
function inOrderOfTimeline<T>(
  items: readonly T[],
  slots: number,
  hashOf: (item: T) => number,
): T[] {
  const shift = 64 - Math.log2(slots);
  const slotOf = (item: T): number =>
    Number(BigInt.asUintN(64, BigInt(hashOf(item)) * fibonacci) >> BigInt(shift));
  return sortedBy([...items].reverse(), slotOf);
}

/** What a table of so many slots and items has once one is added or changed; it never has less. [BaseHashTable] */
export const slotsAfter = (slots: number, count: number): number =>
  (count + 1) * mostFilled > slots ? slots * 2 : slots;

function sortedBy<T>(items: readonly T[], placeOf: (item: T) => number): T[] {
  const placed = items.map((item) => ({ item, place: placeOf(item) }));
  return placed.sort((one, other) => one.place - other.place).map(({ item }) => item);
}

/** [org.apache.kafka.common.Uuid.hashCode] */
function hashOfUuid(uuid: Uuid): number {
  const bytes = Buffer.from(uuid, 'base64url');
  return [0, 4, 8, 12].reduce((hash, at) => hash ^ bytes.readInt32BE(at), 0);
}
