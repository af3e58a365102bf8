import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import { defaultGroupConfig } from '../../../src/coordinator/group/groupConfig.ts';
import { errorCodes } from '../../../src/protocol/errors.ts';
import {
  describeConsumers,
  type DescribedConsumerGroup,
  partitionNames,
  ScriptedConsumer,
} from './support/consumers.ts';
import { nameOf, Scenario, type ScriptedMember, settle } from './support/scenario.ts';

/**
 * Consumers of both protocols join, beat, change what they read, commit, leave and vanish at random, while topics
 * come and grow and the log holds, commits and fails. Now and then another coordinator reads the log.
 */
const scheduleCount = 40;
const stepCount = 120;
const groupIds = ['g1', 'g2'];
const names = ['orders', 'payments', 'returns'];

describe('consumer groups of both protocols', () => {
  it(`[A7] never give a partition to two, read alike from the log, and come to rest, over ${scheduleCount} random schedules`, async () => {
    const rested = new Map<string, number>();
    for (let seed = 1; seed <= scheduleCount; seed++) {
      for (const state of await new Schedule(seed).run()) {
        rested.set(state, (rested.get(state) ?? 0) + 1);
      }
    }
    // Both ends of a migration are reached, else the schedules prove little.
    assert.ok((rested.get('Stable') ?? 0) > scheduleCount / 4, JSON.stringify([...rested]));
    assert.ok((rested.get('classic') ?? 0) > 0, JSON.stringify([...rested]));
  });
});

class Schedule {
  readonly #seed: number;
  readonly #random: Random;
  readonly #open = new Set<Promise<unknown>>();
  #consumers: ScriptedConsumer[] = [];
  #classics: ScriptedMember[] = [];
  #holding = false;
  #topicCount = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = seededRandom(seed);
  }

  async run(): Promise<string[]> {
    const assignmentIntervalMs = this.#pick([0, 1_000]);
    const consumer = { ...defaultGroupConfig.consumer, assignmentIntervalMs };
    const scenario = await Scenario.start({ seed: this.#seed, config: { consumer } });
    for (let step = 0; step < stepCount; step++) {
      this.#step(scenario);
      await settle();
      await this.#checkOwners(scenario, step);
      if (this.#random.below(12) === 0) await this.#compare(scenario, step);
    }
    scenario.writer.release();
    this.#holding = false;
    await this.#compare(scenario, stepCount);
    const states = await this.#comeToRest(scenario);
    await this.#vanish(scenario);
    return states;
  }

  #step(scenario: Scenario): void {
    const consumer = this.#consumers[this.#random.below(Math.max(1, this.#consumers.length))];
    const classic = this.#classics[this.#random.below(Math.max(1, this.#classics.length))];
    const choice = this.#random.below(24);
    if (choice === 0 || consumer === undefined) this.#addConsumer(scenario);
    else if (choice === 1) this.#addClassic(scenario);
    else if (choice < 10) this.#start(consumer.beat());
    else if (choice < 11) this.#start(consumer.briefBeat());
    else if (choice < 14 && classic) this.#start(beatClassic(classic));
    else if (choice === 14) this.#resubscribe(consumer);
    else if (choice === 15) this.#start(this.#leave(consumer));
    else if (choice === 16 && classic) this.#start(this.#leaveClassic(classic));
    else if (choice === 17) scenario.clock.advance(this.#random.below(20_000));
    else if (choice === 18) this.#changeTopics(scenario);
    else if (choice === 19) this.#start(this.#commit(consumer));
    else if (choice === 20) this.#start(this.#administer(scenario));
    else this.#moveLog(scenario);
  }

  #addConsumer(scenario: Scenario): void {
    if (this.#consumers.length >= 8) return;
    const isStatic = this.#random.below(3) === 0;
    const consumer = new ScriptedConsumer(scenario, {
      memberId: `m${this.#consumers.length}`,
      groupId: this.#pick(groupIds),
      instanceId: isStatic ? `i${this.#random.below(2)}` : null,
      serverAssignor: this.#pick([null, 'range', 'uniform']),
      rebalanceTimeoutMs: 15_000,
    });
    this.#consumers.push(consumer);
    this.#resubscribe(consumer);
    this.#start(consumer.beat());
  }

  #addClassic(scenario: Scenario): void {
    if (this.#classics.length >= 4) return;
    const isStatic = this.#random.below(3) === 0;
    const member = scenario.member(`c${this.#classics.length}`, {
      groupId: this.#pick(groupIds),
      groupInstanceId: isStatic ? `i${this.#random.below(2)}` : null,
      rebalanceTimeoutMs: 15_000,
      sessionTimeoutMs: 30_000,
    });
    this.#classics.push(member);
    this.#start(beatClassic(member));
    scenario.clock.advance(0);
  }

  #resubscribe(consumer: ScriptedConsumer): void {
    const usesRegex = this.#random.below(4) === 0;
    consumer.options.topics = usesRegex ? [] : names.filter(() => this.#random.below(2) === 0);
    consumer.options.regex = usesRegex ? this.#pick(['ord.*', '.*s', 'pay.+|extra.*']) : '';
  }

  #leave(consumer: ScriptedConsumer): Promise<string> {
    const isAway = consumer.options.instanceId !== null && this.#random.below(2) === 0;
    return consumer.leave(isAway ? -2 : -1);
  }

  async #leaveClassic(member: ScriptedMember): Promise<void> {
    await member.leave();
    member.memberId = '';
  }

  #changeTopics(scenario: Scenario): void {
    const { topics } = scenario;
    const choice = this.#random.below(4);
    if (choice === 0 && this.#topicCount < 5) {
      const name = `extra${this.#topicCount++}s`;
      topics.add(name, 1 + this.#random.below(3));
      this.#start(scenario.coordinator.onTopicsChanged([name], true));
    } else if (choice === 1 && topics.topicId('returns') === undefined) {
      topics.add('returns', 2);
      this.#start(scenario.coordinator.onTopicsChanged(['returns'], true));
    } else if (choice === 2) {
      topics.partitionCounts.set('orders', (topics.partitionCount('orders') ?? 3) + 1);
      this.#start(scenario.coordinator.onTopicsChanged(['orders'], false));
    } else {
      topics.ids.delete('returns');
      this.#start(scenario.coordinator.onTopicsChanged(['returns'], false));
      this.#start(scenario.coordinator.onTopicsDeleted(['returns']));
    }
  }

  #commit(consumer: ScriptedConsumer): Promise<string> {
    return consumer.commit('orders', this.#random.below(3), BigInt(this.#random.below(1000)));
  }

  async #administer(scenario: Scenario): Promise<void> {
    const groupId = this.#pick(groupIds);
    const choice = this.#random.below(8);
    if (choice < 4) await scenario.call('deleteGroups', 2, { groupsNames: [groupId] });
    else if (choice === 4) await scenario.coordinator.removeMembers(groupId, 'chance');
  }

  #moveLog(scenario: Scenario): void {
    if (!this.#holding) scenario.writer.hold();
    else if (this.#random.below(3) === 0) {
      scenario.writer.failHeld(errorCodes.NOT_ENOUGH_REPLICAS);
    } else scenario.writer.release();
    this.#holding = !this.#holding;
  }

  async #checkOwners(scenario: Scenario, step: number): Promise<void> {
    for (const groupId of groupIds) {
      const { members } = await describeConsumers(scenario, groupId);
      for (const side of ['assignment', 'targetAssignment'] as const) {
        const all = members.flatMap((member) => [...partitionNames(member[side].topicPartitions)]);
        assert.equal(new Set(all).size, all.length, `${this.#where(step, groupId)}: ${side}`);
      }
    }
  }

  async #compare(scenario: Scenario, step: number): Promise<void> {
    if (this.#holding) return;
    await scenario.pass(1_000);
    const read = await scenario.restart();
    read.topics.ids.clear();
    for (const [name, id] of scenario.topics.ids) read.topics.ids.set(name, id);
    for (const groupId of groupIds) {
      const where = this.#where(step, groupId);
      const live = sorted(await describeConsumers(scenario, groupId));
      assert.deepEqual(sorted(await describeConsumers(read, groupId)), live, where);
    }
    read.coordinator.dispose();
  }

  /** Whoever is there beats on: all get what they subscribe to, between them all there is of it. */
  async #comeToRest(scenario: Scenario): Promise<string[]> {
    this.#retireRivals();
    for (let round = 0; round < 40; round++) {
      for (const consumer of this.#consumers) await consumer.beat();
      for (const classic of this.#classics) {
        this.#start(beatClassic(classic));
        await settle();
      }
      await scenario.pass(2_000);
    }
    const states: string[] = [];
    for (const groupId of groupIds) {
      const group = await describeConsumers(scenario, groupId);
      if (nameOf(group.errorCode) !== 'NONE')
        states.push(await this.#restOfClassic(scenario, groupId));
      else states.push(this.#checkRest(scenario, group));
    }
    return states;
  }

  /** Who has the same instance id as another would take its place for ever. */
  #retireRivals(): void {
    const seen = new Set<string>();
    const isFirst = (groupId: string, instanceId: string | null): boolean => {
      const key = `${groupId} ${instanceId}`;
      return instanceId === null || (!seen.has(key) && Boolean(seen.add(key)));
    };
    this.#consumers = this.#consumers.filter(({ options }) =>
      isFirst(options.groupId, options.instanceId),
    );
    this.#classics = this.#classics.filter(({ options }) =>
      isFirst(options.groupId, options.groupInstanceId),
    );
  }

  async #restOfClassic(scenario: Scenario, groupId: string): Promise<string> {
    const state = await scenario.stateOf(groupId);
    assert.ok(['Stable', 'Empty', 'Dead'].includes(state), `${this.#where(-1, groupId)}: ${state}`);
    return state === 'Stable' ? 'classic' : 'gone';
  }

  #checkRest(scenario: Scenario, group: DescribedConsumerGroup): string {
    const where = this.#where(-1, group.groupId);
    if (group.groupState === 'Empty') return 'Empty';
    assert.equal(group.groupState, 'Stable', `${where}: ${JSON.stringify(group)}`);
    const subscribed = new Set<string>();
    const assigned: string[] = [];
    for (const member of group.members) {
      const own = partitionNames(member.assignment.topicPartitions);
      assert.deepEqual(own, partitionNames(member.targetAssignment.topicPartitions), where);
      assigned.push(...own);
      for (const name of member.subscribedTopicNames) subscribed.add(name);
      const consumer = this.#consumers.find(({ memberId }) => memberId === member.memberId);
      if (member.memberType === 1) assert.deepEqual(consumer?.owned, own, where);
    }
    for (const name of subscribed) {
      const topicId = scenario.topics.topicId(name);
      if (topicId === undefined) continue;
      for (let index = 0; index < (scenario.topics.partitionCount(name) ?? 0); index++) {
        assert.ok(
          assigned.includes(`${topicId}-${index}`),
          `${where}: ${name}-${index} has nobody: ${JSON.stringify(group)}`,
        );
      }
    }
    return 'Stable';
  }

  /** Nobody beats any more. */
  async #vanish(scenario: Scenario): Promise<void> {
    for (let minute = 0; minute < 10; minute++) await scenario.pass(60_000);
    assert.equal(this.#open.size, 0, `seed ${this.#seed}: requests without answer`);
    for (const groupId of groupIds) {
      const { members } = await describeConsumers(scenario, groupId);
      assert.deepEqual(members, [], this.#where(-1, groupId));
    }
    await this.#compare(scenario, stepCount + 1);
    assert.equal(scenario.clock.pendingTimers, 0, `seed ${this.#seed}: timers left`);
  }

  #where(step: number, groupId: string): string {
    return `seed ${this.#seed}, step ${step}, group ${groupId}`;
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

/** What a consumer of the classic protocol does next. */
async function beatClassic(member: ScriptedMember): Promise<void> {
  if (member.memberId !== '' && member.generationId >= 0) {
    const error = await member.heartbeat();
    if (error === 'NONE') return;
    if (error !== 'REBALANCE_IN_PROGRESS') member.memberId = '';
  }
  const { errorCode } = await member.join();
  if (errorCode !== 0) {
    if (nameOf(errorCode) !== 'REBALANCE_IN_PROGRESS') member.memberId = '';
    return;
  }
  await member.sync();
}

function sorted(group: DescribedConsumerGroup): DescribedConsumerGroup {
  const members = group.members.toSorted((a, b) => (a.memberId < b.memberId ? -1 : 1));
  for (const { assignment, targetAssignment, subscribedTopicNames } of members) {
    for (const { topicPartitions } of [assignment, targetAssignment]) {
      topicPartitions.sort((a, b) => (a.topicId < b.topicId ? -1 : 1));
      for (const { partitions } of topicPartitions) partitions.sort((a, b) => a - b);
    }
    subscribedTopicNames.sort();
  }
  return { ...group, members };
}
