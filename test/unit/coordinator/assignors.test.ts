import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import type { GroupSpec, MemberSpec } from '../../../src/coordinator/group/assignor/groupSpec.ts';
import { rangeAssignor } from '../../../src/coordinator/group/assignor/rangeAssignor.ts';
import { uniformAssignor } from '../../../src/coordinator/group/assignor/uniformAssignor.ts';
import type { Assignment } from '../../../src/coordinator/group/consumer/assignment.ts';

const topicIdOf = (index: number): string =>
  Buffer.from(`topic ${index}`.padEnd(16)).toString('base64url');

interface Subscriber {
  readonly topicIds: readonly string[];
  readonly instanceId?: string;
}

/** A group whose topics have as many partitions as said, by topic id. */
function groupOf(
  counts: Readonly<Record<string, number>>,
  subscribers: Readonly<Record<string, Subscriber>>,
  before: ReadonlyMap<string, Assignment> = new Map(),
): GroupSpec {
  const members = new Map<string, MemberSpec>();
  for (const [memberId, { topicIds, instanceId = null }] of Object.entries(subscribers)) {
    const assignment = before.get(memberId) ?? new Map<string, ReadonlySet<number>>();
    members.set(memberId, { instanceId, topicIds: new Set(topicIds), assignment });
  }
  const lists = Object.values(subscribers).map(({ topicIds }) => [...topicIds].sort().join());
  return {
    members,
    isHomogeneous: new Set(lists).size <= 1,
    partitionCount: (topicId) => counts[topicId] ?? 0,
  };
}

function namesOf(assignment: Assignment | undefined): string[] {
  return [...(assignment ?? [])].flatMap(([topicId, partitions]) =>
    [...partitions].map((partition) => `${topicId}-${partition}`),
  );
}

const sizeOf = (assignment: Assignment | undefined): number => namesOf(assignment).length;

/** Everybody has only what it subscribes to; every partition that somebody subscribes to has one owner. */
function checkComplete(group: GroupSpec, assignments: ReadonlyMap<string, Assignment>): void {
  const wanted = new Set<string>();
  for (const [memberId, { topicIds }] of group.members) {
    for (const topicId of topicIds) {
      for (let index = 0; index < group.partitionCount(topicId); index++) {
        wanted.add(`${topicId}-${index}`);
      }
    }
    for (const topicId of assignments.get(memberId)?.keys() ?? []) assert.ok(topicIds.has(topicId));
  }
  const all = [...assignments.values()].flatMap(namesOf);
  assert.deepEqual(all.sort(), [...wanted].sort());
}

const assignors = { rangeAssignor, uniformAssignor };

describe('the range assignor', () => {
  const [one, two] = [topicIdOf(1), topicIdOf(2)];

  it('[A7] gives ranges in the order of member ids, static members first, alike for all topics', () => {
    const topicIds = [one, two];
    const group = groupOf(
      { [one]: 5, [two]: 5 },
      { b: { topicIds }, a: { topicIds }, z: { topicIds, instanceId: 'i' } },
    );
    const assignments = rangeAssignor(group);
    for (const topicId of topicIds) {
      assert.deepEqual([...(assignments.get('z')?.get(topicId) ?? [])], [0, 1]);
      assert.deepEqual([...(assignments.get('a')?.get(topicId) ?? [])], [2, 3]);
      assert.deepEqual([...(assignments.get('b')?.get(topicId) ?? [])], [4]);
    }
  });

  it('[A7] leaves members without partitions where there are not enough', () => {
    const topicIds = [one];
    const assignments = rangeAssignor(groupOf({ [one]: 1 }, { a: { topicIds }, b: { topicIds } }));
    assert.deepEqual([sizeOf(assignments.get('a')), sizeOf(assignments.get('b'))], [1, 0]);
  });
});

describe('the uniform assignor', () => {
  const topicIds = [topicIdOf(1)];
  const counts = { [topicIdOf(1)]: 12 };

  it('[A7] moves no more than it has to when a member joins or leaves', () => {
    const two = uniformAssignor(groupOf(counts, { a: { topicIds }, b: { topicIds } }));
    const members = { a: { topicIds }, b: { topicIds }, c: { topicIds } };
    const three = uniformAssignor(groupOf(counts, members, two));
    for (const memberId of ['a', 'b']) {
      assert.equal(sizeOf(three.get(memberId)), 4);
      const had = new Set(namesOf(two.get(memberId)));
      assert.ok(namesOf(three.get(memberId)).every((name) => had.has(name)));
    }
    const left = { a: { topicIds }, c: { topicIds } };
    const again = uniformAssignor(groupOf(counts, left, three));
    for (const memberId of ['a', 'c']) {
      const has = new Set(namesOf(again.get(memberId)));
      assert.equal(has.size, 6);
      assert.ok(namesOf(three.get(memberId)).every((name) => has.has(name)));
    }
  });

  it('[A7] changes nothing where nothing has changed', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 50; round++) {
      const { subscribers, partitionCounts } = randomGroup(random);
      const first = uniformAssignor(groupOf(partitionCounts, subscribers));
      const second = uniformAssignor(groupOf(partitionCounts, subscribers, first));
      for (const [memberId, assignment] of first) {
        assert.deepEqual(namesOf(second.get(memberId)).sort(), namesOf(assignment).sort());
      }
    }
  });
});

describe('assignors', () => {
  for (const [name, assignor] of Object.entries(assignors)) {
    it(`[A7] give every partition to one member that subscribes to it, over random groups (${name})`, () => {
      const random = seededRandom(1);
      for (let seed = 0; seed < 60; seed++) {
        let before = new Map<string, Assignment>();
        for (let step = 0; step < 4; step++) {
          const { subscribers, partitionCounts } = randomGroup(random);
          const known = new Map(
            [...before].map(([memberId, assignment]) => [
              memberId,
              within(assignment, partitionCounts),
            ]),
          );
          const group = groupOf(partitionCounts, subscribers, known);
          before = assignor(group);
          checkComplete(group, before);
        }
      }
    });
  }

  it('[A7] balance members with equal subscriptions to within one partition (uniformAssignor)', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 60; round++) {
      const { subscribers, partitionCounts } = randomGroup(random, { isHomogeneous: true });
      const loads = [...uniformAssignor(groupOf(partitionCounts, subscribers)).values()].map(
        sizeOf,
      );
      if (loads.length > 0) assert.ok(Math.max(...loads) - Math.min(...loads) <= 1);
    }
  });

  it('[A7] balance the subscribers of each topic to within one partition (uniformAssignor)', () => {
    const [all, some] = [topicIdOf(1), topicIdOf(2)];
    const group = groupOf(
      { [all]: 6, [some]: 6 },
      {
        a: { topicIds: [all] },
        b: { topicIds: [all, some] },
        c: { topicIds: [some] },
      },
    );
    const [a = 0, b = 0, c = 0] = [...uniformAssignor(group).values()].map(sizeOf);
    assert.deepEqual([a, b, c], [3, 4, 5]);
  });
});

interface RandomGroup {
  readonly subscribers: Record<string, Subscriber>;
  readonly partitionCounts: Record<string, number>;
}

function randomGroup(random: Random, { isHomogeneous = false } = {}): RandomGroup {
  const topics = Array.from({ length: 1 + random.below(5) }, (_, index) => topicIdOf(index));
  const partitionCounts = Object.fromEntries(topics.map((id) => [id, 1 + random.below(12)]));
  const pick = (): string[] => topics.filter(() => random.below(3) > 0);
  const common = pick();
  const memberCount = 1 + random.below(7);
  const subscribers = Object.fromEntries(
    Array.from({ length: memberCount }, (_, index) => [
      `m${index}`,
      { topicIds: isHomogeneous ? common : pick() },
    ]),
  );
  return { subscribers, partitionCounts };
}

/** Without what is not there any more. */
function within(assignment: Assignment, counts: Readonly<Record<string, number>>): Assignment {
  return new Map(
    [...assignment].map(([topicId, partitions]) => [
      topicId,
      new Set([...partitions].filter((partition) => partition < (counts[topicId] ?? 0))),
    ]),
  );
}
