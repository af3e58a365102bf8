// KIP-848: ConsumerGroupHeartbeat, ConsumerGroupDescribe, and the other group APIs on such a group.
import { type Beat, joining, knownTopic, memberOf } from '../support/consumerRequests.ts';
import { commitOf, joinOf, leaveOf, offsetsOf, stable, syncOf } from '../support/groupRequests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';

/** A member that has been given all of the topic. */
async function joined(
  run: Run,
  topic: Topic,
  more: Beat = {},
): Promise<{ groupId: string; memberId: string; memberEpoch: number }> {
  const groupId = more.groupId ?? run.fresh('group');
  const memberId = memberOf(run);
  const first = { ...joining(groupId, memberId, topic.name), ...more, groupId };
  let { memberEpoch } = await run.ask('consumerGroupHeartbeat', 1, first);
  const beat = () => ({ groupId, memberId, memberEpoch });
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await run.prepare('consumerGroupHeartbeat', 1, beat());
    memberEpoch = answer.memberEpoch;
    const { groups } = await run.prepare('consumerGroupDescribe', 1, { groupIds: [groupId] });
    const assigned = groups[0]?.members.find((each) => each.memberId === memberId)?.assignment
      .topicPartitions;
    if (assigned && assigned.length > 0) break;
  }
  return { groupId, memberId, memberEpoch };
}

export const consumerGroupScenarios: Scenarios = {
  async 'a member joins, stays, is described and leaves'(run) {
    const topic = await knownTopic(run, { partitions: 3 });
    const { groupId, memberId, memberEpoch } = await joined(run, topic);
    await run.each('consumerGroupHeartbeat', () => ({ groupId, memberId, memberEpoch }));
    const topicPartitions = [{ topicId: topic.id, partitions: [0, 1, 2] }];
    await run.each(
      'consumerGroupHeartbeat',
      () => ({ groupId, memberId, memberEpoch, topicPartitions }),
      'owning',
    );
    await run.each('consumerGroupDescribe', () => ({ groupIds: [groupId] }));
    await run.each('consumerGroupDescribe', () => ({
      groupIds: [groupId],
      includeAuthorizedOperations: true,
    }));
    await run.each('describeGroups', () => ({ groups: [groupId] }));
    await run.each('deleteGroups', () => ({ groupsNames: [groupId] }));
    await run.last(
      'consumerGroupHeartbeat',
      { groupId, memberId, memberEpoch: -1 },
      { label: 'leaving' },
    );
    await run.each('consumerGroupDescribe', () => ({ groupIds: [groupId] }), 'empty');
    await run.each('deleteGroups', () => ({ groupsNames: [groupId] }), 'empty');
  },

  async 'heartbeats that are refused'(run) {
    const topic = await knownTopic(run);
    const groupId = run.fresh('group');
    const memberId = memberOf(run);
    const good = joining(groupId, memberId, topic.name);
    const cases: Record<string, Beat> = {
      'no group': { ...good, groupId: '' },
      'no member': { ...good, memberId: '' },
      'no topics': { ...good, subscribedTopicNames: null },
      'no rebalance timeout': { ...good, rebalanceTimeoutMs: -1 },
      'owned partitions': { ...good, topicPartitions: [{ topicId: topic.id, partitions: [0] }] },
      'null for owned partitions': { ...good, topicPartitions: null },
      'an unknown assignor': { ...good, serverAssignor: 'mine' },
      'an empty assignor': { ...good, serverAssignor: '' },
      'an empty instance': { ...good, instanceId: '' },
      'an empty rack': { ...good, rackId: '' },
      'an epoch below -2': { ...good, memberEpoch: -3 },
      'an unknown group': { ...good, memberEpoch: 5 },
      'leaving an unknown group': { groupId, memberId, memberEpoch: -1 },
      'leaving statically without an instance': { groupId, memberId, memberEpoch: -2 },
    };
    for (const [label, beat] of Object.entries(cases))
      await run.each('consumerGroupHeartbeat', () => beat, label);
    const regex = { ...good, subscribedTopicNames: null, subscribedTopicRegex: '(' };
    await run.ask('consumerGroupHeartbeat', 1, regex, { label: 'a regular expression' });
  },

  async 'epochs and members that are not right'(run) {
    const topic = await knownTopic(run);
    const { groupId, memberId, memberEpoch } = await joined(run, topic);
    for (const [label, beat] of Object.entries({
      'an epoch ahead': { groupId, memberId, memberEpoch: memberEpoch + 1 },
      'an old epoch': { groupId, memberId, memberEpoch: memberEpoch - 1 },
      'an unknown member': { groupId, memberId: 'nobody', memberEpoch },
      'an unknown member that leaves': { groupId, memberId: 'nobody', memberEpoch: -1 },
    }))
      await run.each('consumerGroupHeartbeat', () => beat, label);
    await run.each('heartbeat', () => ({ groupId, memberId, generationId: memberEpoch }));
    await run.each('joinGroup', (version) => joinOf(groupId, version, { memberId: 'nobody' }));
    await run.each('syncGroup', (version) =>
      syncOf({ groupId, memberId, generationId: memberEpoch }, version),
    );
    await run.each('leaveGroup', (version) => leaveOf({ groupId, memberId: 'nobody' }, version));
  },

  async 'a static member'(run) {
    const topic = await knownTopic(run);
    const instanceId = 'one';
    const { groupId, memberId, memberEpoch } = await joined(run, topic, { instanceId });
    const other = { ...joining(groupId, memberOf(run), topic.name), instanceId };
    await run.each('consumerGroupHeartbeat', () => other, 'not released');
    await run.each(
      'consumerGroupHeartbeat',
      () => ({ groupId, memberId: 'other', memberEpoch, instanceId }),
      'fenced',
    );
    await run.last(
      'consumerGroupHeartbeat',
      { groupId, memberId, memberEpoch: -2, instanceId },
      { label: 'leaving for a while' },
    );
    await run.each('consumerGroupDescribe', () => ({ groupIds: [groupId] }));
    await run.last('consumerGroupHeartbeat', other, { label: 'back' });
    await run.each('consumerGroupDescribe', () => ({ groupIds: [groupId] }));
  },

  async 'offsets of such a group'(run) {
    const topic = await knownTopic(run);
    const { groupId, memberId, memberEpoch: generation } = await joined(run, topic);
    for (const [label, more] of Object.entries({
      right: { memberId, generation },
      ahead: { memberId, generation: generation + 1 },
      stale: { memberId, generation: generation - 1 },
      'no member': {},
      unknown: { memberId: 'nobody', generation },
    }))
      await run.each('offsetCommit', (version) => commitOf(groupId, version, topic, more), label);
    await run.each('offsetFetch', (version) => offsetsOf(groupId, version, topic));
    for (const version of [9, 10])
      for (const [member, memberEpoch] of [
        [memberId, generation],
        [memberId, generation + 3],
        ['nobody', 1],
      ] as const) {
        const [group] = offsetsOf(groupId, version, topic).groups ?? [];
        await run.ask('offsetFetch', version, {
          groups: [{ ...group, memberId: member, memberEpoch }],
        });
      }
    await run.last('offsetDelete', {
      groupId,
      topics: [{ name: topic.name, partitions: [{ partitionIndex: 0 }] }],
    });
  },

  async 'a group that is full'(run) {
    const topic = await knownTopic(run);
    const groupId = run.fresh('group');
    for (let i = 0; i < 4; i++)
      await run.last('consumerGroupHeartbeat', joining(groupId, memberOf(run), topic.name));
  },

  async 'members whose ids have one bucket of a HashMap, in the order of the table behind it'(run) {
    const topic = await knownTopic(run, { partitions: 7 });
    const groupId = run.fresh('group');
    for (const memberId of ['member-2', 'member-29', 'member-18'])
      await run.last('consumerGroupHeartbeat', joining(groupId, memberId, topic.name));
    await run.last('consumerGroupDescribe', { groupIds: [groupId] });
  },

  async 'the order of the topics that a member names'(run) {
    const groupId = run.fresh('group');
    const names = Array.from({ length: 20 }, (_, i) => `topic-${i}`);
    await run.last('consumerGroupHeartbeat', joining(groupId, memberOf(run), ...names));
    await run.each('consumerGroupDescribe', () => ({ groupIds: [groupId] }));
  },

  async 'described without being there, or being of another type'(run) {
    const classic = await stable(run);
    await run.each('consumerGroupDescribe', () => ({
      groupIds: [run.fresh('group'), '', classic.groupId],
    }));
    await run.each('consumerGroupDescribe', () => ({ groupIds: [] }));
  },

  async 'two members share'(run) {
    const topic = await knownTopic(run, { partitions: 2 });
    const first = await joined(run, topic);
    const { groupId } = first;
    const memberId = memberOf(run);
    await run.last('consumerGroupHeartbeat', {
      ...joining(groupId, memberId, topic.name),
      serverAssignor: 'range',
    });
    await run.until(
      [
        'consumerGroupHeartbeat',
        1,
        { ...first, topicPartitions: [{ topicId: topic.id, partitions: [0, 1] }] },
      ],
      ({ assignment }) =>
        assignment !== null && assignment.topicPartitions[0]?.partitions.length === 1,
    );
    await run.last('consumerGroupDescribe', { groupIds: [groupId] });
  },
};
