import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  bytesOf,
  isPending,
  joinAll,
  nameOf,
  rebalanceTimeoutMs,
  Scenario,
  sessionTimeoutMs,
  settle,
  stabilise,
  subscription,
  syncAll,
  textOf,
} from './support/scenario.ts';

describe('JoinGroup', () => {
  it('gives a new dynamic member an id first, from version 4 on', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('app');
    const response = await member.sendJoin();
    assert.equal(nameOf(response.errorCode), 'MEMBER_ID_REQUIRED');
    assert.match(response.memberId, /^app-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/);
    assert.equal(response.protocolName, null);
  });

  it('takes a new member at once below version 4', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('app', { joinVersion: 3 });
    const joining = member.sendJoin();
    await settle();
    await scenario.pass(0);
    const response = await joining;
    assert.equal(nameOf(response.errorCode), 'NONE');
    assert.equal(response.leader, response.memberId);
  });

  it('answers an empty string for the protocol in errors below version 7', async () => {
    const scenario = await Scenario.start();
    const response = await scenario.member('app', { joinVersion: 5 }).sendJoin();
    assert.equal(response.protocolName, '');
  });

  it('brings three members that join at once into one generation with one leader', async () => {
    const scenario = await Scenario.start();
    const members = ['a', 'b', 'c'].map((name) => scenario.member(name));
    const joining = members.map((member) => member.join());
    await settle();
    await scenario.pass(0);
    const responses = await Promise.all(joining);
    assert.deepEqual(
      responses.map(({ errorCode, generationId }) => [nameOf(errorCode), generationId]),
      [
        ['NONE', 1],
        ['NONE', 1],
        ['NONE', 1],
      ],
    );
    const leaders = responses.filter(({ leader, memberId }) => leader === memberId);
    assert.equal(leaders.length, 1);
    assert.equal(leaders[0]?.members.length, 3);
    assert.deepEqual(leaders[0].members[0]?.metadata, Buffer.from(subscription('orders')));
    const followers = responses.filter(({ leader, memberId }) => leader !== memberId);
    assert.deepEqual(
      followers.map((response) => response.members),
      [[], []],
    );
    assert.equal(await scenario.stateOf(), 'CompletingRebalance');
  });

  it('waits for the initial rebalance delay, again for each arrival, up to the rebalance timeout', async () => {
    const scenario = await Scenario.start({ config: { initialRebalanceDelayMs: 3_000 } });
    const options = { rebalanceTimeoutMs: 7_000, joinVersion: 3 };
    const first = scenario.member('a', options).sendJoin();
    await settle();
    await scenario.pass(2_000);
    const second = scenario.member('b', options).sendJoin();
    await settle();
    await scenario.pass(2_000);
    const third = scenario.member('c', options).sendJoin();
    await settle();
    await scenario.pass(2_999);
    assert(await isPending(first));
    await scenario.pass(1);
    const responses = await Promise.all([first, second, third]);
    assert.equal(new Set(responses.map(({ leader }) => leader)).size, 1);
  });

  it('refuses an empty group id and a session timeout out of bounds', async () => {
    const scenario = await Scenario.start();
    const refusals = [
      await scenario.member('a', { groupId: '' }).sendJoin(),
      await scenario.member('a', { sessionTimeoutMs: 5_999 }).sendJoin(),
      await scenario.member('a', { sessionTimeoutMs: 1_800_001 }).sendJoin(),
    ];
    assert.deepEqual(
      refusals.map(({ errorCode }) => nameOf(errorCode)),
      ['INVALID_GROUP_ID', 'INVALID_SESSION_TIMEOUT', 'INVALID_SESSION_TIMEOUT'],
    );
    assert.equal(await scenario.stateOf(), 'Dead');
  });

  it('does not know a member id of a group that does not exist', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    member.memberId = 'a-from-elsewhere';
    assert.equal(nameOf((await member.sendJoin()).errorCode), 'UNKNOWN_MEMBER_ID');
    assert.equal(scenario.writer.batches.length, 0);
  });

  it('refuses members of another protocol type or without a common protocol', async () => {
    const scenario = await Scenario.start();
    await stabilise(scenario, scenario.member('a'));
    const other = await scenario.member('b', { protocolType: 'connect' }).sendJoin();
    const disjoint = await scenario
      .member('c', { protocols: [{ name: 'sticky', metadata: bytesOf('') }] })
      .sendJoin();
    const without = await scenario.member('d', { groupId: 'new', protocols: [] }).sendJoin();
    for (const { errorCode } of [other, disjoint, without]) {
      assert.equal(nameOf(errorCode), 'INCONSISTENT_GROUP_PROTOCOL');
    }
  });

  it('elects the common protocol that most members prefer', async () => {
    const scenario = await Scenario.start();
    const preferring = (...names: string[]) => ({
      protocols: names.map((name) => ({ name, metadata: subscription('orders') })),
    });
    const members = [
      scenario.member('a', preferring('range', 'roundrobin', 'sticky')),
      scenario.member('b', preferring('sticky', 'roundrobin')),
      scenario.member('c', preferring('roundrobin', 'range', 'sticky')),
      scenario.member('d', preferring('roundrobin', 'sticky')),
    ];
    await stabilise(scenario, ...members);
    assert.deepEqual(
      members.map(({ protocolName }) => protocolName),
      ['roundrobin', 'roundrobin', 'roundrobin', 'roundrobin'],
    );
  });

  it('keeps members out that would make the group larger than group.max.size', async () => {
    const scenario = await Scenario.start({ config: { maxGroupSize: 2 } });
    await stabilise(scenario, scenario.member('a'), scenario.member('b'));
    const { errorCode } = await scenario.member('c').sendJoin();
    assert.equal(nameOf(errorCode), 'GROUP_MAX_SIZE_REACHED');
    assert.equal(await scenario.stateOf(), 'Stable');
  });

  it('bounds the member ids given out and not used', async () => {
    const scenario = await Scenario.start({ config: { maxPendingJoins: 2 } });
    const codes: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      codes.push(nameOf((await scenario.member(name).sendJoin()).errorCode));
    }
    assert.deepEqual(codes, ['MEMBER_ID_REQUIRED', 'MEMBER_ID_REQUIRED', 'GROUP_MAX_SIZE_REACHED']);
    await scenario.pass(sessionTimeoutMs);
    assert.equal(nameOf((await scenario.member('d').sendJoin()).errorCode), 'MEMBER_ID_REQUIRED');
  });

  describe('again, by a member', () => {
    it('returns the current generation to a follower whose metadata is the same', async () => {
      const scenario = await Scenario.start();
      const [a, b] = [scenario.member('a'), scenario.member('b')];
      const leaderId = await stabilise(scenario, a, b);
      const follower = a.memberId === leaderId ? b : a;
      const response = await follower.sendJoin();
      assert.equal(response.generationId, 1);
      assert.equal(response.leader, leaderId);
      assert.deepEqual(response.members, []);
      assert.equal(await scenario.stateOf(), 'Stable');
    });

    it('returns the members once more to a leader that missed its answer', async () => {
      const scenario = await Scenario.start();
      const a = scenario.member('a');
      await joinAll(scenario, a);
      const response = await a.sendJoin();
      assert.equal(response.generationId, 1);
      assert.equal(response.members.length, 1);
    });

    it('rebalances when the leader rejoins a stable group', async () => {
      const scenario = await Scenario.start();
      const a = scenario.member('a');
      await stabilise(scenario, a);
      const response = await a.sendJoin();
      assert.equal(response.generationId, 2);
      assert.equal(await scenario.stateOf(), 'CompletingRebalance');
    });

    it('rebalances when a follower brings other metadata', async () => {
      const scenario = await Scenario.start();
      const [a, b] = [scenario.member('a'), scenario.member('b')];
      const leaderId = await stabilise(scenario, a, b);
      const [leader, follower] = a.memberId === leaderId ? [a, b] : [b, a];
      follower.options = {
        ...follower.options,
        protocols: [{ name: 'range', metadata: subscription('payments') }],
      };
      const rejoining = follower.sendJoin();
      assert(await isPending(rejoining));
      assert.equal(await scenario.stateOf(), 'PreparingRebalance');
      assert.equal(await leader.heartbeat(), 'REBALANCE_IN_PROGRESS');
      await leader.sendJoin();
      await rejoining;
      assert.equal(follower.generationId, 2);
    });

    it('answers a join that was given up when the member joins anew', async () => {
      const scenario = await Scenario.start();
      const [a, b] = [scenario.member('a'), scenario.member('b')];
      const leaderId = await stabilise(scenario, a, b);
      const leader = a.memberId === leaderId ? a : b;
      const first = leader.sendJoin();
      assert(await isPending(first));
      const second = leader.sendJoin();
      assert.equal(nameOf((await first).errorCode), 'REBALANCE_IN_PROGRESS');
      assert(await isPending(second));
    });

    it('makes a new generation that all members sync into', async () => {
      const scenario = await Scenario.start();
      const members = [scenario.member('a'), scenario.member('b')];
      await stabilise(scenario, ...members);
      const late = scenario.member('c');
      const joining = late.join();
      await settle();
      const rejoined = await Promise.all(members.map((member) => member.sendJoin()));
      await joining;
      const all = [...members, late];
      const responses = await syncAll(all, rejoined[0]?.leader ?? '');
      assert.deepEqual(
        responses.map(({ assignment }) => textOf(assignment)),
        all.map(({ memberId }) => `for ${memberId}`),
      );
      assert.equal(await scenario.stateOf(), 'Stable');
    });
  });

  describe('at the rebalance timeout', () => {
    it('drops dynamic members that did not rejoin, and gives the lead to one that did', async () => {
      const scenario = await Scenario.start();
      const [a, b] = [scenario.member('a'), scenario.member('b')];
      const leaderId = await stabilise(scenario, a, b);
      const [leader, follower] = a.memberId === leaderId ? [a, b] : [b, a];
      follower.options = {
        ...follower.options,
        protocols: [{ name: 'range', metadata: subscription('payments') }],
      };
      const rejoining = follower.sendJoin();
      await settle();
      for (let waitedMs = 0; waitedMs < rebalanceTimeoutMs; waitedMs += 5_000) {
        assert.equal(await leader.heartbeat(), 'REBALANCE_IN_PROGRESS');
        await scenario.pass(5_000);
      }
      const response = await rejoining;
      assert.equal(response.leader, follower.memberId);
      assert.deepEqual(await scenario.memberIdsOf(), [follower.memberId]);
      assert.equal(await leader.heartbeat(), 'UNKNOWN_MEMBER_ID');
    });

    it('drops members that never sync', async () => {
      const scenario = await Scenario.start();
      const [a, b] = [scenario.member('a'), scenario.member('b')];
      const leader = await joinAll(scenario, a, b);
      const [leading, following] = a.memberId === leader ? [a, b] : [b, a];
      await leading.sync([]);
      for (let waitedMs = 0; waitedMs < rebalanceTimeoutMs; waitedMs += 5_000) {
        await Promise.all([leading.heartbeat(), following.heartbeat()]);
        await scenario.pass(5_000);
      }
      assert.deepEqual(await scenario.memberIdsOf(), [leading.memberId]);
      assert.equal(await leading.heartbeat(), 'REBALANCE_IN_PROGRESS');
    });
  });
});
