import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inOneGo } from '../../../src/base/turns.ts';
import type { GroupState } from '../../../src/coordinator/group/groupState.ts';
import { planDelete } from '../../../src/coordinator/group/offsetDelete.ts';
import {
  FakeTopics,
  nameOf,
  type RequestInput,
  type Response,
  Scenario,
  sessionTimeoutMs,
  stabilise,
  subscription,
} from './support/scenario.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Commits as admin tools and consumers without a group do. */
async function commit(
  scenario: Scenario,
  topic: string,
  offset: bigint,
  more: { groupId?: string; partition?: number; version?: number; metadata?: string | null } = {},
): Promise<string> {
  const { topics } = await scenario.call('offsetCommit', more.version ?? 9, {
    groupId: more.groupId ?? 'group',
    topics: [
      {
        name: topic,
        partitions: [
          {
            partitionIndex: more.partition ?? 0,
            committedOffset: offset,
            committedMetadata: more.metadata ?? '',
          },
        ],
      },
    ],
  });
  return nameOf(topics[0]?.partitions[0]?.errorCode ?? 0);
}

/** All offsets of a group: `topic-partition=offset`, sorted. */
async function committed(scenario: Scenario, groupId = 'group'): Promise<string[]> {
  const response = await scenario.call('offsetFetch', 9, { groups: [{ groupId, topics: null }] });
  return (response.groups[0]?.topics ?? [])
    .flatMap(({ name, partitions }) =>
      partitions.map(
        ({ partitionIndex, committedOffset }) => `${name}-${partitionIndex}=${committedOffset}`,
      ),
    )
    .sort();
}

describe('OffsetCommit', () => {
  it('without generation makes a simple group, which keeps what it is told', async () => {
    const scenario = await Scenario.start();
    const { topics } = await scenario.call('offsetCommit', 9, {
      groupId: 'group',
      topics: [
        {
          name: 'orders',
          partitions: [
            {
              partitionIndex: 2,
              committedOffset: 9_007_199_254_740_993n,
              committedLeaderEpoch: 7,
              committedMetadata: 'by hand ☂',
            },
          ],
        },
      ],
    });
    assert.equal(topics[0]?.partitions[0]?.errorCode, 0);
    const response = await scenario.call('offsetFetch', 5, {
      groupId: 'group',
      topics: [{ name: 'orders', partitionIndexes: [2] }],
    });
    assert.deepEqual(response.topics[0]?.partitions[0], {
      partitionIndex: 2,
      committedOffset: 9_007_199_254_740_993n,
      committedLeaderEpoch: 7,
      metadata: 'by hand ☂',
      errorCode: 0,
    });
    const listed = await scenario.call('listGroups', 5, {});
    assert.deepEqual(listed.groups, [
      { groupId: 'group', protocolType: '', groupState: 'Empty', groupType: 'classic' },
    ]);
  });

  it('without generation is refused while the group has members, and taken again after', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    await stabilise(scenario, member);
    assert.equal(await commit(scenario, 'orders', 5n), 'UNKNOWN_MEMBER_ID');
    await member.leave();
    assert.equal(await commit(scenario, 'orders', 5n), 'NONE');
  });

  it('of a member is taken in Stable and PreparingRebalance, not in CompletingRebalance', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    await stabilise(scenario, a, b);
    assert.equal(await a.commit('orders', 0, 1n), 'NONE');
    await b.leave();
    assert.equal(await scenario.stateOf(), 'PreparingRebalance');
    assert.equal(await a.commit('orders', 0, 2n), 'NONE');
    await a.sendJoin();
    assert.equal(await scenario.stateOf(), 'CompletingRebalance');
    assert.equal(await a.commit('orders', 0, 3n), 'REBALANCE_IN_PROGRESS');
    assert.deepEqual(await committed(scenario), ['orders-0=2']);
  });

  it('keeps the session of the member', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    await stabilise(scenario, member);
    for (let beat = 0; beat < 3; beat++) {
      await scenario.pass(sessionTimeoutMs - 1);
      assert.equal(await member.commit('orders', 0, BigInt(beat)), 'NONE');
    }
  });

  it('refuses old generations, unknown members and unknown groups', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    await stabilise(scenario, member);
    member.generationId = 0;
    assert.equal(await member.commit('orders', 0, 1n), 'ILLEGAL_GENERATION');
    member.generationId = 1;
    member.memberId = 'nobody';
    assert.equal(await member.commit('orders', 0, 1n), 'UNKNOWN_MEMBER_ID');
    member.options = { ...member.options, groupId: 'nothing' };
    assert.equal(await member.commit('orders', 0, 1n), 'GROUP_ID_NOT_FOUND');
    const old = await scenario.call('offsetCommit', 8, {
      groupId: 'nothing',
      memberId: 'nobody',
      generationIdOrMemberEpoch: 1,
      topics: [{ name: 'orders', partitions: [{ partitionIndex: 0, committedOffset: 1n }] }],
    });
    assert.equal(nameOf(old.topics[0]?.partitions[0]?.errorCode ?? 0), 'ILLEGAL_GENERATION');
    assert.equal(await scenario.stateOf('nothing'), 'Dead');
  });

  it('judges each partition by itself: unknown ones, and metadata that is too large', async () => {
    const scenario = await Scenario.start();
    const { topics } = await scenario.call('offsetCommit', 9, {
      groupId: 'group',
      topics: [
        { name: 'missing', partitions: [{ partitionIndex: 0, committedOffset: 1n }] },
        {
          name: 'orders',
          partitions: [
            { partitionIndex: 3, committedOffset: 1n },
            { partitionIndex: 0, committedOffset: 1n, committedMetadata: 'm'.repeat(4097) },
            { partitionIndex: 1, committedOffset: 1n, committedMetadata: 'm'.repeat(4096) },
          ],
        },
      ],
    });
    assert.deepEqual(
      topics.map(({ name, partitions }) => [
        name,
        ...partitions.map(({ errorCode }) => nameOf(errorCode)),
      ]),
      [
        ['missing', 'UNKNOWN_TOPIC_OR_PARTITION'],
        ['orders', 'UNKNOWN_TOPIC_OR_PARTITION', 'OFFSET_METADATA_TOO_LARGE', 'NONE'],
      ],
    );
    assert.deepEqual(await committed(scenario), ['orders-1=1']);
  });

  it('leaves no group behind when no partition of it is known', async () => {
    const scenario = await Scenario.start();
    assert.equal(await commit(scenario, 'missing', 1n), 'UNKNOWN_TOPIC_OR_PARTITION');
    assert.equal(await scenario.stateOf(), 'Dead');
  });

  it('joins what it says of a topic that is named again, beside one that is not there', async () => {
    const scenario = await Scenario.start();
    const named = (name: string, partitionIndex: number) => ({
      name,
      partitions: [{ partitionIndex, committedOffset: 4n }],
    });
    const { topics } = await scenario.call('offsetCommit', 8, {
      groupId: 'group',
      topics: [named('orders', 0), named('missing', 0), named('orders', 9), named('orders', 0)],
    });
    assert.deepEqual(
      topics.map(({ name, partitions }) => [
        name,
        ...partitions.map((each) => each.partitionIndex),
      ]),
      [
        ['missing', 0],
        ['orders', 9, 0, 0],
      ],
    );
  });

  it('names topics by id from version 10 on', async () => {
    const scenario = await Scenario.start();
    const ordersId = scenario.topics.topicId('orders');
    assert(ordersId !== undefined);
    const unknownId = 'dW5rbm93bnVua25vd251bg';
    const partitions = [{ partitionIndex: 0, committedOffset: 4n }];
    const { topics } = await scenario.call('offsetCommit', 10, {
      groupId: 'group',
      topics: [
        { topicId: ordersId, partitions },
        { topicId: unknownId, partitions },
      ],
    });
    assert.deepEqual(
      topics.map(({ topicId, partitions: [partition] }) => [
        topicId,
        nameOf(partition?.errorCode ?? 0),
      ]),
      [
        [unknownId, 'UNKNOWN_TOPIC_ID'],
        [ordersId, 'NONE'],
      ],
    );
    assert.deepEqual(await committed(scenario), ['orders-0=4']);
  });

  it('writes all partitions of a request in one batch', async () => {
    const scenario = await Scenario.start();
    await scenario.call('offsetCommit', 9, {
      groupId: 'group',
      topics: ['orders', 'payments'].map((name) => ({
        name,
        partitions: [0, 1, 2].map((partitionIndex) => ({ partitionIndex, committedOffset: 1n })),
      })),
    });
    assert.deepEqual(scenario.writer.batches, [6]);
  });
});

describe('OffsetFetch', () => {
  const fetch = (
    scenario: Scenario,
    version: number,
    request: RequestInput<'offsetFetch'>,
  ): Promise<Response<'offsetFetch'>> => scenario.call('offsetFetch', version, request);

  it('answers -1 where nothing is committed, also for an unknown group, which it does not create', async () => {
    const scenario = await Scenario.start();
    const topics = [{ name: 'orders', partitionIndexes: [0] }];
    const { topics: answers, errorCode } = await fetch(scenario, 7, { groupId: 'group', topics });
    assert.equal(errorCode, 0);
    assert.deepEqual(answers[0]?.partitions[0], {
      partitionIndex: 0,
      committedOffset: -1n,
      committedLeaderEpoch: -1,
      metadata: '',
      errorCode: 0,
    });
    assert.deepEqual((await scenario.call('listGroups', 5, {})).groups, []);
  });

  it('returns all topics for null, from version 2 on', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'orders', 1n);
    await commit(scenario, 'payments', 2n, { partition: 1 });
    const response = await fetch(scenario, 2, { groupId: 'group', topics: null });
    assert.deepEqual(response.topics.map(({ name }) => name).sort(), ['orders', 'payments']);
  });

  it('answers for many groups at once from version 8 on', async () => {
    const scenario = await Scenario.start();
    for (const groupId of ['g1', 'g2', 'g3']) {
      await commit(scenario, 'orders', BigInt(groupId.slice(1)), { groupId });
    }
    const { groups } = await fetch(scenario, 8, {
      groups: [
        { groupId: 'g3', topics: null },
        { groupId: 'g1', topics: [{ name: 'orders', partitionIndexes: [0, 1] }] },
        { groupId: 'g4', topics: null },
      ],
    });
    assert.deepEqual(
      groups.map(({ groupId, topics }) => [
        groupId,
        ...topics.flatMap(({ partitions }) => partitions.map((each) => each.committedOffset)),
      ]),
      [['g3', 3n], ['g1', 1n, -1n], ['g4']],
    );
  });

  it('names topics by id from version 10 on, and leaves out those without', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'orders', 1n);
    await commit(scenario, 'payments', 2n);
    const ordersId = scenario.topics.topicId('orders') ?? '';
    scenario.topics.ids.delete('payments');
    const all = await fetch(scenario, 10, { groups: [{ groupId: 'group', topics: null }] });
    assert.deepEqual(
      all.groups[0]?.topics.map(({ topicId }) => topicId),
      [ordersId],
    );
    const unknown = await fetch(scenario, 10, {
      groups: [
        {
          groupId: 'group',
          topics: [{ topicId: 'dW5rbm93bnVua25vd251bg', partitionIndexes: [0] }],
        },
      ],
    });
    const partition = unknown.groups[0]?.topics[0]?.partitions[0];
    assert.equal(nameOf(partition?.errorCode ?? 0), 'UNKNOWN_TOPIC_ID');
    assert.equal(partition?.committedOffset, -1n);
  });

  it('does not return by id what was committed for an older topic of that name', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'orders', 1n);
    const newId = 'bmV3bmV3bmV3bmV3bmV3bg';
    scenario.topics.ids.set('orders', newId);
    const response = await fetch(scenario, 10, {
      groups: [{ groupId: 'group', topics: [{ topicId: newId, partitionIndexes: [0] }] }],
    });
    assert.equal(response.groups[0]?.topics[0]?.partitions[0]?.committedOffset, -1n);
  });

  it('shows what is committed, and with requireStable waits for what is being written', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'orders', 1n);
    scenario.writer.hold();
    const writing = commit(scenario, 'orders', 2n);
    const topics = [{ name: 'orders', partitionIndexes: [0] }];
    const offsetOf = ({ topics: [topic] }: Response<'offsetFetch'>) =>
      topic?.partitions[0]?.committedOffset;
    const now = await fetch(scenario, 7, { groupId: 'group', topics, requireStable: false });
    assert.equal(offsetOf(now), 1n);
    const stable = fetch(scenario, 7, { groupId: 'group', topics, requireStable: true });
    await scenario.pass(0);
    scenario.writer.release();
    assert.equal(await writing, 'NONE');
    assert.equal(offsetOf(await stable), 2n);
  });
});

describe('OffsetDelete', () => {
  const deleteOffset = async (scenario: Scenario, topic: string): Promise<string> => {
    const { errorCode, topics } = await scenario.call('offsetDelete', 0, {
      groupId: 'group',
      topics: [{ name: topic, partitions: [{ partitionIndex: 0 }] }],
    });
    return nameOf(errorCode || (topics[0]?.partitions[0]?.errorCode ?? 0));
  };

  it('deletes offsets of topics that a live group does not subscribe to', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'orders', 1n);
    await commit(scenario, 'payments', 1n);
    const options = { protocols: [{ name: 'range', metadata: subscription('orders') }] };
    await stabilise(scenario, scenario.member('a', options));
    assert.equal(await deleteOffset(scenario, 'orders'), 'GROUP_SUBSCRIBED_TO_TOPIC');
    assert.equal(await deleteOffset(scenario, 'payments'), 'NONE');
    assert.equal(await deleteOffset(scenario, 'missing'), 'UNKNOWN_TOPIC_OR_PARTITION');
    assert.deepEqual(await committed(scenario), ['orders-0=1']);
  });

  it('counts a group whose metadata cannot be read as subscribed to all', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'payments', 1n);
    const options = { protocols: [{ name: 'range', metadata: Buffer.from([0]) }] };
    await stabilise(scenario, scenario.member('a', options));
    assert.equal(await deleteOffset(scenario, 'payments'), 'GROUP_SUBSCRIBED_TO_TOPIC');
  });

  it('refuses unknown groups, and live ones of other protocols', async () => {
    const scenario = await Scenario.start();
    assert.equal(await deleteOffset(scenario, 'orders'), 'GROUP_ID_NOT_FOUND');
    await stabilise(scenario, scenario.member('a', { protocolType: 'connect' }));
    assert.equal(await deleteOffset(scenario, 'orders'), 'NON_EMPTY_GROUP');
  });
});

describe('What a deletion of offsets prepares', () => {
  const request = {
    groupId: 'group',
    topics: [
      { name: 'orders', partitions: [0, 1, 2, 1, 1].map((partitionIndex) => ({ partitionIndex })) },
    ],
  };
  const preparedFor = (hasOffset: (partition: number) => boolean, maxBytes: number): number[] => {
    const state = {
      offsets: { get: (_group: string, _topic: string, n: number) => hasOffset(n) || undefined },
      txnOffsets: { isOpen: () => false },
    } as unknown as GroupState;
    const mayRead = (): boolean => true;
    const plan = inOneGo(
      planDelete(request, { state, maxBytes, mayRead, directory: new FakeTopics() }),
    );
    assert.deepEqual([...(plan.present.get('orders') ?? [])], [0, 1, 2]);
    assert.deepEqual([...new Set(plan.going.map(({ partition }) => partition))], [0, 1, 2]);
    return plan.going.flatMap(({ partition, tombstone }) => (tombstone ? [partition] : []));
  };

  it('is what there is an offset for, as often as it is named', () => {
    assert.deepEqual(
      preparedFor((n) => n === 1, 1000),
      [1, 1, 1],
    );
  });

  it('is no more than a batch takes', () => {
    assert.deepEqual(
      preparedFor(() => true, 1),
      [0],
    );
  });
});

describe('DeleteGroups', () => {
  it('deletes groups without members, with their offsets, and says why not for others', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'orders', 1n, { groupId: 'old' });
    await stabilise(scenario, scenario.member('a', { groupId: 'live' }));
    const { results } = await scenario.call('deleteGroups', 3, {
      groupsNames: ['old', 'live', 'nothing', 'old'],
    });
    assert.deepEqual(
      results.map(({ groupId, errorCode }) => [groupId, nameOf(errorCode)]),
      [
        ['old', 'NONE'],
        ['live', 'NON_EMPTY_GROUP'],
        ['nothing', 'GROUP_ID_NOT_FOUND'],
      ],
    );
    assert.equal(await scenario.stateOf('old'), 'Dead');
    assert.deepEqual(await committed(scenario, 'old'), []);
    const reread = await scenario.restart();
    assert.deepEqual(await committed(reread, 'old'), []);
    assert.equal(await reread.stateOf('old'), 'Dead');
  });
});

describe('deleted topics', () => {
  it('take their offsets with them', async () => {
    const scenario = await Scenario.start();
    for (const groupId of ['g1', 'g2']) {
      await commit(scenario, 'orders', 1n, { groupId });
      await commit(scenario, 'payments', 2n, { groupId });
    }
    await scenario.coordinator.onTopicsDeleted(['orders']);
    assert.deepEqual(await committed(scenario, 'g1'), ['payments-0=2']);
    assert.deepEqual(await committed(await scenario.restart(), 'g2'), ['payments-0=2']);
  });
});

describe('expiry', () => {
  it('takes a simple group’s offsets a week after the commit, and the group with the last', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'orders', 1n);
    await scenario.pass(dayMs);
    await commit(scenario, 'payments', 2n);
    await scenario.pass(6 * dayMs);
    await scenario.coordinator.cleanExpired();
    assert.deepEqual(await committed(scenario), ['payments-0=2']);
    await scenario.pass(dayMs);
    await scenario.coordinator.cleanExpired();
    assert.equal(await scenario.stateOf(), 'Dead');
  });

  it('counts from when a group became empty', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    await stabilise(scenario, member);
    await member.commit('orders', 0, 1n);
    for (let day = 0; day < 8; day++) {
      await member.heartbeat();
      for (let step = 0; step < 10; step++) {
        await scenario.pass(sessionTimeoutMs / 2);
        await member.heartbeat();
      }
      scenario.clock.setWallMs(scenario.clock.nowMs() + dayMs);
    }
    await scenario.coordinator.cleanExpired();
    assert.deepEqual(await committed(scenario), ['orders-0=1']);
    await member.leave();
    await scenario.pass(7 * dayMs - 1);
    await scenario.coordinator.cleanExpired();
    assert.deepEqual(await committed(scenario), ['orders-0=1']);
    await scenario.pass(1);
    await scenario.coordinator.cleanExpired();
    assert.equal(await scenario.stateOf(), 'Dead');
  });

  it('takes offsets of topics that a live group no longer reads', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 'payments', 1n);
    await commit(scenario, 'orders', 1n);
    await stabilise(scenario, scenario.member('a', { sessionTimeoutMs: 1_800_000 }));
    scenario.clock.setWallMs(scenario.clock.nowMs() + 8 * dayMs);
    await scenario.coordinator.cleanExpired();
    assert.deepEqual(await committed(scenario), ['orders-0=1']);
  });

  it('follows the retention time of commits of versions 2 to 4', async () => {
    const scenario = await Scenario.start();
    await scenario.call('offsetCommit', 4, {
      groupId: 'group',
      retentionTimeMs: 1_000n,
      topics: [{ name: 'orders', partitions: [{ partitionIndex: 0, committedOffset: 1n }] }],
    });
    const reread = await scenario.restart();
    await reread.pass(999);
    await reread.coordinator.cleanExpired();
    assert.deepEqual(await committed(reread), ['orders-0=1']);
    await reread.pass(1);
    await reread.coordinator.cleanExpired();
    assert.deepEqual(await committed(reread), []);
  });
});
