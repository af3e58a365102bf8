import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { nameOf, Scenario, stabilise, subscription, textOf } from './support/scenario.ts';

describe('DescribeGroups', () => {
  it('shows members, metadata and assignments of a stable group', async () => {
    const scenario = await Scenario.start();
    const member = scenario.member('app');
    await stabilise(scenario, member);
    const { groups } = await scenario.call('describeGroups', 5, { groups: ['group'] });
    const [group] = groups;
    assert(group);
    assert.deepEqual(
      [group.groupState, group.protocolType, group.protocolData],
      ['Stable', 'consumer', 'range'],
    );
    const [described] = group.members;
    assert(described);
    assert.deepEqual(
      [described.memberId, described.clientId, described.clientHost],
      [member.memberId, 'app', '/127.0.0.1'],
    );
    assert.deepEqual(described.memberMetadata, Buffer.from(subscription('orders')));
    assert.equal(textOf(described.memberAssignment), `for ${member.memberId}`);
  });

  it('hides protocol and metadata while the group rebalances', async () => {
    const scenario = await Scenario.start();
    const [a, b] = [scenario.member('a'), scenario.member('b')];
    await stabilise(scenario, a, b);
    await b.leave();
    const { groups } = await scenario.call('describeGroups', 5, { groups: ['group'] });
    assert.equal(groups[0]?.groupState, 'PreparingRebalance');
    assert.equal(groups[0].protocolData, '');
    assert.equal(groups[0].members[0]?.memberMetadata.length, 0);
  });

  it('calls an unknown group Dead, and from version 6 on not found, and leaves no trace', async () => {
    const scenario = await Scenario.start();
    const before = await scenario.call('describeGroups', 5, { groups: ['nothing'] });
    assert.deepEqual(
      before.groups.map(({ groupState, errorCode }) => [groupState, nameOf(errorCode)]),
      [['Dead', 'NONE']],
    );
    const after = await scenario.call('describeGroups', 6, { groups: ['nothing'] });
    assert.deepEqual(
      after.groups.map(({ groupState, errorCode, errorMessage }) => [
        groupState,
        nameOf(errorCode),
        errorMessage,
      ]),
      [['Dead', 'GROUP_ID_NOT_FOUND', 'Group nothing not found.']],
    );
    assert.deepEqual((await scenario.call('listGroups', 5, {})).groups, []);
    assert.equal(scenario.writer.batches.length, 0);
  });

  it('tells what may be done with a group where it is asked', async () => {
    const scenario = await Scenario.start();
    await stabilise(scenario, scenario.member('a'));
    const ask = async (includeAuthorizedOperations: boolean): Promise<number | undefined> => {
      const request = { groups: ['group'], includeAuthorizedOperations };
      const { groups } = await scenario.call('describeGroups', 3, request);
      return groups[0]?.authorizedOperations;
    };
    assert.equal(await ask(true), 0b1101_0100_1000);
    assert.equal(await ask(false), -(2 ** 31));
  });
});

describe('ListGroups', () => {
  it('lists groups of all partitions, by state and type without regard to case', async () => {
    const scenario = await Scenario.start();
    await stabilise(scenario, scenario.member('a', { groupId: 'live' }));
    const gone = scenario.member('b', { groupId: 'idle' });
    await stabilise(scenario, gone);
    await gone.leave();
    const list = async (statesFilter: string[], typesFilter: string[] = []): Promise<string[]> => {
      const { groups } = await scenario.call('listGroups', 5, { statesFilter, typesFilter });
      return groups.map(({ groupId }) => groupId).sort();
    };
    assert.deepEqual(await list([]), ['idle', 'live']);
    assert.deepEqual(await list(['stable']), ['live']);
    assert.deepEqual(await list(['Empty', ' STABLE ']), ['idle', 'live']);
    assert.deepEqual(await list(['Resting']), []);
    assert.deepEqual(await list([], ['Classic']), ['idle', 'live']);
    assert.deepEqual(await list([], ['consumer']), []);
    const old = await scenario.call('listGroups', 0, {});
    assert.deepEqual(old.groups.map(({ protocolType }) => protocolType).sort(), [
      'consumer',
      'consumer',
    ]);
  });
});

describe('partitionFor', () => {
  it('places groups as Kafka does, by Java’s hash', async () => {
    const scenario = await Scenario.start({ config: { offsetsTopicPartitions: 50 } });
    // Computed with Java: Utils.abs("...".hashCode()) % 50. The last hashes to Integer.MIN_VALUE.
    const places = ['', 'a', 'my-group', 'console-consumer-1', 'groupe été', 'polygenelubricants'];
    assert.deepEqual(
      places.map((groupId) => scenario.coordinator.partitionFor(groupId)),
      [0, 47, 12, 24, 20, 0],
    );
  });
});
