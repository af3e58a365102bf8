// Members of a consumer group that come, beat, change what they read and go, while its topics change [KIP-848].
import type { ApiName } from '../../../src/protocol/apis.ts';
import type { Beat } from '../../differential/support/consumerRequests.ts';
import { type Change, changing, types } from '../../differential/support/configRequests.ts';
import { commitOf, offsetsOf } from '../../differential/support/groupRequests.ts';
import type { Run } from '../../differential/support/run.ts';
import { joinWithoutId, starve } from './support/consumerAsides.ts';
import { inOrder, type Member, memberNamed, type Owned, say } from './support/consumerMember.ts';
import { type ReadTopic, ReadTopics } from './support/consumerTopics.ts';
import { type Chance, compareRandomly, type Sequence } from './support/randomSequences.ts';

/** Up to here HashSets of them that assignors go through are in their order. */
const mostPartitions = 12;

class Group {
  readonly groupId: string;
  readonly #run: Run;
  readonly #chance: Chance;
  readonly #topics: ReadTopics;
  readonly #members: Member[] = [];
  readonly #assignor: string | null;

  constructor(run: Run, chance: Chance) {
    this.#run = run;
    this.#chance = chance;
    this.groupId = run.fresh('group');
    this.#topics = new ReadTopics(run, chance, this.groupId);
    // Of members that want different ones Kafka counts the votes in an order that heartbeats change.
    this.#assignor = chance.of([null, 'uniform', 'range']);
  }

  async play(steps: number): Promise<void> {
    for (const topic of this.#topics.all) await this.#change(topic);
    for (let step = 0; step < steps; step++)
      await this.#chance.step([
        [3, () => this.#join()],
        [8, () => this.#beat()],
        [2, () => this.#stumble()],
        [2, () => this.#leave()],
        [2, () => this.#describe()],
        [2, () => this.#commit()],
        [1, () => this.#fetch()],
        [1, () => this.#delete()],
        [1, () => this.#change(this.#chance.of(this.#topics.all))],
        [1, () => this.#configure()],
        [1, () => this.#aside()],
      ])();
  }

  async #join(): Promise<void> {
    const chance = this.#chance;
    const instanceId = chance.oneIn(2) ? chance.of(['one', 'two']) : null;
    // Who is in the group under its own id already must not take the place of another, static one.
    const same = this.#members.filter((each) => each.instanceId === instanceId);
    const fresh = memberNamed(this.#run.fresh('member'), instanceId);
    const member = chance.oneIn(3) && same.length > 0 ? chance.of(same) : fresh;
    const answer = await this.#say('joining', member, {
      memberEpoch: 0,
      ...this.#subscription(),
      rebalanceTimeoutMs: 600_000,
      topicPartitions: chance.oneIn(12) ? this.#wrong() : [],
    });
    if (answer.errorCode !== 0) return;
    const at = this.#members.findIndex(
      (each) => each === member || (instanceId !== null && each.instanceId === member.instanceId),
    );
    if (at >= 0) this.#members.splice(at, 1);
    this.#members.push(member);
  }

  #subscription(): Partial<Beat> {
    const names = this.#topics.all.map(({ name }) => name);
    const subscribedTopicNames = this.#chance.step([
      [4, names],
      [4, names.filter(() => this.#chance.oneIn(2))],
      [1, [...names, ...names, 'nowhere']],
      [1, []],
    ]);
    const rackId = this.#chance.of([null, null, 'rack', '']);
    return { subscribedTopicNames, ...(this.#chance.oneIn(4) && { rackId }) };
  }

  async #beat(): Promise<void> {
    const member = this.#someone();
    const isFull = this.#chance.oneIn(3);
    const topicPartitions = this.#reported(member);
    await this.#say('beating', member, {
      ...((isFull || this.#chance.oneIn(5)) && this.#subscription()),
      ...(isFull && { rebalanceTimeoutMs: 600_000 }),
      topicPartitions,
    });
  }

  #reported(member: Member): Owned | null {
    return this.#chance.step<() => Owned | null>([
      [4, () => null],
      [6, () => member.owned],
      [2, () => member.before],
      [1, () => []],
      [1, () => this.#wrong()],
    ])();
  }

  #wrong(): Owned {
    const chance = this.#chance;
    const ids = this.#topics.all.flatMap(({ id, oldIds }) => [id, ...oldIds]);
    const known = ids.filter((id) => id !== '');
    const some = [...known, 'AAAAAAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAKg'];
    return Array.from({ length: 1 + chance.below(3) }, () => ({
      topicId: chance.of(some),
      partitions: Array.from({ length: chance.below(3) }, () => chance.below(8) - 1),
    }));
  }

  /** Epochs, members and instances that are not right. */
  async #stumble(): Promise<void> {
    const chance = this.#chance;
    const member = this.#someone();
    const memberEpoch = chance.of([member.memberEpoch - 1, member.memberEpoch + 1, -3, 2 ** 30]);
    await this.#say('stumbling', member, {
      memberEpoch,
      ...(chance.oneIn(4) && { memberId: chance.of(['nobody', '']) }),
      ...(chance.oneIn(3) && { instanceId: chance.of(['one', 'two', 'three', null]) }),
      ...(chance.oneIn(4) && { serverAssignor: 'mine' }),
      topicPartitions: this.#reported(member),
    });
  }

  async #leave(): Promise<void> {
    const member = this.#someone();
    const memberEpoch = this.#chance.of([-1, -2]);
    const answer = await this.#say('leaving', member, { memberEpoch });
    if (answer.errorCode !== 0) return;
    const isBack = memberEpoch === -2;
    if (!isBack && this.#members.includes(member))
      this.#members.splice(this.#members.indexOf(member), 1);
  }

  #say(label: string, member: Member, more: Partial<Beat>) {
    const { groupId } = this;
    const version = this.#chance.of(this.#run.versions('consumerGroupHeartbeat'));
    const request = { groupId, serverAssignor: this.#assignor, ...more };
    return say(this.#run, member, { version, label, request });
  }

  #someone(): Member {
    const nobody = { ...memberNamed('nobody'), memberEpoch: 1 };
    return this.#chance.of(this.#members.length > 0 ? this.#members : [nobody]);
  }

  async #describe(): Promise<void> {
    const { groupId } = this;
    const run = this.#run;
    const includeAuthorizedOperations = this.#chance.oneIn(2);
    const versionOf = (api: ApiName) => this.#chance.of(run.versions(api));
    const describeModern = async () => {
      const version = versionOf('consumerGroupDescribe');
      const request = { groupIds: [groupId], includeAuthorizedOperations };
      const answer = await run.prepare('consumerGroupDescribe', version, request);
      run.note('consumerGroupDescribe', version, inOrder(answer));
    };
    await this.#chance.step<() => Promise<unknown>>([
      [4, describeModern],
      [1, () => run.ask('describeGroups', versionOf('describeGroups'), { groups: [groupId] })],
      [1, () => this.#list(versionOf('listGroups'))],
    ])();
  }

  async #list(version: number): Promise<void> {
    const states = this.#chance.of([[], ['Stable'], ['empty', 'Reconciling'], ['Assigning', 'x']]);
    const types = this.#chance.of([[], ['consumer'], ['Classic']]);
    const { groups, errorCode } = await this.#run.prepare('listGroups', version, {
      ...(version >= 4 && { statesFilter: states }),
      ...(version >= 5 && { typesFilter: types }),
    });
    const own = groups.filter(({ groupId }) => groupId === this.groupId);
    this.#run.note('listGroups', version, { errorCode, groups: own });
  }

  async #commit(): Promise<void> {
    const chance = this.#chance;
    const { memberId, memberEpoch } = this.#someone();
    const version = chance.of(this.#run.versions('offsetCommit'));
    const generation = memberEpoch + chance.of([0, 0, 0, -1, 1]);
    const isMember = !chance.oneIn(4);
    const partition = chance.below(4);
    const request = commitOf(this.groupId, version, this.#topic(), {
      ...(isMember && { memberId, generation }),
      partition,
      offset: BigInt(chance.below(5) - 1),
    });
    await this.#run.ask('offsetCommit', version, request);
  }

  async #fetch(): Promise<void> {
    const chance = this.#chance;
    const { memberId, memberEpoch } = this.#someone();
    const version = chance.of(this.#run.versions('offsetFetch'));
    const topic = version >= 2 && chance.oneIn(3) ? null : this.#topic();
    const request = offsetsOf(this.groupId, version, topic, [0, 1, 2, 3]);
    const own = { memberId, memberEpoch: memberEpoch + chance.of([0, 0, -1, 1]) };
    const { groups = [] } = request;
    const asked =
      version >= 9 && chance.oneIn(2) ? groups.map((each) => ({ ...each, ...own })) : groups;
    await this.#run.ask('offsetFetch', version, version >= 8 ? { groups: asked } : request);
  }

  /** With the id that it has, or had. */
  #topic(): { name: string; id: string } {
    const { name, id, oldIds } = this.#chance.of(this.#topics.all);
    return { name, id: this.#chance.of([id, id, ...oldIds]) || 'AAAAAAAAAAAAAAAAAAAAKg' };
  }

  async #delete(): Promise<void> {
    const { groupId } = this;
    if (this.#chance.oneIn(3)) {
      const version = this.#chance.of(this.#run.versions('deleteGroups'));
      await this.#run.ask('deleteGroups', version, { groupsNames: [groupId] });
      return;
    }
    const partitions = [0, 1, 7].map((partitionIndex) => ({ partitionIndex }));
    const topics = [{ name: this.#topic().name, partitions }];
    await this.#run.last('offsetDelete', { groupId, topics });
  }

  async #aside(): Promise<void> {
    const names = this.#topics.all.map(({ name }) => name);
    const count = this.#topics.all.reduce((sum, { partitions }) => sum + partitions, 0);
    if (count >= 2 && this.#chance.oneIn(2)) await starve(this.#run, names);
    else await joinWithoutId(this.#run, names);
  }

  async #configure(): Promise<void> {
    const chance = this.#chance;
    const interval = chance.of(['5000', '7000', '15000', '1', 'x']);
    const timeout = chance.of(['45000', '60000', '1']);
    const changes: Change[] = [
      ['consumer.heartbeat.interval.ms', 'set', interval],
      ['consumer.session.timeout.ms', chance.of(['set', 'delete']), timeout],
    ];
    const request = changing(types.group, this.groupId, changes);
    const { responses } = await this.#run.last('incrementalAlterConfigs', request);
    if (responses[0]?.errorCode === 0) await this.#untilEvery(Number(interval));
  }

  /** A config holds a moment later; beats that change nothing any more tell. */
  async #untilEvery(heartbeatIntervalMs: number): Promise<void> {
    const { groupId } = this;
    const member = this.#someone();
    for (let beats = 0; beats < 4; beats++) {
      const { errorCode } = await this.#say('settling', member, {});
      if (errorCode !== 0) return;
    }
    const { memberId, instanceId, memberEpoch } = member;
    const request = { groupId, memberId, instanceId, memberEpoch };
    await this.#run.until(
      ['consumerGroupHeartbeat', 1, request],
      (answer) => answer.heartbeatIntervalMs === heartbeatIntervalMs,
    );
  }

  async #change(topic: ReadTopic): Promise<void> {
    const { partitions } = topic;
    const more = 1 + this.#chance.below(4);
    if (partitions === 0) await this.#topics.create(topic, more);
    else if (this.#chance.oneIn(2) && partitions + more <= mostPartitions)
      await this.#topics.grow(topic, partitions + more);
    else await this.#topics.remove(topic);
  }
}

const members: Sequence = (run, chance) => new Group(run, chance).play(60);

compareRandomly('open', { members });
