// One script of consumer group requests (KIP-848) against our coordinator and against Kafka 4.4: the answers must
// be the same, and so must the records be that either wrote.
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { defaultGroupConfig } from '../../../src/coordinator/group/groupConfig.ts';
import { sharedKafka } from '../../support/kafka/sharedKafka.ts';
import {
  bytesOf,
  type RequestInput,
  type Response,
  Scenario,
  subscription,
} from '../../unit/coordinator/support/scenario.ts';
import { groupStory, recordsOnDisk } from './support/groupLog.ts';
import { KafkaTalker, ourTalker, type Talker, Transcript } from './support/talker.ts';

const orders = 'consumers-orders';
const payments = 'consumers-payments';
/** Has 12 partitions. */
const many = 'consumers-many';
const missing = 'consumers-missing';
const groupResource = 32;

type Beat = RequestInput<'consumerGroupHeartbeat'>;
type Assignment = Response<'consumerGroupHeartbeat'>['assignment'];

interface Names {
  readonly ordersId: string;
  readonly paymentsId: string;
  /** A group of the script's own. */
  readonly group: string;
}

type Script = (transcript: Transcript, names: Names) => Promise<void>;

/** A consumer that tells all in every heartbeat, unless told to be brief. */
class Member {
  readonly #transcript: Transcript;
  readonly #groupId: string;
  readonly memberId: string;
  memberEpoch = 0;
  subscribedTopicNames: readonly string[] | null = [orders];
  more: Beat;
  owned: NonNullable<Assignment>['topicPartitions'] = [];

  constructor(transcript: Transcript, groupId: string, memberId: string, more: Beat = {}) {
    this.#transcript = transcript;
    this.#groupId = groupId;
    this.memberId = memberId;
    this.more = more;
  }

  /** Follows the answer: takes the epoch, gives up and takes partitions. */
  async beat(more: Beat = {}, label = this.memberId): Promise<Response<'consumerGroupHeartbeat'>> {
    const response = await this.send(
      {
        memberEpoch: this.memberEpoch,
        rebalanceTimeoutMs: 60_000,
        subscribedTopicNames: this.subscribedTopicNames,
        topicPartitions: this.owned,
        ...this.more,
        ...more,
      },
      label,
    );
    if (response.errorCode === 0) {
      this.memberEpoch = response.memberEpoch;
      if (response.assignment) this.owned = response.assignment.topicPartitions;
    }
    return response;
  }

  send(request: Beat, label = this.memberId): Promise<Response<'consumerGroupHeartbeat'>> {
    return this.#transcript.say(label, 'consumerGroupHeartbeat', 1, {
      groupId: this.#groupId,
      memberId: this.memberId,
      ...request,
    });
  }

  leave(more: Beat = {}): Promise<Response<'consumerGroupHeartbeat'>> {
    this.owned = [];
    return this.send({ memberEpoch: -1, ...more }, `${this.memberId} leaves`);
  }
}

async function show(transcript: Transcript, label: string, group: string): Promise<void> {
  await transcript.say(label, 'consumerGroupDescribe', 1, { groupIds: [group] });
}

const commitOf = (names: Names, partition: number, topicId = names.ordersId) => [
  {
    topicId,
    partitions: [{ partitionIndex: partition, committedOffset: 5n, committedMetadata: '' }],
  },
];

const classicMember = (groupId: string, more: object = {}) => ({
  groupId,
  sessionTimeoutMs: 30_000,
  rebalanceTimeoutMs: 60_000,
  protocolType: 'consumer',
  protocols: [{ name: 'range', metadata: subscription(orders) }],
  ...more,
});

const scripts: Record<string, Script> = {
  async 'requests that make no sense'(transcript, { group, ordersId }) {
    const good: Beat = {
      groupId: group,
      memberId: 'm',
      memberEpoch: 0,
      rebalanceTimeoutMs: 60_000,
      subscribedTopicNames: [orders],
      topicPartitions: [],
    };
    const wrongs: Beat[] = [
      { memberId: '' },
      { groupId: '' },
      { groupId: ' ' },
      { instanceId: '' },
      { rackId: '  ' },
      { rebalanceTimeoutMs: -1 },
      { topicPartitions: null },
      { topicPartitions: [{ topicId: ordersId, partitions: [0] }] },
      { subscribedTopicNames: null },
      { memberEpoch: -2 },
      { memberEpoch: -3 },
      { serverAssignor: 'sticky' },
      { memberId: '', memberEpoch: -1 },
    ];
    for (const wrong of wrongs) {
      const label = JSON.stringify(wrong);
      const request = { ...good, ...wrong };
      await transcript.say(label, 'consumerGroupHeartbeat', 1, request);
      if (wrong.memberId === undefined) {
        await transcript.say(label, 'consumerGroupHeartbeat', 0, request);
      }
    }
    for (const memberEpoch of [1, -1]) {
      await transcript.say('no group', 'consumerGroupHeartbeat', 1, { ...good, memberEpoch });
      const noId = { ...good, memberEpoch, memberId: '' };
      await transcript.say('no id', 'consumerGroupHeartbeat', 0, noId);
    }
    const away = { ...good, memberEpoch: -2, instanceId: 'i' };
    await transcript.say('no group', 'consumerGroupHeartbeat', 1, away);
    await show(transcript, 'no group', group);
    await show(transcript, 'no id', '');
  },

  async 'a member alone'(transcript, names) {
    const { group } = names;
    const a = new Member(transcript, group, 'a');
    await a.beat();
    await show(transcript, 'joined', group);
    await transcript.say('as v0', 'consumerGroupDescribe', 0, {
      groupIds: [group],
      includeAuthorizedOperations: true,
    });
    for (const version of [5, 6]) {
      await transcript.say('as classic', 'describeGroups', version, { groups: [group] });
    }
    await a.send({ memberEpoch: a.memberEpoch }, 'brief');
    await a.beat({}, 'full');
    await a.beat({ memberEpoch: a.memberEpoch + 1 }, 'too new');
    await a.beat({ memberEpoch: a.memberEpoch - 1 }, 'previous');
    await a.send({ memberEpoch: a.memberEpoch - 1 }, 'previous, brief');
    await a.send({ memberEpoch: 7, instanceId: 'i' }, 'not static');
    for (const [version, memberEpoch] of [
      [8, 2],
      [9, 1],
      [9, 2],
      [9, 3],
      [9, -1],
    ] as const) {
      await transcript.say(`epoch ${memberEpoch}`, 'offsetCommit', version, {
        groupId: group,
        memberId: 'a',
        generationIdOrMemberEpoch: memberEpoch,
        topics: [{ name: orders, partitions: commitOf(names, 1)[0]?.partitions ?? [] }],
      });
    }
    const commit = { groupId: group, memberId: 'b', generationIdOrMemberEpoch: a.memberEpoch };
    await transcript.say('b', 'offsetCommit', 10, { ...commit, topics: commitOf(names, 1) });
    for (const claim of [
      { memberId: 'a', memberEpoch: 2 },
      { memberId: 'a', memberEpoch: 1 },
      { memberId: 'b', memberEpoch: 2 },
      { memberId: null, memberEpoch: -1 },
    ]) {
      for (const topics of [null, [{ topicId: names.ordersId, partitionIndexes: [0, 1] }]]) {
        const groups = [{ groupId: group, topics, ...claim }];
        await transcript.say(JSON.stringify(claim), 'offsetFetch', 10, { groups });
      }
    }
    await transcript.say('live', 'deleteGroups', 2, { groupsNames: [group] });
    const topics = [orders, payments].map((name) => ({
      name,
      partitions: [{ partitionIndex: 1 }],
    }));
    await transcript.say('live', 'offsetDelete', 0, { groupId: group, topics });
    await a.beat({ subscribedTopicNames: [payments, missing] }, 'other topics');
    await show(transcript, 'other topics', group);
    await a.beat({ subscribedTopicNames: [payments, missing] }, 'given up');
    await transcript.say('not any more', 'offsetDelete', 0, { groupId: group, topics });
    await a.leave();
    await a.leave();
    await show(transcript, 'empty', group);
    await transcript.say('empty', 'deleteGroups', 2, { groupsNames: [group] });
    await show(transcript, 'deleted', group);
  },

  async 'two members, by ranges'(transcript, names) {
    const { group } = names;
    const range = { serverAssignor: 'range' };
    const a = new Member(transcript, group, 'a', range);
    const b = new Member(transcript, group, 'b', range);
    await a.beat();
    await b.beat();
    await show(transcript, 'b has joined', group);
    await b.beat();
    const early = { groupId: group, memberId: 'a', generationIdOrMemberEpoch: 2 };
    await a.beat();
    await show(transcript, 'a is to give up', group);
    await transcript.say('a', 'offsetCommit', 10, { ...early, topics: commitOf(names, 2) });
    await a.beat();
    await transcript.say('a', 'offsetCommit', 10, { ...early, topics: commitOf(names, 1) });
    await transcript.say('a', 'offsetCommit', 10, { ...early, topics: commitOf(names, 2) });
    await b.beat();
    await a.beat();
    await show(transcript, 'both have theirs', group);
    a.subscribedTopicNames = [orders, payments];
    await a.beat();
    await b.beat();
    await a.beat();
    await show(transcript, 'a has more', group);
    await a.leave();
    await b.beat();
    await show(transcript, 'a has left', group);
    b.subscribedTopicNames = [];
    await b.beat();
    await b.beat();
    await show(transcript, 'b reads nothing', group);
  },

  async 'three members, evenly'(transcript, names) {
    const { group } = names;
    const members = ['a', 'b', 'c'].map((id) => new Member(transcript, group, id));
    for (const member of members) member.subscribedTopicNames = [many];
    for (const member of members) await member.beat();
    for (let round = 0; round < 4; round++) for (const member of members) await member.beat();
    await show(transcript, 'all', group);
    const [a, b, c] = members;
    assert(a && b && c);
    await b.leave();
    for (let round = 0; round < 3; round++) for (const member of [a, c]) await member.beat();
    await show(transcript, 'two', group);
    c.subscribedTopicNames = [many, orders, missing];
    for (let round = 0; round < 3; round++) for (const member of [a, c]) await member.beat();
    await show(transcript, 'different', group);
    const d = new Member(transcript, group, 'd', { serverAssignor: 'uniform' });
    d.subscribedTopicNames = [payments, orders];
    for (let round = 0; round < 3; round++) for (const member of [d, a, c]) await member.beat();
    await show(transcript, 'different', group);
  },

  async 'static members'(transcript, names) {
    const { group } = names;
    const one = { instanceId: 'one', rackId: 'r', serverAssignor: 'range' };
    const a = new Member(transcript, group, 'a', one);
    const b = new Member(transcript, group, 'b', { instanceId: 'two', serverAssignor: 'range' });
    await a.beat();
    await b.beat();
    for (let round = 0; round < 3; round++) for (const member of [a, b]) await member.beat();
    const next = new Member(transcript, group, 'next', one);
    await next.beat({}, 'too early');
    await next.send({ memberEpoch: 3, ...one }, 'fenced');
    await a.send({ memberEpoch: 3, instanceId: 'none' }, 'unknown instance');
    await next.leave({ ...one });
    await a.leave({ memberEpoch: -2, ...one });
    await show(transcript, 'a is away', group);
    await b.beat();
    const commit = { groupId: group, memberId: 'a', generationIdOrMemberEpoch: -2 };
    await transcript.say('away', 'offsetCommit', 10, { ...commit, topics: commitOf(names, 0) });
    await next.beat({}, 'back');
    await show(transcript, 'back', group);
    await next.beat();
    await a.beat({}, 'old');
    const again = { groupId: group, memberId: 'next', generationIdOrMemberEpoch: 1 };
    await transcript.say('old epoch', 'offsetCommit', 10, { ...again, topics: commitOf(names, 0) });
    const other = new Member(transcript, group, 'other', one);
    await next.leave({ memberEpoch: -2, ...one });
    other.subscribedTopicNames = [payments];
    await other.beat({}, 'back with other topics');
    await other.beat();
    await b.beat();
    await show(transcript, 'other topics', group);
    await other.leave(one);
    await show(transcript, 'for good', group);
  },

  async 'regular expressions'(transcript, names) {
    const { group } = names;
    const a = new Member(transcript, group, 'a');
    a.subscribedTopicNames = null;
    for (const subscribedTopicRegex of ['(', '[a', '*', 'a**', '(?=a)', 'a{1001}', '\\p{Foo}']) {
      await a.beat({ subscribedTopicRegex }, subscribedTopicRegex);
    }
    await show(transcript, 'none was any', group);
    a.more = { subscribedTopicRegex: 'consumers-(orders|pay.*)', serverAssignor: 'range' };
    await a.beat();
    await transcript.sayUntil(
      ({ groups: [found] }) => found?.groupState === 'Assigning',
      ['resolved', 'consumerGroupDescribe', 1, { groupIds: [group] }],
    );
    await a.beat();
    await show(transcript, 'a has all', group);
    const b = new Member(transcript, group, 'b', { ...a.more });
    b.subscribedTopicNames = null;
    await b.beat();
    for (let round = 0; round < 3; round++) for (const member of [a, b]) await member.beat();
    await show(transcript, 'both', group);
    b.more = { subscribedTopicRegex: '', serverAssignor: 'range' };
    b.subscribedTopicNames = [payments];
    for (let round = 0; round < 3; round++) for (const member of [a, b]) await member.beat();
    await show(transcript, 'b by name', group);
    await a.leave();
    for (let round = 0; round < 2; round++) await b.beat();
    await show(transcript, 'a has left', group);
  },

  async 'a classic group gets a consumer, and goes back'(transcript, names) {
    const { group } = names;
    const asked = await transcript.say('c', 'joinGroup', 9, classicMember(group));
    transcript.name(asked.memberId, 'c');
    const { memberId } = asked;
    const joined = await transcript.say('c', 'joinGroup', 9, classicMember(group, { memberId }));
    const protocol = { protocolType: 'consumer', protocolName: 'range' };
    const sync = { groupId: group, memberId, generationId: joined.generationId, ...protocol };
    const assignment = Buffer.concat([
      Buffer.from([0, 0, 0, 0, 0, 1, 0, orders.length]),
      bytesOf(orders),
      Buffer.from([0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 255, 255, 255, 255]),
    ]);
    await transcript.say('c', 'syncGroup', 5, { ...sync, assignments: [{ memberId, assignment }] });
    const beat = { groupId: group, memberId, generationId: joined.generationId };
    await transcript.say('c', 'heartbeat', 4, beat);
    const a = new Member(transcript, group, 'a', { serverAssignor: 'range' });
    await a.beat({ memberEpoch: 1 }, 'not joining');
    await a.beat();
    await show(transcript, 'a consumer group', group);
    await transcript.say('not classic', 'describeGroups', 6, { groups: [group] });
    await transcript.say('c', 'heartbeat', 4, beat);
    const commit = { groupId: group, memberId, generationIdOrMemberEpoch: 1 };
    await transcript.say('c', 'offsetCommit', 9, {
      ...commit,
      topics: [{ name: orders, partitions: [{ partitionIndex: 0, committedOffset: 3n }] }],
    });
    await transcript.say('c', 'syncGroup', 5, sync);
    const again = await transcript.say('c', 'joinGroup', 9, classicMember(group, { memberId }));
    const { generationId } = again;
    await transcript.say('c', 'heartbeat', 4, { ...beat, generationId });
    await transcript.say('c', 'syncGroup', 5, { ...sync, generationId });
    await transcript.say('c', 'heartbeat', 4, { ...beat, generationId: 99 });
    await transcript.say('c', 'syncGroup', 5, { ...sync, generationId, protocolName: 'other' });
    await a.beat();
    await show(transcript, 'both have theirs', group);
    const third = await transcript.say('d', 'joinGroup', 9, classicMember(group));
    transcript.name(third.memberId, 'd');
    const strange = { protocols: [{ name: 'own', metadata: subscription(orders) }] };
    await transcript.say('d', 'joinGroup', 9, classicMember(group, strange));
    await transcript.say('d', 'joinGroup', 9, classicMember(group, { protocolType: 'connect' }));
    const garbled = {
      memberId: third.memberId,
      protocols: [{ name: 'range', metadata: bytesOf('x') }],
    };
    await transcript.say('d', 'joinGroup', 9, classicMember(group, garbled));
    await a.leave();
    await show(transcript, 'not a consumer group', group);
    await transcript.say('classic', 'describeGroups', 6, { groups: [group] });
    await transcript.say('c', 'heartbeat', 4, { ...beat, generationId });
    await transcript.say('c leaves', 'leaveGroup', 5, { groupId: group, members: [{ memberId }] });
    await transcript.say('classic', 'describeGroups', 6, { groups: [group] });
    await a.beat({ memberEpoch: 0 }, 'an empty classic group');
    await show(transcript, 'a consumer group', group);
    await a.leave();
    const last = await transcript.say('e', 'joinGroup', 3, classicMember(group));
    transcript.name(last.memberId, 'e');
    await transcript.say('an empty consumer group', 'describeGroups', 6, { groups: [group] });
    await show(transcript, 'not a consumer group', group);
  },

  async 'groups that cannot change'(transcript, names) {
    const { group } = names;
    const connect = { protocolType: 'connect' };
    const other = await transcript.say('c', 'joinGroup', 3, classicMember(group, connect));
    transcript.name(other.memberId, 'c');
    const a = new Member(transcript, group, 'a');
    await a.beat({}, 'another protocol type');
    await a.leave();
    const own = `${group}-own`;
    const c = await transcript.say('c', 'joinGroup', 3, classicMember(own));
    transcript.name(c.memberId, 'own c');
    await transcript.say('c', 'syncGroup', 3, {
      groupId: own,
      memberId: c.memberId,
      generationId: 1,
      assignments: [{ memberId: c.memberId, assignment: bytesOf('xx') }],
    });
    await new Member(transcript, own, 'a').beat({}, 'an assignment of its own kind');
  },
};

describe('consumer groups, as Kafka 4.4 answers and records', function () {
  this.timeout(120_000);
  let kafka: KafkaTalker;
  let ids: Map<string, string>;

  before(async () => {
    kafka = new KafkaTalker((await sharedKafka()).bootstrap);
    ids = await kafka.prepare([orders, payments], 'consumers-first');
    const { topics } = await kafka.call('createTopics', 7, {
      topics: [{ name: many, numPartitions: 12, replicationFactor: 1 }],
    });
    ids.set(many, topics[0]?.topicId ?? '');
  });

  for (const [title, script] of Object.entries(scripts)) {
    it(`[A7] ${title} (embedded, Kafka 4.4)`, async () => {
      const names = {
        ordersId: ids.get(orders) ?? '',
        paymentsId: ids.get(payments) ?? '',
        group: `consumers ${title}`,
      };
      await kafka.call('incrementalAlterConfigs', 1, {
        resources: [
          {
            resourceType: groupResource,
            resourceName: names.group,
            configs: [{ name: 'consumer.assignment.interval.ms', configOperation: 0, value: '0' }],
          },
        ],
      });
      const record = async (talker: Talker): Promise<Transcript> => {
        const transcript = new Transcript(talker);
        await script(transcript, names);
        return transcript;
      };
      const theirs = await record(kafka);
      const scenario = await ours(ids);
      const own = await record(ourTalker(scenario));
      assert.deepEqual(own.lines(), theirs.lines());
      assert(own.lines().length > 3);
      const partition = scenario.coordinator.partitionFor(names.group);
      const { dataDir } = await sharedKafka();
      const ownStory = groupStory(scenario.writer.logs.get(partition) ?? [], names.group);
      const theirStory = groupStory(await recordsOnDisk(dataDir, partition), names.group);
      assert.deepEqual(
        ownStory.map((line) => own.named(line)),
        theirStory.map((line) => theirs.named(line)),
      );
    });
  }
});

/** Our coordinator, which assigns at once, with Kafka's topics. */
async function ours(ids: ReadonlyMap<string, string>): Promise<Scenario> {
  const consumer = { ...defaultGroupConfig.consumer, assignmentIntervalMs: 0 };
  const scenario = await Scenario.start({ config: { offsetsTopicPartitions: 50, consumer } });
  scenario.topics.ids.clear();
  for (const [name, id] of ids) scenario.topics.ids.set(name, id);
  scenario.topics.partitionCounts.set(many, 12);
  return scenario;
}
