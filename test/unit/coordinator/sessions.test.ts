import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isPending,
  joinAll,
  nameOf,
  Scenario,
  sessionTimeoutMs,
  settle,
  stabilise,
  textOf,
} from './support/scenario.ts';

describe('SyncGroup', () => {
  it('parks followers until the leader assigns, whatever the order', async () => {
    for (const order of ['leader first', 'follower first']) {
      const scenario = await Scenario.start();
      const [a, b] = [scenario.member('a'), scenario.member('b')];
      const leader = await joinAll(scenario, a, b);
      const [leading, following] = a.memberId === leader ? [a, b] : [b, a];
      const assignments = [a, b].map(({ memberId }) => ({
        memberId,
        assignment: new TextEncoder().encode(`for ${memberId}`),
      }));
      const early = order === 'follower first' ? following.sync() : null;
      if (early) assert(await isPending(early));
      const lead = await leading.sync(assignments);
      const follow = await (early ?? following.sync());
      assert.equal(textOf(lead.assignment), `for ${leading.memberId}`, order);
      assert.equal(textOf(follow.assignment), `for ${following.memberId}`, order);
      assert.equal(follow.protocolName, 'range');
    }
  });

  it('gives members that the leader left out an empty assignment', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    await joinAll(scenario, member);
    const { errorCode, assignment } = await member.sync([]);
    assert.equal(nameOf(errorCode), 'NONE');
    assert.equal(assignment.length, 0);
  });

  it('refuses an old generation, an unknown member, another protocol, and a rebalance under way', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    await stabilise(scenario, a, b);
    const sync = async (change: object): Promise<string> => {
      const { errorCode } = await scenario.call('syncGroup', 5, {
        groupId: 'group',
        memberId: a.memberId,
        generationId: 1,
        protocolType: 'consumer',
        protocolName: 'range',
        ...change,
      });
      return nameOf(errorCode);
    };
    assert.equal(await sync({ generationId: 0 }), 'ILLEGAL_GENERATION');
    assert.equal(await sync({ memberId: 'nobody' }), 'UNKNOWN_MEMBER_ID');
    assert.equal(await sync({ groupId: 'nothing' }), 'UNKNOWN_MEMBER_ID');
    assert.equal(await sync({ groupId: '' }), 'INVALID_GROUP_ID');
    assert.equal(await sync({ protocolName: 'sticky' }), 'INCONSISTENT_GROUP_PROTOCOL');
    assert.equal(await sync({ protocolType: null }), 'INCONSISTENT_GROUP_PROTOCOL');
    await b.leave();
    assert.equal(await sync({}), 'REBALANCE_IN_PROGRESS');
  });

  it('tells parked followers to rejoin when a rebalance begins', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    const leader = await joinAll(scenario, a, b);
    const [leading, following] = a.memberId === leader ? [a, b] : [b, a];
    const parked = following.sync();
    await settle();
    await leading.leave();
    assert.equal(nameOf((await parked).errorCode), 'REBALANCE_IN_PROGRESS');
  });

  it('answers a sync whose member leaves', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    const leader = await joinAll(scenario, a, b);
    const following = a.memberId === leader ? b : a;
    const parked = following.sync();
    await settle();
    await following.leave();
    assert.equal(nameOf((await parked).errorCode), 'UNKNOWN_MEMBER_ID');
  });
});

describe('Heartbeat', () => {
  it('keeps a member in, and its absence for the session timeout takes it out', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    await stabilise(scenario, a, b);
    for (let beat = 0; beat < 4; beat++) {
      await scenario.pass(sessionTimeoutMs - 1);
      assert.equal(await a.heartbeat(), beat === 0 ? 'NONE' : 'REBALANCE_IN_PROGRESS');
    }
    assert.deepEqual(await scenario.memberIdsOf(), [a.memberId]);
    assert.equal(await b.heartbeat(), 'UNKNOWN_MEMBER_ID');
  });

  it('refuses unknown groups, members and generations', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    assert.equal(await member.heartbeat(), 'UNKNOWN_MEMBER_ID');
    await stabilise(scenario, member);
    member.generationId = 7;
    assert.equal(await member.heartbeat(), 'ILLEGAL_GENERATION');
    member.memberId = 'nobody';
    assert.equal(await member.heartbeat(), 'UNKNOWN_MEMBER_ID');
    member.options = { ...member.options, groupId: '' };
    assert.equal(await member.heartbeat(), 'INVALID_GROUP_ID');
  });

  it('is accepted while the leader assigns', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    await joinAll(scenario, member);
    assert.equal(await member.heartbeat(), 'NONE');
  });

  it('is not expected of members that wait to join, except of new ones after five minutes', async () => {
    const scenario = await Scenario.start();
    const options = { rebalanceTimeoutMs: 900_000 };
    const [a, b] = [scenario.member('a', options), scenario.member('b', options)];
    await stabilise(scenario, a, b);
    const late = scenario.member('c', { ...options, joinVersion: 3 });
    const joining = late.sendJoin();
    await settle();
    const rejoining = a.sendJoin();
    for (let waitedMs = 0; waitedMs < 299_000; waitedMs += 1_000) {
      await b.heartbeat();
      await scenario.pass(1_000);
    }
    assert(await isPending(joining));
    await b.heartbeat();
    await scenario.pass(1_000);
    assert.equal(nameOf((await joining).errorCode), 'UNKNOWN_MEMBER_ID');
    assert(await isPending(rejoining));
  });

  it('of a pending member runs out without it, and the join goes on', async () => {
    const scenario = await Scenario.start();
    const a = scenario.member('a');
    await stabilise(scenario, a);
    await scenario.member('b').sendJoin();
    const rejoining = a.sendJoin();
    assert(await isPending(rejoining));
    await scenario.pass(sessionTimeoutMs);
    assert.equal((await rejoining).generationId, 2);
  });
});

describe('LeaveGroup', () => {
  it('rebalances those who stay, and empties the group with the last', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    await stabilise(scenario, a, b);
    assert.equal(await a.leave(), 'NONE');
    assert.equal(await b.heartbeat(), 'REBALANCE_IN_PROGRESS');
    assert.equal(await b.leave(), 'NONE');
    assert.equal(await scenario.stateOf(), 'Empty');
    assert.equal(await b.leave(), 'UNKNOWN_MEMBER_ID');
  });

  it('completes the join that waited for the one who left', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    const leaderId = await stabilise(scenario, a, b);
    const [leader, follower] = a.memberId === leaderId ? [a, b] : [b, a];
    const rejoining = leader.sendJoin();
    assert(await isPending(rejoining));
    await follower.leave();
    assert.equal((await rejoining).generationId, 2);
  });

  it('answers for each member, and below version 3 for the one', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    await stabilise(scenario, a, b);
    const many = await scenario.call('leaveGroup', 4, {
      groupId: 'group',
      members: [{ memberId: a.memberId }, { memberId: 'nobody' }],
    });
    assert.deepEqual(
      many.members.map(({ errorCode }) => nameOf(errorCode)),
      ['NONE', 'UNKNOWN_MEMBER_ID'],
    );
    const one = await scenario.call('leaveGroup', 2, { groupId: 'group', memberId: 'nobody' });
    assert.equal(nameOf(one.errorCode), 'UNKNOWN_MEMBER_ID');
    const none = await scenario.call('leaveGroup', 0, { groupId: 'nothing', memberId: 'a' });
    assert.equal(nameOf(none.errorCode), 'UNKNOWN_MEMBER_ID');
  });

  it('takes back an id that was given out', async () => {
    const scenario = await Scenario.start();
    const a = scenario.member('a');
    await a.sendJoin();
    assert.equal(await a.leave(), 'NONE');
    assert.equal(nameOf((await a.sendJoin()).errorCode), 'UNKNOWN_MEMBER_ID');
  });
});

describe('removing all members', () => {
  it('empties a group, so that its offsets may be reset', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    await stabilise(scenario, a, b);
    await scenario.member('c').sendJoin();
    const rejoining = a.sendJoin();
    await settle();
    const { errorCode, removed } = await scenario.coordinator.removeMembers('group', 'a reset');
    assert.deepEqual([nameOf(errorCode), removed], ['NONE', 2]);
    assert.equal(nameOf((await rejoining).errorCode), 'UNKNOWN_MEMBER_ID');
    assert.equal(await scenario.stateOf(), 'Empty');
    assert.equal(await b.heartbeat(), 'UNKNOWN_MEMBER_ID');
  });

  it('says that a group is not there', async () => {
    const scenario = await Scenario.start();
    const { errorCode } = await scenario.coordinator.removeMembers('nothing', 'a reset');
    assert.equal(nameOf(errorCode), 'GROUP_ID_NOT_FOUND');
  });
});
