import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isPending,
  nameOf,
  rebalanceTimeoutMs,
  Scenario,
  type ScriptedMember,
  settle,
  stabilise,
  subscription,
  textOf,
} from './support/scenario.ts';

/** A process with the same instance id, started anew: it knows no member id. */
function restarted(scenario: Scenario, member: ScriptedMember, joinVersion = 9): ScriptedMember {
  return scenario.member(member.options.clientId, { ...member.options, joinVersion });
}

describe('a static member (KIP-345)', () => {
  it('joins without asking for an id first, and has its instance id in it', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('app', { groupInstanceId: 'one' });
    await stabilise(scenario, member);
    assert.match(member.memberId, /^one-/);
    const { groups } = await scenario.call('describeGroups', 6, { groups: ['group'] });
    assert.equal(groups[0]?.members[0]?.groupInstanceId, 'one');
  });

  it('takes its place again under a new id without a rebalance, and fences the old id', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [
      scenario.member('a', { groupInstanceId: 'one' }),
      scenario.member('b', { groupInstanceId: 'two' }),
    ];
    const leaderId = await stabilise(scenario, a, b);
    const follower = a.memberId === leaderId ? b : a;
    const again = restarted(scenario, follower);
    const response = await again.sendJoin();
    assert.equal(response.generationId, 1);
    assert.equal(response.leader, leaderId);
    assert.equal(response.skipAssignment, false);
    assert.notEqual(again.memberId, follower.memberId);
    assert.equal(await scenario.stateOf(), 'Stable');
    const { assignment } = await again.sync();
    assert.equal(textOf(assignment), `for ${follower.memberId}`);
    assert.equal(await follower.heartbeat(), 'FENCED_INSTANCE_ID');
    assert.equal(nameOf((await follower.sync()).errorCode), 'FENCED_INSTANCE_ID');
    assert.equal(nameOf((await follower.sendJoin()).errorCode), 'FENCED_INSTANCE_ID');
    assert.equal(await follower.commit('orders', 0, 1n), 'FENCED_INSTANCE_ID');
    assert.equal(await follower.leave(), 'FENCED_INSTANCE_ID');
    assert.equal(await again.heartbeat(), 'NONE');
  });

  it('that leads is told so and to skip the assignment, from version 9 on', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a', { groupInstanceId: 'one' });
    await stabilise(scenario, member);
    const again = restarted(scenario, member);
    const response = await again.sendJoin();
    assert.equal(response.skipAssignment, true);
    assert.equal(response.leader, again.memberId);
    assert.deepEqual(
      response.members.map(({ memberId }) => memberId),
      [again.memberId],
    );
  });

  it('that leads is told the old leader id below version 9, so that it does not assign', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a', { groupInstanceId: 'one' });
    await stabilise(scenario, member);
    const response = await restarted(scenario, member, 8).sendJoin();
    assert.equal(response.leader, member.memberId);
    assert.deepEqual(response.members, []);
  });

  it('rebalances when it comes back with protocols that change the election', async () => {
    const scenario = await Scenario.start();
    const metadata = subscription('orders');
    const both = [
      { name: 'range', metadata },
      { name: 'sticky', metadata },
    ];
    const member = scenario.member('a', { groupInstanceId: 'one', protocols: both });
    await stabilise(scenario, member);
    const again = restarted(scenario, member);
    again.options = { ...again.options, protocols: [{ name: 'sticky', metadata }] };
    const response = await again.sendJoin();
    assert.equal(response.generationId, 2);
    assert.equal(response.protocolName, 'sticky');
  });

  it('is kept at the rebalance timeout though it did not rejoin', async () => {
    const scenario = await Scenario.start();
    const options = { sessionTimeoutMs: 300_000 };
    const [a, b] = [
      scenario.member('a', { ...options, groupInstanceId: 'one' }),
      scenario.member('b', options),
    ];
    await stabilise(scenario, a, b);
    const joining = scenario.member('c', { ...options, joinVersion: 3 }).sendJoin();
    const rejoining = b.sendJoin();
    await settle();
    await scenario.pass(rebalanceTimeoutMs);
    assert.equal((await rejoining).generationId, 2);
    await joining;
    assert((await scenario.memberIdsOf()).includes(a.memberId));
  });

  it('fences a process of the same instance id that waits to join', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a', { groupInstanceId: 'one' }), scenario.member('b')];
    await stabilise(scenario, a, b);
    a.options = {
      ...a.options,
      protocols: [{ name: 'range', metadata: subscription('payments') }],
    };
    const waiting = a.sendJoin();
    assert(await isPending(waiting));
    const again = restarted(scenario, a);
    const joining = again.sendJoin();
    assert.equal(nameOf((await waiting).errorCode), 'FENCED_INSTANCE_ID');
    await b.sendJoin();
    assert.equal((await joining).generationId, 2);
  });

  it('may be removed by its instance id alone', async () => {
    const scenario = await Scenario.start();
    await stabilise(scenario, scenario.member('a', { groupInstanceId: 'one' }));
    const { members } = await scenario.call('leaveGroup', 3, {
      groupId: 'group',
      members: [{ groupInstanceId: 'one' }, { groupInstanceId: 'other' }],
    });
    assert.deepEqual(
      members.map(({ errorCode }) => nameOf(errorCode)),
      ['NONE', 'UNKNOWN_MEMBER_ID'],
    );
    assert.equal(await scenario.stateOf(), 'Empty');
  });

  it('gives its place back to the old id when the new one cannot be written', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a', { groupInstanceId: 'one' });
    await stabilise(scenario, member);
    scenario.writer.failNext(56); // KAFKA_STORAGE_ERROR
    const { errorCode } = await restarted(scenario, member).sendJoin();
    assert.equal(nameOf(errorCode), 'NOT_COORDINATOR');
    assert.equal(await member.heartbeat(), 'NONE');
    assert.deepEqual(await scenario.memberIdsOf(), [member.memberId]);
  });
});
