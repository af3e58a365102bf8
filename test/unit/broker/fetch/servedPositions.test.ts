import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { inOneGo } from '../../../../src/base/turns.ts';
import type { PartitionRead } from '../../../../src/broker/fetch/partitionFetch.ts';
import { failedRead } from '../../../../src/broker/fetch/readPartitions.ts';
import { ServedPositions } from '../../../../src/broker/fetch/servedPositions.ts';
import { zeroUuid } from '../../../../src/protocol/schema.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const fetchOf = (partition: number, fetchOffset: bigint) => ({
  key: `t:${partition}`,
  topic: 't',
  topicId: zeroUuid,
  partition,
  currentLeaderEpoch: -1,
  fetchOffset,
  lastFetchedEpoch: -1,
  partitionMaxBytes: 1,
});
const read = (partition: number, offset: bigint): PartitionRead =>
  failedRead(fetchOf(partition, offset), 'NONE');

describe('What clients were served', () => {
  let clock: ManualClock;
  let served: ServedPositions;
  const topics = new Set(['t']);
  const offsets = (): bigint[] => served.look(topics).map(({ offset }) => offset);
  const client = () => {
    const end = new AbortController();
    const session = {};
    return { end, of: { clientId: 'c', clientHost: '/127.0.0.1', session, signal: end.signal } };
  };

  beforeEach(() => {
    clock = new ManualClock();
    served = new ServedPositions(clock);
  });

  it('[G1] is noted only from the first look on, and for a minute after each', () => {
    const { of } = client();
    inOneGo(served.note(of, [read(0, 5n)]));
    assert.deepEqual(offsets(), []);
    inOneGo(served.note(of, [read(0, 6n)]));
    clock.advance(59_000);
    assert.deepEqual(offsets(), [6n]);
    inOneGo(served.note(of, [read(0, 7n), read(1, 1n)]));
    assert.deepEqual(offsets(), [7n, 1n]);
    clock.advance(60_000);
    inOneGo(served.note(of, [read(0, 8n)]));
    assert.deepEqual(offsets(), [], 'what was noted before is old');
  });

  it('[G1] is of each connection, and goes with it', () => {
    const [first, second] = [client(), client()];
    offsets();
    inOneGo(served.note(first.of, [read(0, 5n)]));
    inOneGo(served.note(second.of, [read(0, 9n)]));
    assert.deepEqual(offsets(), [5n, 9n]);
    first.end.abort();
    assert.deepEqual(offsets(), [9n]);
    inOneGo(served.note(first.of, [read(0, 6n)]));
    assert.deepEqual(offsets(), [9n], 'an answer that nobody took');
  });

  it('[G1] takes no room where the connection closes while it is noted', () => {
    const [first, second] = [client(), client()];
    offsets();
    const many = Array.from({ length: 10_000 }, (_, partition) => read(partition, 1n));
    const noting = served.note(first.of, many);
    noting.next();
    first.end.abort();
    inOneGo(noting);
    inOneGo(served.note(second.of, [read(0, 7n)]));
    assert.deepEqual(offsets(), [7n]);
  });

  it('[G1] is not what failed, and not of other topics', () => {
    const { of } = client();
    offsets();
    inOneGo(served.note(of, [failedRead(fetchOf(0, 3n), 'OFFSET_OUT_OF_RANGE'), read(1, 4n)]));
    assert.deepEqual(offsets(), [4n]);
    assert.deepEqual(served.look(new Set(['other'])), []);
  });

  it('[G1] is bounded, however many partitions are read', () => {
    const { of } = client();
    offsets();
    const many = Array.from({ length: 10_050 }, (_, partition) => read(partition, 1n));
    inOneGo(served.note(of, many));
    assert.equal(offsets().length, 10_000);
    inOneGo(served.note(of, [read(9_999, 2n), read(10_001, 2n)]));
    assert.equal(offsets().filter((offset) => offset === 2n).length, 1);
  });
});
