// What lies in the log behind the groups when something was named twice.
import { commitOf, joinAlone, stable } from '../support/groupRequests.ts';
import { joining, memberOf } from '../support/consumerRequests.ts';
import { groupLog } from '../support/groupLog.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { begin, end, offsetsOfTransaction } from '../support/transactionRequests.ts';
import { javaStringHash } from '../../../src/coordinator/javaStringHash.ts';
import type { ApiName } from '../../../src/protocol/apis.ts';

const noteLog = (run: Run, api: ApiName, groupId: string, label = '') =>
  run.note(api, run.latest(api), groupLog(run, groupId), `the log ${label}`);

async function committed(run: Run, topic: Topic, groupId = run.fresh('group')): Promise<string> {
  for (const partition of [0, 1])
    await run.until(
      ['offsetCommit', 8, commitOf(groupId, 8, topic, { partition })],
      ({ topics: [answered] }) => answered?.partitions[0]?.errorCode === 0,
    );
  return groupId;
}

/** Names of groups that one partition of `__consumer_offsets` keeps. */
function together(name: string, count: number): string[] {
  const partitionOf = (groupId: string) => javaStringHash(groupId) % 50;
  const names: string[] = [name];
  for (let i = 0; names.length < count; i++) {
    const groupId = `${name}-${i}`;
    if (partitionOf(groupId) === partitionOf(name)) names.push(groupId);
  }
  return names;
}

/** Partition 0 twice with other offsets, and partition 1. */
const partitionsOf = (version: number) =>
  [0, 1, 0].map((partitionIndex, i) => ({
    partitionIndex,
    committedOffset: BigInt(i),
    ...(version >= 6 && { committedLeaderEpoch: -1 }),
    committedMetadata: `${i}`,
  }));

export const groupLogScenarios: Scenarios = {
  async 'offsets that are committed twice in a request'(run) {
    const topic = await run.topic({ partitions: 2 });
    for (const version of run.versions('offsetCommit')) {
      const groupId = run.fresh('group');
      const named = version >= 10 ? { topicId: topic.id } : { name: topic.name };
      const asked = { ...named, partitions: partitionsOf(version) };
      const topics = [asked, asked];
      await run.until(
        ['offsetCommit', version, { ...commitOf(groupId, version, topic), topics }],
        ({ topics: [answered] }) => answered?.partitions[0]?.errorCode === 0,
      );
      noteLog(run, 'offsetCommit', groupId, `of ${version}`);
    }
  },

  async 'offsets that are committed twice in a transaction'(run) {
    const topic = await run.topic({ partitions: 2 });
    for (const version of run.versions('txnOffsetCommit').filter((each) => each < 5)) {
      const identity = await begin(run);
      const groupId = run.fresh('group');
      await run.ask('addOffsetsToTxn', 3, { ...identity, groupId });
      const asked = { name: topic.name, partitions: partitionsOf(version < 2 ? 0 : 6) };
      const request = offsetsOfTransaction(identity, groupId, version, { topic });
      await run.until(
        ['txnOffsetCommit', version, { ...request, topics: [asked, asked] }],
        ({ topics: [answered] }) => answered?.partitions[0]?.errorCode === 0,
      );
      await end(run, identity, true);
      noteLog(run, 'txnOffsetCommit', groupId, `of ${version}`);
    }
  },

  async 'offsets that are deleted twice in a request'(run) {
    const topic = await run.topic({ partitions: 2 });
    const gone = (...partitions: number[]) => ({
      name: topic.name,
      partitions: partitions.map((partitionIndex) => ({ partitionIndex })),
    });
    for (const [label, topics] of Object.entries({
      'a partition': [gone(0, 0, 1, 7)],
      'a topic': [gone(0, 1), gone(1, 0)],
      'a partition that has none': [gone(1, 1, 0), { ...gone(0), name: run.fresh('ghost') }],
    })) {
      const groupId = await committed(run, topic);
      await run.ask('offsetDelete', 0, { groupId, topics }, { label });
      await run.ask('offsetDelete', 0, { groupId, topics }, { label: `${label}, again` });
      noteLog(run, 'offsetDelete', groupId, label);
    }
  },

  async 'offsets of an open transaction that are deleted'(run) {
    const topic = await run.topic({ partitions: 2 });
    const identity = await begin(run);
    const groupId = await committed(run, topic);
    await run.ask('addOffsetsToTxn', 3, { ...identity, groupId });
    await run.ask('txnOffsetCommit', 4, offsetsOfTransaction(identity, groupId, 4, { topic }));
    const partitions = [{ partitionIndex: 0 }, { partitionIndex: 0 }];
    await run.ask('offsetDelete', 0, { groupId, topics: [{ name: topic.name, partitions }] });
    await end(run, identity, true);
    noteLog(run, 'offsetDelete', groupId);
  },

  async 'groups that are deleted twice in a request'(run) {
    const topic = await run.topic({ partitions: 2 });
    const groupId = await committed(run, topic);
    for (const version of run.versions('deleteGroups')) {
      await committed(run, topic, groupId);
      await run.ask('deleteGroups', version, { groupsNames: [groupId, groupId] });
      noteLog(run, 'deleteGroups', groupId, `of ${version}`);
    }
  },

  async 'groups of one partition that are deleted together'(run) {
    const topic = await run.topic({ partitions: 2 });
    const groupIds = together(run.fresh('group'), 3);
    for (const groupId of groupIds) await committed(run, topic, groupId);
    const groupsNames = [...groupIds, `${groupIds[0]}-none`];
    await run.last('deleteGroups', { groupsNames });
    run.note('deleteGroups', 2, groupLog(run, ...groupIds), 'the log');
  },

  async 'groups of one partition whose deletion together is too large'(run) {
    const topic = await run.topic({ partitions: 20 });
    const partitionOfNone = run.fresh('group');
    const groupIds = together(run.fresh('x'.repeat(30_000)), 2);
    for (const groupId of groupIds) {
      const name = topic.name;
      const partitions = Array.from({ length: 20 }, (_, partitionIndex) => ({
        partitionIndex,
        committedOffset: 1n,
        committedLeaderEpoch: -1,
        committedMetadata: '',
      }));
      const commit = { ...commitOf(groupId, 8, topic), topics: [{ name, partitions }] };
      await run.until(
        ['offsetCommit', 8, commit],
        ({ topics: [answered] }) => answered?.partitions[0]?.errorCode === 0,
      );
    }
    await committed(run, topic, partitionOfNone);
    const all = { groupsNames: [...groupIds, partitionOfNone] };
    await run.each('deleteGroups', () => all, 'together');
    for (const groupId of groupIds) await run.last('deleteGroups', { groupsNames: [groupId] });
  },

  async 'members that leave twice in a request'(run) {
    const leaving = await stable(run);
    const { groupId, memberId } = leaving;
    const members = [{ memberId }, { memberId }, { memberId: 'nobody' }];
    await run.last('leaveGroup', { groupId, members });
    noteLog(run, 'leaveGroup', groupId);
    const { groupId: held } = await joinAlone(run, run.fresh('group'), 9, {
      groupInstanceId: 'held',
    });
    const byInstance = { memberId: '', groupInstanceId: 'held' };
    await run.last('leaveGroup', { groupId: held, members: [byInstance, byInstance] });
    noteLog(run, 'leaveGroup', held, 'of one that is static');
  },

  async 'members of a consumer group that leave twice in a request'(run) {
    const groupId = run.fresh('group');
    const [one, other] = [memberOf(run), memberOf(run)];
    for (const memberId of [one, other])
      await run.last('consumerGroupHeartbeat', joining(groupId, memberId, 'none'));
    const members = [{ memberId: one }, { memberId: one }, { memberId: 'nobody' }];
    await run.last('leaveGroup', { groupId, members });
    noteLog(run, 'leaveGroup', groupId);
  },
};
