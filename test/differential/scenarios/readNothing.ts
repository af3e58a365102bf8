// Members of consumer groups that read nothing, or nothing else than before, while who gets what is not settled.
import {
  beat,
  type Beat,
  catchUp,
  described,
  joining,
  knownTopic,
  memberOf,
} from '../support/consumerRequests.ts';
import { assigned, joinAlone, joinOf, type Member, syncOf } from '../support/groupRequests.ts';
import { groupLog } from '../support/groupLog.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';

const noteLog = (run: Run, groupId: string, label = '') =>
  run.note('consumerGroupHeartbeat', 1, groupLog(run, groupId), `the log ${label}`);

/** Members that have joined one after the other, and come on to where they cannot move any more. */
async function settled(run: Run, groupId: string, beats: readonly Beat[]): Promise<void> {
  for (const each of beats) await beat(run, { ...each, groupId });
  for (let round = 0; round < 2; round++)
    for (const { memberId } of beats) await catchUp(run, groupId, memberId ?? '');
}

/** Both orders in which a HashMap has who reads and who does not. */
const newcomers = ['plum', 'fig', 'kiwi', 'pear'];

async function joinsAfterOthersLeft(run: Run, topic: Topic, more: Beat): Promise<void> {
  for (const name of newcomers) {
    const groupId = run.fresh('group');
    const [stays, leaves] = [memberOf(run), memberOf(run)];
    const reading = { ...joining(groupId, '', topic.name), ...more };
    await settled(
      run,
      groupId,
      [stays, leaves].map((memberId) => ({ ...reading, memberId })),
    );
    await beat(run, { groupId, memberId: leaves, memberEpoch: -1 }, 'leaves');
    await beat(run, joining(groupId, name), `${name} reads nothing`);
    await described(run, groupId);
    for (const memberId of [stays, name, stays]) await catchUp(run, groupId, memberId);
    await described(run, groupId, 'at last');
    noteLog(run, groupId, name);
  }
}

export const readNothingScenarios: Scenarios = {
  async 'a member that reads nothing joins after another has left'(run) {
    const topic = await knownTopic(run, { partitions: 3 });
    for (const serverAssignor of ['uniform', 'range'])
      await joinsAfterOthersLeft(run, topic, { serverAssignor });
  },

  async 'a member that reads nothing joins after one with a regular expression has left'(run) {
    const topic = await knownTopic(run, { partitions: 3 });
    const groupId = run.fresh('group');
    const [stays, leaves, joins] = [memberOf(run), memberOf(run), memberOf(run)];
    await settled(run, groupId, [joining(groupId, stays, topic.name)]);
    const first = { ...joining(groupId, leaves), subscribedTopicRegex: `${topic.name}|other` };
    await beat(run, first);
    await run.until(
      ['consumerGroupDescribe', 1, { groupIds: [groupId] }],
      ({ groups: [group] }) => group?.groupEpoch === 3,
    );
    for (const memberId of [stays, leaves, stays, leaves]) await catchUp(run, groupId, memberId);
    await beat(run, { groupId, memberId: leaves, memberEpoch: -1 }, 'leaves');
    await beat(run, joining(groupId, joins), 'reads nothing');
    await described(run, groupId);
    for (const memberId of [stays, joins]) await catchUp(run, groupId, memberId);
    await described(run, groupId, 'at last');
  },

  async 'a member becomes static without a change of what it reads'(run) {
    const topic = await knownTopic(run, { partitions: 3 });
    for (const hasOther of [false, true]) {
      const groupId = run.fresh('group');
      const [memberId, other, last] = [memberOf(run), memberOf(run), memberOf(run)];
      await settled(run, groupId, [joining(groupId, memberId, topic.name)]);
      if (hasOther) await beat(run, joining(groupId, other, topic.name));
      const again = { ...joining(groupId, memberId, topic.name), instanceId: 'i' };
      await beat(run, again, 'static');
      await described(run, groupId);
      const stayed = hasOther ? [memberId, other, memberId] : [memberId];
      for (const each of stayed) await catchUp(run, groupId, each);
      await described(run, groupId, 'later');
      await beat(run, { ...again, instanceId: 'j' }, 'another instance');
      await described(run, groupId);
      await beat(run, joining(groupId, last, topic.name), 'a change of the group');
      for (const each of [...stayed, last, ...stayed]) await catchUp(run, groupId, each);
      await described(run, groupId, 'at last');
      noteLog(run, groupId);
    }
  },

  async 'a member takes the place of a static one, though it is in the group itself'(run) {
    const [topic, other] = [await knownTopic(run), await knownTopic(run, { partitions: 3 })];
    const groupId = run.fresh('group');
    const [away, memberId] = [memberOf(run), memberOf(run)];
    await beat(run, { ...joining(groupId, away, topic.name), instanceId: 'i' });
    await beat(run, joining(groupId, memberId, other.name));
    await beat(run, { groupId, memberId: away, memberEpoch: -2, instanceId: 'i' }, 'away');
    const taking = { ...joining(groupId, memberId, other.name), instanceId: 'i' };
    const { assignment } = await run.prepare('consumerGroupHeartbeat', 1, taking);
    const assigned = assignment?.topicPartitions.flatMap(({ partitions }) => partitions).length;
    run.note('consumerGroupHeartbeat', 1, { ofTakenPlace: { assigned: assigned ?? -1 } });
  },

  async 'a classic group whose only member has not synced is converted by one that reads nothing'(
    run,
  ) {
    const topic = await knownTopic(run, { partitions: 2 });
    const groupId = run.fresh('group');
    const options = { topics: [topic.name] };
    const first = await joinAlone(run, groupId, 9, options);
    await beat(run, joining(groupId, memberOf(run)), 'reads nothing');
    await described(run, groupId);
    await run.ask('syncGroup', 5, syncOf(first, 5), { label: 'too late' });
    await comesBack(run, first, topic);
    await described(run, groupId, 'at last');
  },

  async 'a classic group with somebody who waits is converted by a member that reads nothing'(run) {
    const topic = await knownTopic(run, { partitions: 2 });
    const groupId = run.fresh('group');
    const options = { topics: [topic.name] };
    const first = await joinAlone(run, groupId, 9, options);
    const assignments = [{ memberId: first.memberId, assignment: assigned(topic, [0, 1]) }];
    await run.ask('syncGroup', 5, { ...syncOf(first, 5), assignments });
    const on = await run.connect();
    const { memberId } = await run.ask('joinGroup', 9, joinOf(groupId, 9, options), { on });
    const again = joinOf(groupId, 9, { ...options, memberId });
    const waiting = run.ask('joinGroup', 9, again, { on, label: 'waits' });
    await run.until(
      ['describeGroups', 6, { groups: [groupId] }],
      ({ groups: [group] }) => group?.groupState === 'PreparingRebalance',
    );
    await beat(run, joining(groupId, memberOf(run)), 'reads nothing');
    await waiting;
    await comesBack(run, { groupId, memberId, generationId: first.generationId }, topic);
    await comesBack(run, first, topic);
  },
};

/** A classic member joins again and asks for what it has. */
async function comesBack(run: Run, { groupId, memberId }: Member, topic: Topic): Promise<void> {
  const join = joinOf(groupId, 9, { memberId, topics: [topic.name] });
  const joined = await run.ask('joinGroup', 9, join, { label: 'comes back' });
  await run.ask('syncGroup', 5, syncOf({ ...joined, groupId }, 5, []), { label: 'is back' });
  const member = { groupId, memberId, generationId: joined.generationId };
  await run.ask('heartbeat', 4, member, { label: 'stays' });
}
