import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import type { CoordinatorRecord } from '../../../src/coordinator/ports.ts';
import {
  decodeMessage,
  decodeVersioned,
  encodeVersioned,
} from '../../../src/protocol/messageCodec.ts';
import {
  groupMetadataKey,
  groupMetadataValue,
  offsetCommitKey,
  offsetCommitValue,
} from '../../../src/protocol/records/offsetRecords.ts';
import {
  isPending,
  nameOf,
  Scenario,
  sessionTimeoutMs,
  settle,
  stabilise,
  streamOf,
  subscription,
} from './support/scenario.ts';

const oneShard = { config: { offsetsTopicPartitions: 1 } };

describe('while a partition is not loaded', () => {
  it('requests for its groups are answered NOT_COORDINATOR', async () => {
    const scenario = new Scenario(oneShard);
    const member = scenario.member('a');
    assert.equal(nameOf((await member.sendJoin()).errorCode), 'NOT_COORDINATOR');
    assert.equal(await member.heartbeat(), 'NOT_COORDINATOR');
    assert.equal(await member.commit('orders', 0, 1n), 'NOT_COORDINATOR');
    const described = await scenario.call('describeGroups', 6, { groups: ['group'] });
    assert.equal(nameOf(described.groups[0]?.errorCode ?? 0), 'NOT_COORDINATOR');
    assert.deepEqual((await scenario.call('listGroups', 5, {})).groups, []);
    const topics = [{ name: 'orders', partitionIndexes: [0] }];
    const fetched = await scenario.call('offsetFetch', 1, { groupId: 'group', topics });
    const code = fetched.topics[0]?.partitions[0]?.errorCode ?? 0;
    assert.equal(nameOf(code), 'NOT_COORDINATOR');
  });

  it('and is being read, they are answered COORDINATOR_LOAD_IN_PROGRESS, heartbeats NONE', async () => {
    const scenario = new Scenario(oneShard);
    const gate = deferred<undefined>();
    const loading = scenario.coordinator.load(0, 1, gatedBy(gate.promise));
    const member = scenario.member('a');
    assert.equal(nameOf((await member.sendJoin()).errorCode), 'COORDINATOR_LOAD_IN_PROGRESS');
    assert.equal(await member.heartbeat(), 'NONE');
    const listed = await scenario.call('listGroups', 5, {});
    assert.equal(nameOf(listed.errorCode), 'COORDINATOR_LOAD_IN_PROGRESS');
    const fetched = await scenario.call('offsetFetch', 7, { groupId: 'group', topics: null });
    assert.equal(nameOf(fetched.errorCode), 'COORDINATOR_LOAD_IN_PROGRESS');
    gate.resolve(undefined);
    await loading;
    assert.equal(await member.heartbeat(), 'UNKNOWN_MEMBER_ID');
  });
});

describe('loading', () => {
  it('brings a stable group back: members, assignments, generation; sessions start anew', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [
      scenario.member('a'),
      scenario.member('b', { groupInstanceId: 'two', clientId: 'bb' }),
    ];
    await stabilise(scenario, a, b);
    const live = await scenario.call('describeGroups', 6, { groups: ['group'] });
    const again = await scenario.restart();
    assert.deepEqual(await again.call('describeGroups', 6, { groups: ['group'] }), live);
    await again.pass(sessionTimeoutMs - 1);
    assert.equal(await again.stateOf(), 'Stable');
    await again.pass(1);
    assert.equal(await again.stateOf(), 'Empty');
  });

  it('brings an empty group back with its generation, which the next one follows', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('a');
    await stabilise(scenario, member);
    await member.leave();
    const again = await scenario.restart();
    assert.equal(await again.stateOf(), 'Empty');
    const next = again.member('b');
    await stabilise(again, next);
    assert.equal(next.generationId, 3);
  });

  it('lets the members of an overfull group rebalance, and keeps the last out', async () => {
    const scenario = await Scenario.start();
    await stabilise(scenario, scenario.member('a'), scenario.member('b'), scenario.member('c'));
    const again = await scenario.restart({ config: { ...scenario.config, maxGroupSize: 2 } });
    assert.equal(await again.stateOf(), 'PreparingRebalance');
  });

  it('skips record types of other releases, and reads the one of old offsets', async () => {
    const scenario = new Scenario(oneShard);
    const key = (type: number): Uint8Array =>
      Buffer.concat([Buffer.from([0, type]), keyOf('group', 'orders', 1)]);
    const value = encodeVersioned(offsetCommitValue, 0, { offset: 9n, metadata: 'old' });
    await scenario.coordinator.load(
      0,
      1,
      streamOf([
        { key: key(99), value: Buffer.from([0, 0, 1, 2, 3]) },
        { key: key(0), value },
      ]),
    );
    const { topics } = await scenario.call('offsetFetch', 7, { groupId: 'group', topics: null });
    assert.equal(topics[0]?.partitions[0]?.committedOffset, 9n);
  });

  it('fails on a record that cannot be read, and may be tried again', async () => {
    const scenario = new Scenario(oneShard);
    const damaged = { key: Buffer.from([0, 2, 0, 9, 1]), value: null };
    await assert.rejects(scenario.coordinator.load(0, 1, streamOf([damaged])), /GroupMetadataKey/);
    assert.equal(await scenario.member('a').heartbeat(), 'NOT_COORDINATOR');
    await scenario.coordinator.load(0, 1, streamOf([]));
    assert.equal(await scenario.member('a').heartbeat(), 'UNKNOWN_MEMBER_ID');
  });

  it('ignores an older leader epoch', async () => {
    const scenario = await Scenario.start(oneShard);
    const member = scenario.member('a');
    await stabilise(scenario, member);
    await scenario.coordinator.load(0, 0, streamOf([]));
    assert.equal(await member.heartbeat(), 'NONE');
  });
});

describe('unloading', () => {
  it('answers whoever is parked NOT_COORDINATOR, and leaves no timer', async () => {
    const scenario = await Scenario.start(oneShard);
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    await stabilise(scenario, a, b);
    const c = scenario.member('c');
    const late = c.join();
    await settle();
    scenario.coordinator.unload(0);
    const { errorCode, memberId } = await late;
    assert.deepEqual([nameOf(errorCode), memberId], ['NOT_COORDINATOR', c.memberId]);
    assert.equal(await a.heartbeat(), 'NOT_COORDINATOR');
    assert.equal(scenario.clock.pendingTimers, 0);
  });

  it('answers what waits for the log NOT_COORDINATOR', async () => {
    const scenario = await Scenario.start(oneShard);
    scenario.writer.hold();
    const member = scenario.member('a');
    member.generationId = -1;
    const committing = member.commit('orders', 0, 1n);
    assert(await isPending(committing));
    scenario.coordinator.dispose();
    assert.equal(await committing, 'NOT_COORDINATOR');
    scenario.writer.release();
    await settle();
    assert.equal(scenario.clock.pendingTimers, 0);
  });
});

describe('records', () => {
  it('are written in the versions that Kafka 4.4 writes', async () => {
    const scenario = await Scenario.start(oneShard);
    const member = scenario.member('a', { groupInstanceId: 'one' });
    await stabilise(scenario, member);
    await member.commit('orders', 2, 42n);
    const [created, stable, offset] = scenario.writer.logs.get(0) ?? [];
    assert(created && stable && offset);
    assert.deepEqual(keyTypeOf(created), 2);
    const empty = decodeVersioned(groupMetadataValue, valueOf(created));
    assert.equal(empty.version, 3);
    assert.deepEqual(empty.message, {
      protocolType: '',
      generation: 0,
      protocol: null,
      leader: null,
      currentStateTimestamp: BigInt(scenario.clock.nowMs()),
      members: [],
    });
    assert.equal(decodeMessage(groupMetadataKey, 0, stable.key.subarray(2)).group, 'group');
    const { message } = decodeVersioned(groupMetadataValue, valueOf(stable));
    assert.deepEqual(
      [message.protocolType, message.generation, message.protocol, message.leader],
      ['consumer', 1, 'range', member.memberId],
    );
    assert.deepEqual(message.members[0], {
      memberId: member.memberId,
      groupInstanceId: 'one',
      clientId: 'a',
      clientHost: '/127.0.0.1',
      rebalanceTimeout: 60_000,
      sessionTimeout: 10_000,
      subscription: Buffer.from(subscription('orders')),
      assignment: Buffer.from(`for ${member.memberId}`),
    });
    assert.equal(keyTypeOf(offset), 1);
    assert.deepEqual(decodeMessage(offsetCommitKey, 0, offset.key.subarray(2)), {
      group: 'group',
      topic: 'orders',
      partition: 2,
    });
    const committed = decodeVersioned(offsetCommitValue, valueOf(offset));
    assert.equal(committed.version, 4);
    assert.equal(committed.message.topicId, scenario.topics.topicId('orders'));
  });
});

function keyTypeOf({ key }: CoordinatorRecord): number {
  return Buffer.from(key).readInt16BE(0);
}

function valueOf({ value }: CoordinatorRecord): Uint8Array {
  assert(value);
  return value;
}

function keyOf(group: string, topic: string, partition: number): Uint8Array {
  const text = (value: string): Buffer => {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([0, bytes.length]), bytes]);
  };
  const number = Buffer.alloc(4);
  number.writeInt32BE(partition);
  return Buffer.concat([text(group), text(topic), number]);
}

async function* gatedBy(gate: Promise<unknown>): AsyncGenerator<CoordinatorRecord> {
  await gate;
  yield* [];
}
