// OffsetCommit, OffsetFetch, OffsetDelete.
import type { Run, Scenarios } from '../support/run.ts';
import {
  commitOf,
  joinAlone,
  joinOf,
  leaveOf,
  offsetsOf,
  stable,
  syncOf,
} from '../support/groupRequests.ts';
import { unknownTopicId } from '../support/requests.ts';

const ghost = (run: Run) => ({ name: run.fresh('ghost'), id: unknownTopicId });

const deleteOf = (groupId: string, name: string, ...partitions: number[]) => ({
  groupId,
  topics: [{ name, partitions: partitions.map((partitionIndex) => ({ partitionIndex })) }],
});

export const groupOffsetScenarios: Scenarios = {
  async 'committed without a member, and read back'(run) {
    const topic = await run.topic({ partitions: 2 });
    const groupId = run.fresh('group');
    await run.each(
      'offsetFetch',
      (version) => offsetsOf(groupId, version, topic, [0, 1]),
      'before',
    );
    await run.each('offsetCommit', (version) =>
      commitOf(groupId, version, topic, { offset: BigInt(version), leaderEpoch: version }),
    );
    await run.each('offsetFetch', (version) => offsetsOf(groupId, version, topic, [0, 1, 7]));
    for (const version of run.versions('offsetFetch').filter((each) => each >= 2))
      await run.ask('offsetFetch', version, offsetsOf(groupId, version, null));
    await run.ask('describeGroups', 5, { groups: [groupId] });
  },

  async 'of more partitions than a record batch takes'(run) {
    const topic = await run.topic();
    const groupId = run.fresh('group');
    const committedMetadata = 'm'.repeat(4000);
    const partitions = Array.from({ length: 300 }, () => ({
      partitionIndex: 0,
      committedOffset: 1n,
      committedMetadata,
    }));
    const commit = { groupId, generationIdOrMemberEpoch: -1, memberId: '' };
    await run.ask('offsetCommit', 9, { ...commit, topics: [{ name: topic.name, partitions }] });
    await run.ask('offsetFetch', 9, offsetsOf(groupId, 9, topic, [0]));
  },

  async 'committed by a member'(run) {
    const topic = await run.topic();
    const member = await stable(run, { topics: [topic.name] });
    const { memberId, generationId: generation, groupId } = member;
    await run.each('offsetCommit', (version) =>
      commitOf(groupId, version, topic, { memberId, generation }),
    );
    for (const wrong of [
      { memberId, generation: generation + 1 },
      { memberId, generation: -1 },
      { memberId: 'nobody', generation },
      { memberId: '', generation: -1 },
    ])
      await run.each(
        'offsetCommit',
        (version) => commitOf(groupId, version, topic, wrong),
        `${wrong.memberId === memberId ? 'member' : wrong.memberId} ${wrong.generation}`,
      );
    for (const version of [7, 8, 9, 10])
      await run.ask(
        'offsetCommit',
        version,
        commitOf(groupId, version, topic, { memberId, generation, groupInstanceId: 'nobody' }),
      );
    await run.each('offsetFetch', (version) => offsetsOf(groupId, version, topic));
  },

  async 'committed by a static member and one that it has fenced'(run) {
    const topic = await run.topic();
    const options = { groupInstanceId: 'one' };
    const groupId = run.fresh('group');
    const old = await joinAlone(run, groupId, 9, options);
    await run.ask('syncGroup', 5, syncOf(old, 5));
    const back = await joinAlone(run, groupId, 9, options);
    // librdkafka commits without its id once its session timeout is over while the broker is away.
    const forgetful = { ...back, memberId: '' };
    for (const version of [7, 8, 9, 10])
      for (const { memberId, generationId: generation } of [back, old, forgetful])
        await run.ask(
          'offsetCommit',
          version,
          commitOf(groupId, version, topic, { memberId, generation, ...options }),
        );
  },

  async 'committed by a member whose group waits for its assignment'(run) {
    const topic = await run.topic();
    const groupId = run.fresh('group');
    const { memberId, generationId: generation } = await joinAlone(run, groupId, 9);
    await run.each('offsetCommit', (version) =>
      commitOf(groupId, version, topic, { memberId, generation }),
    );
    await run.ask('offsetCommit', 9, commitOf(groupId, 9, topic));
  },

  async 'committed for groups that are not there'(run) {
    const topic = await run.topic();
    await run.each('offsetCommit', (version) =>
      commitOf(run.fresh('group'), version, topic, { memberId: 'nobody', generation: 3 }),
    );
    await run.each('offsetCommit', (version) => commitOf('', version, topic));
    await run.each('offsetFetch', (version) => offsetsOf('', version, topic));
  },

  async 'committed for topics and partitions that are not there'(run) {
    const topic = await run.topic();
    const groupId = run.fresh('group');
    await run.each('offsetCommit', (version) => commitOf(groupId, version, ghost(run)));
    for (const partition of [5, -1])
      await run.each('offsetCommit', (version) => commitOf(groupId, version, topic, { partition }));
    await run.each('offsetFetch', (version) => offsetsOf(groupId, version, ghost(run)));
    await run.each('offsetCommit', (version) => ({
      ...commitOf(groupId, version, topic),
      topics: [],
    }));
  },

  async 'metadata that is null, empty and too long'(run) {
    const topic = await run.topic();
    const groupId = run.fresh('group');
    for (const metadata of [null, '', 'x'.repeat(4096), 'x'.repeat(4097)]) {
      await run.each('offsetCommit', (version) => commitOf(groupId, version, topic, { metadata }));
      await run.ask('offsetFetch', 9, offsetsOf(groupId, 9, topic));
    }
  },

  async 'offsets below zero'(run) {
    const topic = await run.topic();
    const groupId = run.fresh('group');
    for (const offset of [-1n, -5n]) {
      await run.ask('offsetCommit', 9, commitOf(groupId, 9, topic, { offset }));
      await run.ask('offsetFetch', 9, offsetsOf(groupId, 9, topic));
    }
  },

  async 'OffsetFetch of many groups, of a member and with a stable answer'(run) {
    const topic = await run.topic();
    const member = await stable(run);
    await run.ask(
      'offsetCommit',
      9,
      commitOf(member.groupId, 9, topic, {
        memberId: member.memberId,
        generation: member.generationId,
      }),
    );
    for (const version of [8, 9, 10]) {
      const [group] = offsetsOf(member.groupId, version, topic).groups ?? [];
      const groups = group ? [group, { ...group, groupId: run.fresh('group') }] : [];
      await run.ask('offsetFetch', version, { groups });
      await run.ask('offsetFetch', version, { groups, requireStable: true });
      if (version >= 9 && group) {
        await run.ask('offsetFetch', version, {
          groups: [{ ...group, memberId: 'nobody', memberEpoch: 3 }],
        });
        await run.ask('offsetFetch', version, {
          groups: [{ ...group, memberId: member.memberId, memberEpoch: member.generationId }],
        });
      }
      await run.ask('offsetFetch', version, { groups: [] });
    }
    await run.ask('offsetFetch', 7, {
      ...offsetsOf(member.groupId, 7, topic),
      requireStable: true,
    });
  },

  async OffsetDelete(run) {
    const topic = await run.topic({ partitions: 2 });
    const other = await run.topic();
    const member = await stable(run, { topics: [topic.name] });
    const { memberId, groupId, generationId: generation } = member;
    for (const each of [topic, other])
      await run.ask('offsetCommit', 9, commitOf(groupId, 9, each, { memberId, generation }));
    await run.last('offsetDelete', deleteOf(groupId, topic.name, 0, 1), { label: 'subscribed' });
    await run.last('offsetDelete', deleteOf(groupId, other.name, 0), { label: 'not subscribed' });
    await run.last('offsetDelete', deleteOf(groupId, run.fresh('ghost'), 0), { label: 'unknown' });
    await run.last('offsetDelete', deleteOf(groupId, topic.name, 9), {
      label: 'no such partition',
    });
    await run.last('offsetDelete', deleteOf(run.fresh('group'), topic.name, 0), {
      label: 'no such group',
    });
    await run.last('offsetDelete', deleteOf('', topic.name, 0), { label: 'no name' });
    await run.last('offsetDelete', { groupId, topics: [] }, { label: 'nothing' });
    await run.ask('leaveGroup', 5, leaveOf(member, 5));
    await run.last('offsetDelete', deleteOf(groupId, topic.name, 0, 1), { label: 'empty' });
    await run.ask('offsetFetch', 9, offsetsOf(groupId, 9, topic, [0, 1]));
    const plain = run.fresh('group');
    const connect = joinOf(plain, 2, { protocolType: 'connect' });
    await run.ask('joinGroup', 2, connect);
    await run.last('offsetDelete', deleteOf(plain, topic.name, 0), {
      label: 'not a consumer group',
    });
  },

  async 'offsets of a group that is deleted'(run) {
    const topic = await run.topic();
    const groupId = run.fresh('group');
    await run.ask('offsetCommit', 9, commitOf(groupId, 9, topic));
    await run.last('deleteGroups', { groupsNames: [groupId] });
    await run.ask('offsetFetch', 9, offsetsOf(groupId, 9, topic));
    await run.ask('offsetFetch', 9, offsetsOf(groupId, 9, null));
  },
};
