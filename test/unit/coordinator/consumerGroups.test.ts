import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type ConsumerGroupConfig,
  defaultGroupConfig,
} from '../../../src/coordinator/group/groupConfig.ts';
import { beatAll, describeConsumers, ScriptedConsumer } from './support/consumers.ts';
import { nameOf, Scenario } from './support/scenario.ts';

const { sessionTimeoutMs, assignmentIntervalMs, regexRefreshIntervalMs } =
  defaultGroupConfig.consumer;
const minRegexRefreshMs = 10_000;

function start(changes: Partial<ConsumerGroupConfig> = {}): Promise<Scenario> {
  const consumer = { ...defaultGroupConfig.consumer, assignmentIntervalMs: 0, ...changes };
  return Scenario.start({ config: { consumer } });
}

const sizes = (...members: readonly ScriptedConsumer[]): number[] =>
  members.map(({ owned }) => owned.size);

describe('a consumer group', () => {
  it('[A7] loses a member whose session ends, and gives its partitions to the others', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a' });
    const b = new ScriptedConsumer(scenario, { memberId: 'b' });
    await beatAll([a, b]);
    assert.deepEqual(sizes(a, b).sort(), [1, 2]);
    await scenario.pass(sessionTimeoutMs / 2);
    await a.beat();
    await scenario.pass(sessionTimeoutMs / 2);
    await beatAll([a]);
    assert.equal(a.owned.size, 3);
    assert.equal(await b.briefBeat(), 'UNKNOWN_MEMBER_ID');
    assert.equal((await describeConsumers(scenario)).groupState, 'Stable');
  });

  it('[A7] goes by settings of its own, also by ones that change while it has members', async () => {
    const own = new Map([['group', { sessionTimeoutMs: 100_000, heartbeatIntervalMs: 7_000 }]]);
    const consumer = { ...defaultGroupConfig.consumer, assignmentIntervalMs: 0 };
    const scenario = await Scenario.start({
      config: { consumer, overridesOf: (groupId) => own.get(groupId) ?? {} },
    });
    const a = new ScriptedConsumer(scenario, { memberId: 'a' });
    const other = new ScriptedConsumer(scenario, { memberId: 'a', groupId: 'other' });
    await beatAll([a, other]);
    const { heartbeatIntervalMs } = await a.send({ memberEpoch: a.memberEpoch });
    assert.equal(heartbeatIntervalMs, 7_000);
    await scenario.pass(sessionTimeoutMs);
    assert.equal(await other.briefBeat(), 'UNKNOWN_MEMBER_ID');
    assert.equal(await a.briefBeat(), 'NONE');
    own.set('group', { sessionTimeoutMs: 1_000, heartbeatIntervalMs: 500 });
    assert.equal(await a.briefBeat(), 'NONE');
    await scenario.pass(1_000);
    assert.equal(await a.briefBeat(), 'UNKNOWN_MEMBER_ID');
  });

  it('[A7] throws out who does not give up its partitions within its rebalance timeout', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a', rebalanceTimeoutMs: 10_000 });
    const b = new ScriptedConsumer(scenario, { memberId: 'b' });
    await a.beat();
    await b.beat();
    assert.equal(await a.briefBeat(), 'NONE');
    assert.equal((await describeConsumers(scenario)).groupState, 'Reconciling');
    await scenario.pass(9_000);
    assert.equal(await a.briefBeat(), 'NONE');
    await scenario.pass(1_000);
    assert.equal(await a.briefBeat(), 'UNKNOWN_MEMBER_ID');
    await b.beat();
    assert.equal(b.owned.size, 3);
  });

  it('[A7] does not throw out who gave them up in time', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a', rebalanceTimeoutMs: 10_000 });
    const b = new ScriptedConsumer(scenario, { memberId: 'b' });
    await beatAll([a, b]);
    await scenario.pass(10_000);
    assert.equal(await a.briefBeat(), 'NONE');
  });

  it('[A7] assigns together what happens within the interval', async () => {
    const scenario = await start({ assignmentIntervalMs });
    const members = ['a', 'b', 'c'].map((memberId) => new ScriptedConsumer(scenario, { memberId }));
    await beatAll(members, 3);
    assert.deepEqual(sizes(...members), [3, 0, 0]);
    assert.equal((await describeConsumers(scenario)).groupState, 'Assigning');
    await scenario.pass(assignmentIntervalMs);
    await beatAll(members);
    assert.deepEqual(sizes(...members), [1, 1, 1]);
    const { groupEpoch, assignmentEpoch } = await describeConsumers(scenario);
    assert.equal(groupEpoch, assignmentEpoch);
  });

  it('[A7] takes up partitions that a topic gets, topics that are made, and drops those that go', async () => {
    const scenario = await start();
    const topics = ['orders', 'returns'];
    const a = new ScriptedConsumer(scenario, { memberId: 'a', topics });
    await a.beat();
    assert.equal(a.owned.size, 3);
    scenario.topics.partitionCounts.set('orders', 5);
    await a.beat();
    assert.equal(a.owned.size, 3, 'nobody has told of it');
    await scenario.coordinator.onTopicsChanged(['orders'], false);
    await a.beat();
    assert.equal(a.owned.size, 5);
    scenario.topics.add('returns', 2);
    await scenario.coordinator.onTopicsChanged(['returns'], true);
    await a.beat();
    assert.equal(a.owned.size, 7);
    scenario.topics.ids.delete('orders');
    await scenario.coordinator.onTopicsChanged(['orders'], false);
    await beatAll([a], 2);
    assert.equal(a.owned.size, 2);
  });

  it('[A7] leaves alone a group that does not read what has changed', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a' });
    await a.beat();
    const { groupEpoch } = await describeConsumers(scenario);
    scenario.topics.partitionCounts.set('payments', 9);
    await scenario.coordinator.onTopicsChanged(['payments'], false);
    await a.beat();
    assert.equal((await describeConsumers(scenario)).groupEpoch, groupEpoch);
  });

  it('[A7] refuses members above its size, but not who is back', async () => {
    const scenario = await start({ maxGroupSize: 1 });
    const a = new ScriptedConsumer(scenario, { memberId: 'a', instanceId: 'one' });
    const b = new ScriptedConsumer(scenario, { memberId: 'b' });
    assert.equal(await a.beat(), 'NONE');
    assert.equal(await b.beat(), 'GROUP_MAX_SIZE_REACHED');
    await a.leave(-2);
    a.memberId = 'again';
    assert.equal(await a.beat(), 'NONE');
    assert.equal(a.owned.size, 3);
    const { members } = await describeConsumers(scenario);
    assert.deepEqual(
      members.map(({ memberId }) => memberId),
      ['again'],
    );
  });

  it('[A7] keeps a static member that is away until its session ends', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a', instanceId: 'one' });
    const b = new ScriptedConsumer(scenario, { memberId: 'b' });
    await beatAll([a, b]);
    const had = new Set(a.owned);
    await a.leave(-2);
    await b.beat();
    assert.equal(b.owned.size + had.size, 3);
    await scenario.pass(sessionTimeoutMs - 1);
    await b.beat();
    assert.equal(b.owned.size + had.size, 3);
    await scenario.pass(1);
    await b.beat();
    assert.equal(b.owned.size, 3);
  });

  it('[A7] answers a member whose last answer was lost as it did before', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a' });
    const b = new ScriptedConsumer(scenario, { memberId: 'b' });
    await a.beat();
    const epoch = a.memberEpoch;
    await b.beat();
    const { topicPartitions } = (await a.send({ memberEpoch: epoch })).assignment ?? {};
    assert.ok(topicPartitions);
    const done = { memberEpoch: epoch, topicPartitions };
    assert.equal((await a.send(done)).memberEpoch, epoch + 1);
    assert.equal((await a.send(done)).memberEpoch, epoch + 1);
    const more = [{ topicId: scenario.topics.topicId('orders') ?? '', partitions: [0, 1, 2] }];
    const { errorCode } = await a.send({ memberEpoch: epoch, topicPartitions: more });
    assert.equal(nameOf(errorCode), 'FENCED_MEMBER_EPOCH');
  });

  it('[A7] goes on after a restart: members keep what they have, and sessions start anew', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a' });
    await a.beat();
    const next = await scenario.restart();
    const same = new ScriptedConsumer(next, { memberId: 'a' });
    same.memberEpoch = a.memberEpoch;
    assert.equal(await same.briefBeat(), 'NONE');
    await next.pass(sessionTimeoutMs);
    assert.equal(await same.briefBeat(), 'UNKNOWN_MEMBER_ID');
    assert.equal((await describeConsumers(next)).groupState, 'Empty');
  });

  it('[A7] keeps its members and answers with an error when the log refuses', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a' });
    const b = new ScriptedConsumer(scenario, { memberId: 'b' });
    await a.beat();
    scenario.writer.failNext(19);
    assert.equal(await b.beat(), 'COORDINATOR_NOT_AVAILABLE');
    const { members } = await describeConsumers(scenario);
    assert.equal(members.length, 1);
    scenario.writer.failNext(19);
    assert.equal(await a.leave(), 'COORDINATOR_NOT_AVAILABLE');
    assert.equal((await describeConsumers(scenario)).members.length, 1);
    await scenario.pass(sessionTimeoutMs);
    assert.equal((await describeConsumers(scenario)).members.length, 0);
  });

  it('[A7] tells who is fenced, or leaves, just that, also where more topics are named than a record takes', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a' });
    await beatAll([a]);
    const subscribedTopicNames = Array.from({ length: 100_000 }, (_, n) => `topic-${n}`);
    const errorOf = async (memberEpoch: number): Promise<string> => {
      const { errorCode } = await a.send({ memberEpoch, subscribedTopicNames });
      return nameOf(errorCode);
    };
    assert.equal(await errorOf(a.memberEpoch + 1), 'FENCED_MEMBER_EPOCH');
    assert.equal(await errorOf(a.memberEpoch), 'UNKNOWN_SERVER_ERROR');
    assert.equal(await errorOf(-1), 'NONE');
    assert.equal((await describeConsumers(scenario)).groupState, 'Empty');
  });

  it('[A7] is deleted with its last offset, once it is empty', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a', regex: 'pay.*' });
    await a.beat();
    await a.commit('orders', 0, 5n);
    await a.leave();
    await scenario.coordinator.cleanExpired();
    assert.equal((await describeConsumers(scenario)).groupState, 'Empty');
    await scenario.pass(scenario.config.offsetsRetentionMs);
    await scenario.coordinator.cleanExpired();
    const { errorCode } = await describeConsumers(scenario);
    assert.equal(nameOf(errorCode), 'GROUP_ID_NOT_FOUND');
    assert.equal(
      nameOf((await describeConsumers(await scenario.restart())).errorCode),
      'GROUP_ID_NOT_FOUND',
    );
  });

  it('[A7] is listed by type and state', async () => {
    const scenario = await start();
    await new ScriptedConsumer(scenario, { memberId: 'a' }).beat();
    await scenario.call('offsetCommit', 8, {
      groupId: 'simple',
      topics: [{ name: 'orders', partitions: [{ partitionIndex: 0, committedOffset: 1n }] }],
    });
    const list = async (filter: object) => {
      const { groups } = await scenario.call('listGroups', 5, filter);
      return groups.map(({ groupId, groupType, groupState, protocolType }) =>
        [groupId, groupType, groupState, protocolType].join(),
      );
    };
    assert.deepEqual(await list({ typesFilter: ['Consumer'] }), ['group,consumer,Stable,consumer']);
    assert.deepEqual(await list({ statesFilter: ['stable'] }), ['group,consumer,Stable,consumer']);
    assert.deepEqual(await list({ typesFilter: ['classic'] }), ['simple,classic,Empty,']);
  });
});

describe('regular expressions of consumer groups', () => {
  const regex = '(orders|returns).*';

  const matched = async (scenario: Scenario): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await scenario.pass(1);
  };

  it('[A7] are matched beside the requests, and the topics come with the next heartbeat', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a', topics: null, regex });
    await a.beat();
    assert.equal(a.owned.size, 0);
    await matched(scenario);
    await a.beat();
    assert.equal(a.owned.size, 3);
  });

  it('[A7] are matched anew when there are new topics, at most every 10 s', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a', topics: null, regex });
    await a.beat();
    await matched(scenario);
    await a.beat();
    scenario.topics.add('returns', 2);
    await scenario.coordinator.onTopicsChanged(['returns'], true);
    await a.beat();
    await matched(scenario);
    await a.beat();
    assert.equal(a.owned.size, 3);
    await scenario.pass(minRegexRefreshMs + 1);
    await a.beat();
    await matched(scenario);
    await a.beat();
    assert.equal(a.owned.size, 5);
  });

  it('[A7] are matched anew after the refresh interval even if nobody told of a topic', async () => {
    const scenario = await start({ sessionTimeoutMs: 2 * regexRefreshIntervalMs });
    const a = new ScriptedConsumer(scenario, { memberId: 'a', topics: null, regex });
    await a.beat();
    await matched(scenario);
    scenario.topics.add('returns', 2);
    await scenario.pass(regexRefreshIntervalMs + 1);
    await a.beat();
    await matched(scenario);
    await a.beat();
    assert.equal(a.owned.size, 5);
  });

  it('[A7] match thousands of topics in steps, between which others are served', async () => {
    const scenario = await start();
    for (let index = 0; index < 5_000; index++) {
      scenario.topics.ids.set(
        `returns-${index}`,
        Buffer.from(`${index}`.padEnd(16)).toString('base64url'),
      );
      scenario.topics.partitionCounts.set(`returns-${index}`, 1);
    }
    const a = new ScriptedConsumer(scenario, { memberId: 'a', topics: null, regex });
    await a.beat();
    await scenario.pass(1);
    assert.equal(await a.briefBeat(), 'NONE');
    assert.equal(a.owned.size, 0, 'one step is not all');
    await matched(scenario);
    await a.beat();
    assert.equal(a.owned.size, 5_003);
  });

  it('[A7] are forgotten with the last member that has them', async () => {
    const scenario = await start();
    const a = new ScriptedConsumer(scenario, { memberId: 'a', topics: null, regex });
    const b = new ScriptedConsumer(scenario, { memberId: 'b', topics: ['payments'] });
    await a.beat();
    await matched(scenario);
    await beatAll([a, b]);
    await a.leave();
    await beatAll([b]);
    const deleted = await scenario.call('offsetDelete', 0, {
      groupId: 'group',
      topics: ['orders', 'payments'].map((name) => ({ name, partitions: [{ partitionIndex: 0 }] })),
    });
    assert.deepEqual(
      deleted.topics.map(({ partitions }) => nameOf(partitions[0]?.errorCode ?? 0)),
      ['NONE', 'GROUP_SUBSCRIBED_TO_TOPIC'],
    );
  });
});
