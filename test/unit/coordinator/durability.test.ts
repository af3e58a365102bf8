import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { errorCodes } from '../../../src/protocol/errors.ts';
import {
  isPending,
  joinAll,
  nameOf,
  Scenario,
  type ScriptedMember,
  settle,
  stabilise,
  textOf,
} from './support/scenario.ts';

const oneShard = { config: { offsetsTopicPartitions: 1 } };

async function offsetOf(scenario: Scenario): Promise<bigint | undefined> {
  const { topics } = await scenario.call('offsetFetch', 7, { groupId: 'group', topics: null });
  return topics[0]?.partitions[0]?.committedOffset;
}

/** A client that commits without a group. */
function committer(scenario: Scenario, groupId = 'group'): ScriptedMember {
  return scenario.member('admin', { groupId });
}

describe('an answer', () => {
  it('waits until its records are committed', async () => {
    const scenario = await Scenario.start(oneShard);
    scenario.writer.hold();
    const committing = committer(scenario).commit('orders', 0, 1n);
    assert(await isPending(committing));
    assert.equal(await offsetOf(scenario), undefined);
    assert.equal(await scenario.stateOf(), 'Dead');
    scenario.writer.release();
    assert.equal(await committing, 'NONE');
    assert.equal(await offsetOf(scenario), 1n);
  });

  it('that writes nothing waits for what was decided before it', async () => {
    const scenario = await Scenario.start(oneShard);
    const member = scenario.member('a');
    await stabilise(scenario, member);
    scenario.writer.hold();
    const committing = member.commit('orders', 0, 1n);
    await settle();
    const beating = member.heartbeat();
    assert(await isPending(beating));
    scenario.writer.release();
    assert.deepEqual(await Promise.all([committing, beating]), ['NONE', 'NONE']);
  });

  it('does not wait longer than offsets.commit.timeout.ms; the records may still be committed', async () => {
    const scenario = await Scenario.start(oneShard);
    scenario.writer.hold();
    const first = committer(scenario).commit('orders', 0, 1n);
    await settle();
    await scenario.pass(4_000);
    const second = committer(scenario).commit('orders', 0, 2n);
    await settle();
    await scenario.pass(1_000);
    assert.equal(await first, 'COORDINATOR_NOT_AVAILABLE');
    assert(await isPending(second));
    scenario.writer.release();
    assert.equal(await second, 'NONE');
    assert.equal(await offsetOf(scenario), 2n);
  });
});

describe('decisions made while an append is under way', () => {
  it('go together into the next one, in order', async () => {
    const scenario = await Scenario.start(oneShard);
    scenario.writer.hold();
    const committing = [1n, 2n, 3n, 4n].map((offset) =>
      committer(scenario).commit('orders', 0, offset),
    );
    await settle();
    assert.equal(scenario.writer.heldCount, 1);
    scenario.writer.release();
    assert.deepEqual(await Promise.all(committing), ['NONE', 'NONE', 'NONE', 'NONE']);
    assert.deepEqual(scenario.writer.batches, [1, 3]);
    assert.equal(await offsetOf(await scenario.restart()), 4n);
  });

  it('are split where a batch would grow too large', async () => {
    const scenario = await Scenario.start({
      config: { ...oneShard.config, maxOffsetMetadataBytes: 30_000 },
    });
    scenario.writer.hold();
    const committing = Array.from({ length: 41 }, (_, index) =>
      scenario.call('offsetCommit', 9, {
        groupId: 'group',
        topics: [
          {
            name: 'orders',
            partitions: [
              {
                partitionIndex: 0,
                committedOffset: BigInt(index),
                committedMetadata: 'm'.repeat(30_000),
              },
            ],
          },
        ],
      }),
    );
    await settle();
    scenario.writer.release();
    await Promise.all(committing);
    assert.equal(scenario.writer.batches.length, 4);
    assert(Math.max(...scenario.writer.batches) * 30_000 < 2 ** 20);
  });
});

describe('when an append fails', () => {
  it('the state goes back to what is committed, and goes on from there', async () => {
    const scenario = await Scenario.start(oneShard);
    assert.equal(await committer(scenario).commit('orders', 0, 1n), 'NONE');
    scenario.writer.hold();
    const lost = [2n, 3n].map((offset) => committer(scenario).commit('orders', 0, offset));
    const other = committer(scenario, 'other').commit('orders', 0, 9n);
    await settle();
    scenario.writer.failHeld(errorCodes.NOT_ENOUGH_REPLICAS);
    assert.deepEqual(await Promise.all([...lost, other]), [
      'COORDINATOR_NOT_AVAILABLE',
      'COORDINATOR_NOT_AVAILABLE',
      'COORDINATOR_NOT_AVAILABLE',
    ]);
    assert.equal(await offsetOf(scenario), 1n);
    assert.equal(await scenario.stateOf('other'), 'Dead');
    assert.equal(await committer(scenario).commit('orders', 0, 4n), 'NONE');
    assert.equal(await offsetOf(scenario), 4n);
    assert.equal(await offsetOf(await scenario.restart()), 4n);
  });

  it('clients are told what they can act on', async () => {
    const scenario = await Scenario.start(oneShard);
    const told: string[] = [];
    for (const code of [
      errorCodes.NOT_LEADER_OR_FOLLOWER,
      errorCodes.KAFKA_STORAGE_ERROR,
      errorCodes.REQUEST_TIMED_OUT,
      errorCodes.MESSAGE_TOO_LARGE,
      errorCodes.COORDINATOR_NOT_AVAILABLE,
    ]) {
      scenario.writer.failNext(code);
      told.push(await committer(scenario).commit('orders', 0, 1n));
    }
    assert.deepEqual(told, [
      'NOT_COORDINATOR',
      'NOT_COORDINATOR',
      'COORDINATOR_NOT_AVAILABLE',
      'UNKNOWN_SERVER_ERROR',
      'COORDINATOR_NOT_AVAILABLE',
    ]);
  });

  it('of a new group, the group is gone, and who joined it is told', async () => {
    const scenario = await Scenario.start(oneShard);
    scenario.writer.hold();
    const joining = scenario.member('a', { joinVersion: 3 }).sendJoin();
    assert(await isPending(joining));
    scenario.writer.failHeld(errorCodes.NOT_ENOUGH_REPLICAS);
    assert.equal(nameOf((await joining).errorCode), 'COORDINATOR_NOT_AVAILABLE');
    assert.equal(await scenario.stateOf(), 'Dead');
    await scenario.pass(600_000);
    await stabilise(scenario, scenario.member('b'));
    assert.equal(await scenario.stateOf(), 'Stable');
  });

  it('of an assignment, all that synced are told, and the group rebalances', async () => {
    const scenario = await Scenario.start(oneShard);
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    const leader = await joinAll(scenario, a, b);
    const [leading, following] = a.memberId === leader ? [a, b] : [b, a];
    scenario.writer.hold();
    const follow = following.sync();
    const lead = leading.sync([
      { memberId: following.memberId, assignment: new TextEncoder().encode('lost') },
    ]);
    await settle();
    scenario.writer.failHeld(errorCodes.NOT_LEADER_OR_FOLLOWER);
    const responses = await Promise.all([lead, follow]);
    assert.deepEqual(
      responses.map(({ errorCode }) => nameOf(errorCode)),
      ['NOT_COORDINATOR', 'NOT_COORDINATOR'],
    );
    assert.equal(await scenario.stateOf(), 'PreparingRebalance');
    const rejoined = await Promise.all([a.sendJoin(), b.sendJoin()]);
    assert.deepEqual(
      rejoined.map(({ generationId }) => generationId),
      [2, 2],
    );
  });

  it('of a deletion, the group and its offsets are still there', async () => {
    const scenario = await Scenario.start(oneShard);
    await committer(scenario).commit('orders', 0, 1n);
    scenario.writer.failNext(errorCodes.NOT_ENOUGH_REPLICAS);
    const { results } = await scenario.call('deleteGroups', 2, { groupsNames: ['group'] });
    assert.equal(nameOf(results[0]?.errorCode ?? 0), 'COORDINATOR_NOT_AVAILABLE');
    assert.equal(await offsetOf(scenario), 1n);
    assert.equal(await scenario.stateOf(), 'Empty');
  });
});

describe('an assignment', () => {
  it('is handed out when it is committed, not before', async () => {
    const scenario = await Scenario.start(oneShard);
    const member = scenario.member('a');
    await joinAll(scenario, member);
    scenario.writer.hold();
    const syncing = member.sync([
      { memberId: member.memberId, assignment: new TextEncoder().encode('all') },
    ]);
    assert(await isPending(syncing));
    assert.equal(await scenario.stateOf(), 'CompletingRebalance');
    scenario.writer.release();
    assert.equal(textOf((await syncing).assignment), 'all');
    assert.equal(await scenario.stateOf(), 'Stable');
  });

  it('of a generation that is over by then is handed out to nobody', async () => {
    const scenario = await Scenario.start(oneShard);
    const member = scenario.member('a');
    await joinAll(scenario, member);
    scenario.writer.hold();
    const syncing = member.sync([
      { memberId: member.memberId, assignment: new TextEncoder().encode('all') },
    ]);
    await settle();
    const joining = scenario.member('b', { joinVersion: 3 }).sendJoin();
    await settle();
    scenario.writer.release();
    assert.equal(nameOf((await syncing).errorCode), 'REBALANCE_IN_PROGRESS');
    assert(await isPending(joining));
    assert.equal(await scenario.stateOf(), 'PreparingRebalance');
  });
});
