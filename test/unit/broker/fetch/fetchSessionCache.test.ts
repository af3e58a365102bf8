import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inOneGo } from '../../../../src/base/turns.ts';
import { seededRandom } from '../../../../src/base/random.ts';
import { FetchSessionCache } from '../../../../src/broker/fetch/fetchSessionCache.ts';
import type { PartitionRead } from '../../../../src/broker/fetch/partitionFetch.ts';
import { failedRead } from '../../../../src/broker/fetch/readPartitions.ts';
import { zeroUuid } from '../../../../src/protocol/schema.ts';

const shortMs = 120_000;
const longMs = 120_001;

function reads(count: number): PartitionRead[] {
  return Array.from({ length: count }, (_, partition) =>
    failedRead(
      {
        key: `t:${partition}`,
        topic: 't',
        topicId: zeroUuid,
        partition,
        currentLeaderEpoch: -1,
        fetchOffset: 0n,
        lastFetchedEpoch: -1,
        partitionMaxBytes: 1,
      },
      'NONE',
    ),
  );
}

describe('The cache of fetch sessions', () => {
  let cache: FetchSessionCache;
  const slots = (count: number): void => {
    cache = new FetchSessionCache(count, seededRandom(7));
  };
  const create = (nowMs: number, partitions = 1, isPrivileged = false): number =>
    inOneGo(cache.create({ isPrivileged, usesTopicIds: true, nowMs, reads: reads(partitions) }));
  const use = (id: number, nowMs: number): void => {
    const session = cache.get(id);
    assert.ok(session && cache.touch(session, nowMs));
  };

  it('[A3] gives ids that differ, none of them 0', () => {
    slots(500);
    const ids = Array.from({ length: 500 }, () => create(0));
    assert.equal(new Set(ids).size, 500);
    assert.ok(ids.every((id) => id > 0 && id < 2 ** 31));
  });

  it('[A3] gives none where every slot is taken by a session that was used just now', () => {
    slots(2);
    const [first, second] = [create(0), create(1)];
    assert.equal(create(shortMs), 0);
    assert.ok(cache.get(first) && cache.get(second));
  });

  it('[A3] lets the one go that was longest unused, if for more than two minutes', () => {
    slots(2);
    const [first, second] = [create(0), create(5)];
    use(first, 10);
    assert.notEqual(create(longMs + 5), 0);
    assert.ok(cache.get(first));
    assert.equal(cache.get(second), undefined);
  });

  it('[A3] lets a smaller one go that has lived long, and no larger one', () => {
    slots(2);
    const [small, large] = [create(0, 3), create(0, 9)];
    for (const id of [small, large]) use(id, longMs);
    assert.equal(create(longMs, 2), 0);
    assert.notEqual(create(longMs, 4), 0);
    assert.equal(cache.get(small), undefined);
    assert.ok(cache.get(large));
  });

  it('[A3] makes room for a follower at once, at the cost of consumers only', () => {
    slots(2);
    const follower = create(0, 1, true);
    const consumer = create(0, 50);
    assert.notEqual(create(1, 1, true), 0);
    assert.equal(cache.get(consumer), undefined);
    assert.ok(cache.get(follower));
    assert.equal(create(1, 100), 0);
  });

  it('[A3] grants none beyond what memory there is for all of them together', () => {
    slots(10);
    const large = create(0, 150_000);
    assert.notEqual(large, 0);
    assert.equal(create(0, 20_000), 0);
    cache.remove(large);
    assert.notEqual(create(0, 20_000), 0);
  });

  it('[A3] ends one that grows beyond it, and counts what it forgets', () => {
    slots(10);
    const id = create(0, 10);
    const session = cache.get(id);
    assert.ok(session);
    const many = reads(170_000).map(({ fetch }) => fetch);
    inOneGo(session.update(many, many.slice(0, 50_000).map(({ key }) => key))); // prettier-ignore
    assert.ok(cache.touch(session, 1));
    inOneGo(session.update(many, []));
    assert.equal(cache.touch(session, 2), false);
    assert.equal(cache.get(id), undefined);
    assert.notEqual(create(3, 150_000), 0);
  });

  it('[A3] gives nothing where it has no slots', () => {
    slots(0);
    assert.equal(create(0), 0);
  });
});
