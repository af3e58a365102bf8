import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { describeConsumers, ScriptedConsumer } from './support/consumers.ts';
import { bytesOf, nameOf, Scenario, type ScriptedMember, settle } from './support/scenario.ts';

/**
 * Members join, sync, beat, commit, leave and vanish at random, while the log holds, commits and fails; now
 * and then another coordinator reads the log, and must show what the live one shows.
 */
const scheduleCount = 60;
const stepCount = 80;
const groupIds = ['g1', 'g2'];

describe('a coordinator that reads the log', () => {
  it(`shows what the one that wrote it shows, over ${scheduleCount} random schedules`, async () => {
    for (let seed = 1; seed <= scheduleCount; seed++) await new Schedule(seed).run();
  });

  it('[A7] does not find the consumer group either that went for a classic member nobody knows', async () => {
    const scenario = await Scenario.start();
    const consumer = new ScriptedConsumer(scenario, { memberId: 'a' });
    await consumer.beat();
    await consumer.leave();
    assert.equal(await joinAsNobody(scenario), 'UNKNOWN_MEMBER_ID');
    for (const each of [scenario, await scenario.restart()])
      assert.equal(nameOf((await describeConsumers(each)).errorCode), 'GROUP_ID_NOT_FOUND');
  });

  it('[A7] finds the offsets of such a group as those of a group without members', async () => {
    const scenario = await Scenario.start();
    const consumer = new ScriptedConsumer(scenario, { memberId: 'a' });
    await consumer.beat();
    assert.equal(await consumer.commit('orders', 0, 7n), 'NONE');
    await consumer.leave();
    assert.equal(await joinAsNobody(scenario, []), 'UNKNOWN_MEMBER_ID');
    const listed = async (each: Scenario) => {
      const { groups } = await each.call('listGroups', 5, {});
      return groups.map(({ groupId, groupState, groupType }) => [groupId, groupState, groupType]);
    };
    for (const each of [scenario, await scenario.restart()])
      assert.deepEqual(await listed(each), [['group', 'Empty', 'classic']]);
  });
});

/** A classic member comes back with an id that nobody gave it. */
async function joinAsNobody(
  scenario: Scenario,
  protocols = [{ name: 'range', metadata: bytesOf('orders') }],
): Promise<string> {
  const { errorCode } = await scenario.call('joinGroup', 9, {
    groupId: 'group',
    memberId: 'nobody',
    protocolType: 'consumer',
    sessionTimeoutMs: 30_000,
    rebalanceTimeoutMs: 30_000,
    protocols,
  });
  return nameOf(errorCode);
}

class Schedule {
  readonly #seed: number;
  readonly #random: Random;
  readonly #open = new Set<Promise<unknown>>();
  #members: ScriptedMember[] = [];
  #holding = false;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seededRandom(seed);
  }

  async run(): Promise<void> {
    const scenario = await Scenario.start({ seed: this.#seed });
    for (let step = 0; step < stepCount; step++) {
      this.#step(scenario);
      await settle();
      if (this.#random.below(10) === 0) await this.#compare(scenario, step);
    }
    this.#release(scenario);
    await this.#compare(scenario, stepCount);
    await this.#comeToRest(scenario);
  }

  #step(scenario: Scenario): void {
    const member = this.#members[this.#random.below(Math.max(1, this.#members.length))];
    const choice = this.#random.below(16);
    if (member === undefined || choice === 0) this.#addMember(scenario);
    else if (choice < 4) this.#start(member.join());
    else if (choice < 8) this.#start(this.#sync(member));
    else if (choice < 9) this.#start(member.heartbeat());
    else if (choice < 11) this.#start(this.#commit(member));
    else if (choice === 11) this.#start(member.leave());
    else if (choice === 12) scenario.clock.advance(this.#random.below(15_000));
    else if (choice === 13) this.#start(this.#administer(scenario));
    else this.#moveLog(scenario);
  }

  #addMember(scenario: Scenario): void {
    const name = `m${this.#members.length}`;
    const isStatic = this.#random.below(3) === 0;
    const member = scenario.member(name, {
      groupId: this.#pick(groupIds),
      groupInstanceId: isStatic ? `i${this.#random.below(2)}` : null,
      joinVersion: isStatic ? 9 : this.#pick([3, 9]),
      rebalanceTimeoutMs: 20_000,
    });
    this.#members.push(member);
    this.#start(member.join());
    scenario.clock.advance(0);
  }

  #sync(member: ScriptedMember): Promise<unknown> {
    const assignments = this.#members.map(({ memberId }) => ({
      memberId,
      assignment: bytesOf(`${memberId} in ${this.#random.below(1000)}`),
    }));
    return member.sync(assignments);
  }

  #commit(member: ScriptedMember): Promise<string> {
    const topic = this.#pick(['orders', 'payments']);
    return member.commit(topic, this.#random.below(3), BigInt(this.#random.below(1000)));
  }

  async #administer(scenario: Scenario): Promise<void> {
    const groupId = this.#pick(groupIds);
    const choice = this.#random.below(4);
    if (choice === 0) await scenario.call('deleteGroups', 2, { groupsNames: [groupId] });
    else if (choice === 1) await scenario.coordinator.removeMembers(groupId, 'chance');
    else if (choice === 2) await scenario.coordinator.onTopicsDeleted(['payments']);
    else {
      await scenario.call('offsetDelete', 0, {
        groupId,
        topics: [{ name: 'orders', partitions: [{ partitionIndex: this.#random.below(3) }] }],
      });
    }
  }

  #moveLog(scenario: Scenario): void {
    if (!this.#holding) scenario.writer.hold();
    else if (this.#random.below(3) === 0) {
      scenario.writer.failHeld(errorCodes.NOT_ENOUGH_REPLICAS);
    } else scenario.writer.release();
    this.#holding = !this.#holding;
  }

  #release(scenario: Scenario): void {
    scenario.writer.release();
    this.#holding = false;
  }

  /** Offsets always; groups where they are between rebalances, as records only tell of those. */
  async #compare(scenario: Scenario, step: number): Promise<void> {
    if (this.#holding) return;
    // An empty group whose record was lost is written again after a second.
    await scenario.pass(1_000);
    const read = await scenario.restart();
    for (const groupId of groupIds) {
      const where = `seed ${this.#seed}, step ${step}, group ${groupId}`;
      assert.deepEqual(await offsetsOf(read, groupId), await offsetsOf(scenario, groupId), where);
      const live = await describeGroup(scenario, groupId);
      const isAtRest = ['Stable', 'Empty', 'Dead'].includes(live.groupState);
      if (isAtRest) assert.deepEqual(await describeGroup(read, groupId), live, where);
    }
    read.coordinator.dispose();
  }

  /** Nobody beats any more: every request is answered, every group ends empty. */
  async #comeToRest(scenario: Scenario): Promise<void> {
    for (let minute = 0; minute < 10; minute++) await scenario.pass(60_000);
    assert.equal(this.#open.size, 0, `seed ${this.#seed}: requests without answer`);
    for (const groupId of groupIds) {
      const { groupState } = await describeGroup(scenario, groupId);
      assert(['Empty', 'Dead'].includes(groupState), `seed ${this.#seed}: ${groupState}`);
    }
    await this.#compare(scenario, stepCount + 1);
    assert.equal(scenario.clock.pendingTimers, 0, `seed ${this.#seed}: timers left`);
  }

  #start(request: Promise<unknown>): void {
    this.#open.add(request);
    void request.finally(() => this.#open.delete(request));
  }

  #pick<T>(choices: readonly T[]): T {
    const choice = choices[this.#random.below(choices.length)];
    assert(choice !== undefined);
    return choice;
  }
}

async function describeGroup(scenario: Scenario, groupId: string) {
  const { groups } = await scenario.call('describeGroups', 6, { groups: [groupId] });
  const [group] = groups;
  assert(group);
  group.members.sort((a, b) => (a.memberId < b.memberId ? -1 : 1));
  return group;
}

async function offsetsOf(scenario: Scenario, groupId: string): Promise<string[]> {
  const response = await scenario.call('offsetFetch', 9, { groups: [{ groupId, topics: null }] });
  const [group] = response.groups;
  assert.equal(nameOf(group?.errorCode ?? 0), 'NONE');
  return (group?.topics ?? [])
    .flatMap(({ name, partitions }) =>
      partitions.map(
        (each) => `${name}-${each.partitionIndex}=${each.committedOffset} ${each.metadata}`,
      ),
    )
    .sort();
}
