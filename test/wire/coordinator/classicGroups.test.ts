// One script of group requests against our coordinator and against Kafka 4.4: the answers must be the same.
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { sharedKafka } from '../../support/kafka/sharedKafka.ts';
import { bytesOf, Scenario, subscription } from '../../unit/coordinator/support/scenario.ts';
import { KafkaTalker, ourTalker, type Talker, Transcript } from './support/talker.ts';

const unknownTopicId = 'dW5rbm93bnVua25vd251bg';
const orders = 'groups-orders';
const payments = 'groups-payments';

interface Names {
  readonly ordersId: string;
  /** A group of the script's own. */
  readonly group: string;
}

type Script = (transcript: Transcript, names: Names) => Promise<void>;

const member = (groupId: string, more: object = {}) => ({
  groupId,
  sessionTimeoutMs: 30_000,
  rebalanceTimeoutMs: 60_000,
  protocolType: 'consumer',
  protocols: [{ name: 'range', metadata: subscription(orders) }],
  ...more,
});

const oneOffset = (name: string, committedOffset = 5n) => [
  { name, partitions: [{ partitionIndex: 0, committedOffset, committedMetadata: 'note' }] },
];

/** Joins a group's only member and names it. */
async function joinAlone(
  transcript: Transcript,
  request: ReturnType<typeof member> & { memberId?: string },
  version: number,
  name = 'a',
): Promise<{ memberId: string; generationId: number }> {
  let response = await transcript.say('join', 'joinGroup', version, request);
  transcript.name(response.memberId, name);
  if (response.errorCode !== 0 && response.memberId !== '') {
    const again = { ...request, memberId: response.memberId };
    response = await transcript.say('join with id', 'joinGroup', version, again);
  }
  return response;
}

const syncOf = (groupId: string, joined: { memberId: string; generationId: number }) => ({
  groupId,
  memberId: joined.memberId,
  generationId: joined.generationId,
  assignments: [{ memberId: joined.memberId, assignment: bytesOf('all') }],
});

const scripts: Record<string, Script> = {
  async 'unknown groups'(transcript, { group }) {
    const memberId = 'nobody';
    const generationId = 1;
    await transcript.say('unknown', 'describeGroups', 5, { groups: [group] });
    await transcript.say('unknown', 'describeGroups', 6, { groups: [group] });
    await transcript.say('unknown', 'joinGroup', 9, member(group, { memberId }));
    await transcript.say('unknown', 'syncGroup', 3, { groupId: group, memberId, generationId });
    await transcript.say('unknown', 'heartbeat', 4, { groupId: group, memberId, generationId });
    await transcript.say('unknown', 'leaveGroup', 2, { groupId: group, memberId });
    await transcript.say('unknown', 'leaveGroup', 5, { groupId: group, members: [{ memberId }] });
    await transcript.say('unknown', 'deleteGroups', 3, { groupsNames: [group, group] });
    const partitions = [{ partitionIndex: 0 }];
    const topics = [{ name: orders, partitions }];
    await transcript.say('unknown', 'offsetDelete', 0, { groupId: group, topics });
    const commit = { groupId: group, memberId, generationIdOrMemberEpoch: 1 };
    for (const version of [8, 9]) {
      const request = { ...commit, topics: oneOffset(orders) };
      await transcript.say('unknown', 'offsetCommit', version, request);
    }
    await transcript.say('unknown', 'offsetFetch', 7, { groupId: group, topics: null });
    await transcript.say('unknown', 'listGroups', 5, { statesFilter: ['nonsense'] });
  },

  async 'empty group ids and bad session timeouts'(transcript, { group }) {
    const memberId = 'nobody';
    await transcript.say('empty id', 'joinGroup', 9, member(''));
    await transcript.say('empty id', 'syncGroup', 3, { groupId: '', memberId });
    await transcript.say('empty id', 'heartbeat', 4, { groupId: '', memberId });
    await transcript.say('empty id', 'leaveGroup', 5, { groupId: '', members: [{ memberId }] });
    await transcript.say('empty id', 'offsetDelete', 0, { groupId: '' });
    await transcript.say('empty id', 'describeGroups', 6, { groups: [''] });
    for (const sessionTimeoutMs of [5_999, 1_800_001]) {
      for (const version of [5, 9]) {
        await transcript.say('session', 'joinGroup', version, member(group, { sessionTimeoutMs }));
      }
    }
    await transcript.say('no protocols', 'joinGroup', 9, member(group, { protocols: [] }));
    await transcript.sayUntil(
      ({ groups: [answer] }) => answer?.errorCode === 0,
      ['no protocols', 'describeGroups', 6, { groups: [group] }],
    );
    await transcript.say('no type', 'joinGroup', 6, member(group, { protocolType: '' }));
    await transcript.say('no fields', 'syncGroup', 5, { groupId: group, memberId });
  },

  async 'a member alone, in every version of JoinGroup'(transcript, { group }) {
    for (let version = 0; version <= 9; version++) {
      const groupId = `${group}-${version}`;
      const name = `v${version}`;
      const joined = await joinAlone(transcript, member(groupId), version, name);
      await transcript.say(name, 'describeGroups', 5, { groups: [groupId] });
      const protocol = { protocolType: 'consumer', protocolName: 'range' };
      const sync = { ...syncOf(groupId, joined), ...(version >= 5 && protocol) };
      await transcript.say(name, 'syncGroup', Math.min(version, 5), sync);
      await transcript.say(name, 'describeGroups', 5, { groups: [groupId] });
      const { memberId, generationId } = joined;
      const beat = { groupId, memberId, generationId };
      await transcript.say(name, 'heartbeat', Math.min(version, 4), beat);
      const commit = { groupId, memberId, generationIdOrMemberEpoch: generationId };
      const request = { ...commit, topics: oneOffset(orders) };
      await transcript.say(name, 'offsetCommit', Math.max(2, version), request);
      const leaving = version < 3 ? { memberId } : { members: [{ memberId }] };
      await transcript.say(name, 'leaveGroup', Math.min(version, 5), { groupId, ...leaving });
      await transcript.say(name, 'describeGroups', 5, { groups: [groupId] });
    }
  },

  async 'what is refused in a stable group'(transcript, { group }) {
    const joined = await joinAlone(transcript, member(group), 9);
    const protocol = { protocolType: 'consumer', protocolName: 'range' };
    const sync = { ...syncOf(group, joined), ...protocol };
    for (const wrong of [
      { generationId: 7 },
      { memberId: 'nobody' },
      { groupInstanceId: 'nobody' },
      { protocolName: 'sticky' },
      { protocolType: 'connect' },
    ]) {
      await transcript.say(JSON.stringify(wrong), 'syncGroup', 5, { ...sync, ...wrong });
    }
    const { memberId, generationId } = joined;
    const early = { groupId: group, memberId, generationIdOrMemberEpoch: generationId };
    const topics = oneOffset(orders);
    await transcript.say('assigning', 'offsetCommit', 9, { ...early, topics });
    await transcript.say('assigning', 'joinGroup', 9, member(group, { memberId }));
    await transcript.say('sync', 'syncGroup', 5, sync);
    await transcript.say('sync again', 'syncGroup', 5, sync);
    for (const wrong of [{ generationId: 7 }, { memberId: 'nobody' }, { groupInstanceId: 'x' }]) {
      const beat = { groupId: group, memberId, generationId, ...wrong };
      await transcript.say(JSON.stringify(wrong), 'heartbeat', 4, beat);
    }
    for (const wrong of [
      { generationIdOrMemberEpoch: 7 },
      { memberId: 'nobody' },
      { groupInstanceId: 'x' },
      { memberId: '', generationIdOrMemberEpoch: -1 },
      { generationIdOrMemberEpoch: -1 },
    ]) {
      const commit = { ...early, topics, ...wrong };
      await transcript.say(JSON.stringify(wrong), 'offsetCommit', 9, commit);
    }
    const otherType = member(group, { protocolType: 'connect' });
    await transcript.say('other type', 'joinGroup', 9, otherType);
    const otherProtocols = member(group, { protocols: [{ name: 'own', metadata: bytesOf('') }] });
    await transcript.say('other protocols', 'joinGroup', 9, otherProtocols);
    await transcript.say('live', 'deleteGroups', 3, { groupsNames: [group] });
    const offsets = [orders, payments, 'groups-missing'].map((name) => ({
      name,
      partitions: [{ partitionIndex: 0 }, { partitionIndex: 3 }],
    }));
    await transcript.say('live', 'offsetDelete', 0, { groupId: group, topics: offsets });
    const strangers = [{ memberId: 'nobody' }, { groupInstanceId: 'nobody' }];
    await transcript.say('strangers', 'leaveGroup', 5, { groupId: group, members: strangers });
    await transcript.say('leader', 'joinGroup', 9, member(group, { memberId }));
  },

  async 'two members and their rebalances'(transcript, { group }) {
    const a = await joinAlone(transcript, member(group), 9, 'a');
    const protocol = { protocolType: 'consumer', protocolName: 'range' };
    await transcript.say('a', 'syncGroup', 5, { ...syncOf(group, a), ...protocol });
    const asked = await transcript.say('b', 'joinGroup', 9, member(group));
    transcript.name(asked.memberId, 'b');
    const joiningB = transcript.say('b joins', 'joinGroup', 9, {
      ...member(group),
      memberId: asked.memberId,
    });
    const beat = { groupId: group, memberId: a.memberId, generationId: 1 };
    await transcript.sayUntil(({ errorCode }) => errorCode !== 0, ['a', 'heartbeat', 4, beat]);
    await transcript.say('joining', 'describeGroups', 5, { groups: [group] });
    const early = { groupId: group, memberId: a.memberId, generationIdOrMemberEpoch: 1 };
    await transcript.say('a', 'offsetCommit', 9, { ...early, topics: oneOffset(orders) });
    await transcript.say('a', 'syncGroup', 5, { ...syncOf(group, a), ...protocol });
    const joiningA = transcript.say('a joins', 'joinGroup', 9, {
      ...member(group),
      memberId: a.memberId,
    });
    const [b] = await Promise.all([joiningB, joiningA]);
    transcript.sortLast(2);
    assert.equal(b.generationId, 2);
    const follower = { ...syncOf(group, b), assignments: [], ...protocol };
    const leader = {
      ...follower,
      memberId: a.memberId,
      assignments: [{ memberId: b.memberId, assignment: bytesOf('for b') }],
    };
    const syncs = [
      transcript.say('b syncs', 'syncGroup', 5, follower),
      transcript.say('a syncs', 'syncGroup', 5, leader),
    ];
    await Promise.all(syncs);
    transcript.sortLast(2);
    await transcript.say('b again', 'joinGroup', 9, { ...member(group), memberId: b.memberId });
    await transcript.say('a leaves', 'leaveGroup', 5, {
      groupId: group,
      members: [{ memberId: a.memberId }, { memberId: a.memberId }],
    });
    await transcript.say('left', 'describeGroups', 5, { groups: [group] });
    const late = { groupId: group, memberId: b.memberId, generationId: 2 };
    await transcript.say('b', 'heartbeat', 4, late);
    await transcript.say('b', 'joinGroup', 9, { ...member(group), memberId: b.memberId });
    await transcript.say('b leaves', 'leaveGroup', 5, {
      groupId: group,
      members: [{ memberId: b.memberId }],
    });
    await transcript.say('empty', 'describeGroups', 5, { groups: [group] });
    await transcript.say('empty', 'heartbeat', 4, late);
    await transcript.say('empty', 'syncGroup', 5, { ...syncOf(group, b), ...protocol });
    await transcript.say('empty', 'deleteGroups', 3, { groupsNames: [group] });
    await transcript.say('deleted', 'describeGroups', 6, { groups: [group] });
  },

  async 'static members'(transcript, { group }) {
    const one = { groupInstanceId: 'one' };
    const protocol = { protocolType: 'consumer', protocolName: 'range' };
    const a = await joinAlone(transcript, member(group, one), 9, 'a');
    await transcript.say('a', 'syncGroup', 5, { ...syncOf(group, a), ...one, ...protocol });
    for (const version of [9, 8, 5]) {
      const response = await transcript.say('again', 'joinGroup', version, member(group, one));
      transcript.name(response.memberId, `a as of v${version}`);
    }
    const { memberId } = a;
    const old = { groupId: group, memberId, generationId: 1, ...one };
    await transcript.say('old', 'heartbeat', 4, old);
    await transcript.say('old', 'syncGroup', 5, { ...old, ...protocol });
    await transcript.say('old', 'joinGroup', 9, member(group, { memberId, ...one }));
    await transcript.say('old', 'leaveGroup', 5, {
      groupId: group,
      members: [{ memberId, ...one }, { groupInstanceId: 'other' }, { memberId }],
    });
    const commit = { groupId: group, memberId, generationIdOrMemberEpoch: 1, ...one };
    await transcript.say('old', 'offsetCommit', 9, { ...commit, topics: oneOffset(orders) });
    await transcript.say('still', 'describeGroups', 5, { groups: [group] });
    await transcript.say('removed', 'leaveGroup', 3, { groupId: group, members: [one] });
    await transcript.say('removed', 'describeGroups', 5, { groups: [group] });
  },

  async 'offsets without members, in every version'(transcript, { group, ordersId }) {
    for (let version = 2; version <= 9; version++) {
      await transcript.say('commit', 'offsetCommit', version, {
        groupId: group,
        topics: [
          ...oneOffset('groups-missing'),
          {
            name: orders,
            partitions: [
              { partitionIndex: 0, committedOffset: BigInt(version), committedMetadata: null },
              { partitionIndex: 1, committedOffset: 1n, committedMetadata: 'm'.repeat(4097) },
              {
                partitionIndex: 2,
                committedOffset: 2n,
                committedMetadata: 'ü'.repeat(4096),
                ...(version >= 6 && { committedLeaderEpoch: version }),
              },
              { partitionIndex: 3, committedOffset: 2n, committedMetadata: '' },
            ],
          },
        ],
      });
      const topics = [
        { name: orders, partitionIndexes: [0, 1, 7] },
        { name: 'groups-missing', partitionIndexes: [0] },
      ];
      const fetch =
        version < 8 ? { groupId: group, topics } : { groups: [{ groupId: group, topics }] };
      await transcript.say('fetch', 'offsetFetch', version, fetch);
    }
    const byId = (topicId: string) => ({
      topicId,
      partitions: [{ partitionIndex: 0, committedOffset: 10n, committedMetadata: '' }],
    });
    const request = { groupId: group, topics: [byId(ordersId), byId(unknownTopicId)] };
    await transcript.say('by id', 'offsetCommit', 10, request);
    const topics = [
      { topicId: ordersId, partitionIndexes: [0, 1] },
      { topicId: unknownTopicId, partitionIndexes: [0] },
    ];
    await transcript.say('by id', 'offsetFetch', 10, { groups: [{ groupId: group, topics }] });
    await transcript.say('all', 'offsetFetch', 10, { groups: [{ groupId: group, topics: null }] });
    await transcript.say('all', 'offsetFetch', 2, { groupId: group, topics: null });
    const stable = { groupId: group, topics: null, requireStable: true };
    await transcript.say('stable', 'offsetFetch', 7, stable);
    await transcript.say('simple', 'describeGroups', 6, { groups: [group] });
    const names = [orders, payments, 'groups-missing'];
    const doomed = names.map((name) => ({ name, partitions: [{ partitionIndex: 0 }] }));
    await transcript.say('delete', 'offsetDelete', 0, { groupId: group, topics: doomed });
    await transcript.say('left', 'offsetFetch', 9, { groups: [{ groupId: group, topics: null }] });
    await transcript.say('delete', 'deleteGroups', 0, { groupsNames: [group] });
    await transcript.say('gone', 'offsetFetch', 9, { groups: [{ groupId: group, topics: null }] });
  },

  async 'authorized operations'(transcript, { group }) {
    await transcript.say('commit', 'offsetCommit', 8, {
      groupId: group,
      topics: oneOffset(orders),
    });
    for (const version of [2, 3, 6]) {
      await transcript.say('describe', 'describeGroups', version, {
        groups: [group],
        ...(version >= 3 && { includeAuthorizedOperations: true }),
      });
    }
  },
};

describe('classic groups, as Kafka 4.4 answers', function () {
  this.timeout(120_000);
  let kafka: KafkaTalker;
  let ids: Map<string, string>;

  before(async () => {
    kafka = new KafkaTalker((await sharedKafka()).bootstrap);
    ids = await kafka.prepare([orders, payments], 'groups-first');
  });

  for (const [title, script] of Object.entries(scripts)) {
    it(title, async () => {
      const scenario = await Scenario.start({ config: { offsetsTopicPartitions: 50 } });
      scenario.topics.ids.clear();
      for (const [name, id] of ids) scenario.topics.ids.set(name, id);
      const names = {
        ordersId: ids.get(orders) ?? '',
        group: `groups ${title}`,
      };
      const record = async (talker: Talker): Promise<string[]> => {
        const transcript = new Transcript(talker);
        await script(transcript, names);
        return transcript.lines();
      };
      const theirs = await record(kafka);
      assert.deepEqual(await record(ourTalker(scenario)), theirs);
      assert(theirs.length > 3);
    });
  }
});
