// Groups between the classic and the consumer protocol, and what changes in a consumer group without any member's
// doing.
import { setTimeout as sleep } from 'node:timers/promises';
import { joining, knownTopic, memberOf } from '../support/consumerRequests.ts';
import { joinOf, type Member, stable, syncOf } from '../support/groupRequests.ts';
import type { Run, Scenarios } from '../support/run.ts';

const junk = Buffer.from('junk');
/** A request that is to wait comes to the broker a little later than those on other connections. */
const mostTries = 500;
const pauseMs = 20;

/** A member of the consumer protocol tries to join until somebody who waits is answered; the last try is compared. */
async function convertUntil(run: Run, groupId: string, answered: Promise<unknown>): Promise<void> {
  let isAnswered = false;
  const done = answered.then(() => (isAnswered = true));
  const beat = joining(groupId, memberOf(run), 'some-topic');
  for (let tries = 0; !isAnswered; tries++) {
    if (tries === mostTries) throw new Error(`nobody in ${groupId} is told of another rebalance`);
    await run.prepare('consumerGroupHeartbeat', 1, beat);
    await Promise.race([done, sleep(pauseMs)]);
  }
  await run.ask('consumerGroupHeartbeat', 1, beat);
}

export const groupChangeScenarios: Scenarios = {
  async 'a classic group that cannot be converted, whose members wait'(run) {
    const first = await stable(run);
    const { groupId } = first;
    const on = await run.connect();
    const { memberId } = await run.ask('joinGroup', 9, joinOf(groupId, 9), { on });
    const join = joinOf(groupId, 9, { memberId, metadata: junk });
    const waiting = run.ask('joinGroup', 9, join, { on, label: 'waiting' });
    await convertUntil(run, groupId, waiting);
    await run.ask('describeGroups', 6, { groups: [groupId] });
    const again = run.ask('joinGroup', 9, join, { on, label: 'again' });
    await run.until(['heartbeat', 4, first], ({ errorCode }) => errorCode !== 0);
    const leading = joinOf(groupId, 9, { memberId: first.memberId });
    const { generationId } = await run.ask('joinGroup', 9, leading);
    await again;
    const leader: Member = { ...first, generationId };
    const follower: Member = { groupId, memberId, generationId };
    const syncing = run.ask('syncGroup', 5, syncOf(follower, 5, []), { on, label: 'waiting' });
    await convertUntil(run, groupId, syncing);
    await run.ask('syncGroup', 5, syncOf(leader, 5, [leader.memberId, memberId]));
    await run.ask('syncGroup', 5, syncOf(follower, 5, []), { on });
    await run.ask('describeGroups', 6, { groups: [groupId] });
  },

  async 'an empty consumer group, and a classic member that nobody knows'(run) {
    const topic = await knownTopic(run);
    for (const version of run.versions('joinGroup')) {
      const groupId = run.fresh('group');
      const memberId = memberOf(run);
      const beat = joining(groupId, memberId, topic.name);
      for (let rounds = 0; rounds < 3; rounds++) {
        await run.last('consumerGroupHeartbeat', beat, { label: `round ${rounds}` });
        await run.last('consumerGroupHeartbeat', { groupId, memberId, memberEpoch: -1 });
      }
      await run.ask('joinGroup', version, joinOf(groupId, version, { memberId: 'nobody' }));
      await run.last('consumerGroupHeartbeat', beat, { label: 'after that' });
      await run.last('consumerGroupDescribe', { groupIds: [groupId] });
    }
  },

  async 'the only regular expression changes soon after it was matched'(run) {
    const topic = await knownTopic(run);
    const groupId = run.fresh('group');
    const memberId = memberOf(run);
    const regex = (subscribedTopicRegex: string) => ({ subscribedTopicRegex });
    const first = { ...joining(groupId, memberId), ...regex(topic.name) };
    await run.ask('consumerGroupHeartbeat', 1, first);
    const described = { groupIds: [groupId] };
    const toEpoch = (epoch: number) =>
      run.until(
        ['consumerGroupDescribe', 1, described],
        ({ groups: [group] }) => group?.groupEpoch === epoch,
      );
    await toEpoch(2);
    const beat = { groupId, memberId, memberEpoch: 2 };
    await run.ask('consumerGroupHeartbeat', 1, { ...beat, memberEpoch: 1 }, { label: 'matched' });
    const changed = { ...beat, ...regex(`${topic.name}|other`) };
    await run.ask('consumerGroupHeartbeat', 1, changed, { label: 'another' });
    await run.topic();
    await run.last('consumerGroupDescribe', described);
    await run.ask('consumerGroupHeartbeat', 1, beat, { label: 'one later' });
    await toEpoch(3);
  },

  async 'as many members want one assignor as the other'(run) {
    const topic = await knownTopic(run);
    const groupId = run.fresh('group');
    const members = ['uniform', 'range'].map((serverAssignor) => ({
      ...joining(groupId, memberOf(run), topic.name),
      serverAssignor,
    }));
    const epochs: number[] = [];
    for (let rounds = 0; rounds < 3; rounds++)
      for (const member of members) {
        await run.prepare('consumerGroupHeartbeat', 1, member);
        const { groups } = await run.prepare('consumerGroupDescribe', 1, { groupIds: [groupId] });
        epochs.push(groups[0]?.groupEpoch ?? -1);
      }
    run.note('consumerGroupHeartbeat', 1, { ofTiedAssignors: epochs });
  },
};
