import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../../src/base/random.ts';
import { errorCodes, type ErrorName } from '../../../../src/protocol/errors.ts';
import { settle } from '../support/scenario.ts';
import { TransactionScenario } from './support/transactionScenario.ts';

const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 2 ** 31);
const schedules = Number(process.env['KAFKA_WORKBENCH_SCHEDULES'] ?? 30);
const stepCount = 120;

const ids = ['a', 'b', 'c'];
const partitionCount = 4;
const passingErrors: readonly ErrorName[] = ['NOT_LEADER_OR_FOLLOWER', 'KAFKA_STORAGE_ERROR'];

/** A producer as its application sees it. */
interface Producer {
  readonly id: string;
  producerId: bigint;
  producerEpoch: number;
  partitions: Set<number>;
}

/** A transaction whose outcome was answered: the marker that each of its partitions has to have. */
interface Decided {
  readonly marker: string;
  readonly opposite: string;
  readonly partitions: readonly number[];
}

/**
 * Producers begin, grow and end transactions at random, while the log holds, commits and fails, partitions refuse,
 * brokers go away, time passes and coordinators die. What was answered must hold: each partition of a transaction
 * gets the marker of its outcome and never the other, the state is what the log says, and all come to rest.
 */
class Schedule {
  readonly #random: Random;
  readonly #where: string;
  readonly #producers = ids.map((id): Producer => ({ ...freshProducer, id }));
  readonly #decided: Decided[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #scenario: TransactionScenario;
  #isHolding = false;

  constructor(scenario: TransactionScenario, ofSeed: number) {
    this.#scenario = scenario;
    this.#random = seededRandom(ofSeed);
    this.#where = `seed ${ofSeed}`;
  }

  async run(): Promise<void> {
    for (let step = 0; step < stepCount; step++) {
      await this.#step();
      await settle();
      if (step % 10 === 0 && !this.#isHolding) await this.#compare();
    }
    await this.#comeToRest();
    this.#checkMarkers();
  }

  async #step(): Promise<void> {
    const producer = this.#pick(this.#producers);
    const { brokers, coordinator } = this.#scenario;
    const choice = this.#random.below(20);
    if (choice < 4) this.#start(this.#init(producer));
    else if (choice < 10) this.#start(this.#add(producer));
    else if (choice < 14) this.#start(this.#end(producer));
    else if (choice === 14) this.#moveLog();
    else if (choice === 15) {
      const partition = `t-${this.#random.below(partitionCount)}`;
      if (!brokers.errors.delete(partition))
        brokers.errors.set(partition, this.#pick(passingErrors));
    } else if (choice === 16) {
      if (!brokers.down.delete(0)) brokers.down.add(0);
    } else if (choice === 17) await this.#scenario.pass(this.#random.below(40_000));
    else if (choice === 18) this.#start(coordinator.abortTimedOut());
    else if (this.#random.below(3) === 0) await this.#die();
  }

  async #init(producer: Producer): Promise<void> {
    const answer = await this.#scenario.coordinator.initProducerId({
      transactionalId: producer.id,
      timeoutMs: 60_000,
      expected: undefined,
    });
    if (answer.errorCode !== errorCodes.NONE) return;
    const { producerId, producerEpoch } = answer;
    Object.assign(producer, { producerId, producerEpoch, partitions: new Set<number>() });
  }

  async #add(producer: Producer): Promise<void> {
    const partition = this.#random.below(partitionCount);
    const { producerEpoch, partitions } = producer;
    const error = await this.#scenario.add(producer.id, producer, partition);
    if (error === 'NONE' && producer.producerEpoch === producerEpoch) partitions.add(partition);
  }

  async #end(producer: Producer): Promise<void> {
    const { id, producerId, producerEpoch } = producer;
    const partitions = [...producer.partitions];
    const isCommit = this.#random.below(2) === 0;
    const answer = await this.#scenario.end(id, producer, isCommit);
    if (answer.errorCode !== errorCodes.NONE) return;
    const [outcome, other] = isCommit ? ['commit', 'abort'] : ['abort', 'commit'];
    const by = `${producerId}/${producerEpoch + 1}`;
    this.#decided.push({ marker: `${by} ${outcome}`, opposite: `${by} ${other}`, partitions });
    if (producer.producerEpoch !== producerEpoch) return;
    producer.producerId = answer.producerId;
    producer.producerEpoch = answer.producerEpoch;
    producer.partitions = new Set();
  }

  #moveLog(): void {
    const { writer } = this.#scenario;
    if (!this.#isHolding) writer.hold();
    else if (this.#random.below(3) === 0) writer.failHeld(errorCodes.NOT_ENOUGH_REPLICAS);
    else writer.release();
    this.#isHolding = !this.#isHolding;
  }

  /** What waited for the log is lost, and nobody hears of it. */
  async #die(): Promise<void> {
    this.#scenario.coordinator.dispose();
    if (this.#isHolding) this.#scenario.writer.failHeld(errorCodes.NOT_LEADER_OR_FOLLOWER);
    this.#isHolding = false;
    await Promise.all(this.#underWay);
    this.#scenario = await this.#scenario.restart();
  }

  /** The live state is what another coordinator reads in the log. */
  async #compare(): Promise<void> {
    const { writer, clock } = this.#scenario;
    const read = await TransactionScenario.start({ entries: writer.entries, clock });
    for (const id of ids) {
      const live = this.#scenario.coordinator.describeTransaction(id);
      // It goes on with what was decided at once, which the live one may still be at.
      if (live.transactionState?.startsWith('Prepare')) continue;
      assert.deepEqual(read.coordinator.describeTransaction(id), live, this.#where);
    }
    read.coordinator.dispose();
  }

  async #comeToRest(): Promise<void> {
    const { brokers, writer } = this.#scenario;
    if (this.#isHolding) writer.release();
    this.#isHolding = false;
    brokers.errors.clear();
    brokers.down.clear();
    await this.#scenario.pass(200_000);
    await this.#scenario.coordinator.abortTimedOut();
    await this.#scenario.pass(1000);
    await Promise.all(this.#underWay);
    for (const id of ids) {
      const rest = ['Empty', 'CompleteCommit', 'CompleteAbort', 'TRANSACTIONAL_ID_NOT_FOUND'];
      assert(rest.includes(this.#scenario.stateOf(id)), `${this.#where}: ${id} is not at rest`);
    }
    await this.#compare();
  }

  #checkMarkers(): void {
    const { markers } = this.#scenario.brokers;
    for (const { marker, opposite, partitions } of this.#decided) {
      for (const taken of markers.values()) {
        assert(!(taken.includes(marker) && taken.includes(opposite)), `${this.#where}: ${marker}`);
      }
      for (const partition of partitions) {
        const taken = markers.get(`t-${partition}`) ?? [];
        assert(taken.includes(marker), `${this.#where}: t-${partition} lacks ${marker}`);
        assert(!taken.includes(opposite), `${this.#where}: t-${partition} has ${opposite}`);
      }
    }
  }

  #start(work: Promise<unknown>): void {
    const done = work.then(() => undefined);
    this.#underWay.add(done);
    void done.finally(() => this.#underWay.delete(done));
  }

  #pick<T>(choices: readonly T[]): T {
    const choice = choices[this.#random.below(choices.length)];
    assert(choice !== undefined);
    return choice;
  }
}

const freshProducer = { producerId: -1n, producerEpoch: -1, partitions: new Set<number>() };

describe(`transactions over random schedules, KAFKA_WORKBENCH_SEED=${seed}`, () => {
  it('[A4] [A6] keep what was answered, and come to rest', async function () {
    this.timeout(60_000);
    for (let schedule = 0; schedule < schedules; schedule++) {
      await new Schedule(await TransactionScenario.start(), seed + schedule).run();
    }
  });
});
