// The broker is killed at every single write that transactions come to; afterwards every count is exact.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import { type RunningCluster, startCluster } from '../../../src/broker/cluster.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { RawClient } from '../broker/support/rawClient.ts';
import { createTopic, errorName } from '../broker/support/servers.ts';
import { type Death, DyingProcess } from './support/dyingFileSystem.ts';
import {
  consume,
  fetchOnce,
  patiently,
  type Protocol,
  RawProducer,
  versions,
} from './support/rawProducer.ts';

const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 2 ** 31);
const schedules = Number(process.env['KAFKA_WORKBENCH_SCHEDULES'] ?? 3);

const [topic, groupId, transactionalId] = ['results', 'workers', 'worker'];
const configs = {
  'offsets.topic.num.partitions': '1',
  'transaction.state.log.num.partitions': '1',
};

class Killed extends Error {}

/**
 * A worker that takes numbers one after another and writes each to two partitions, and that it has taken it, in
 * one transaction; some it aborts and does again. Whenever the broker dies, a new one starts on the same files,
 * and a new worker with the same transactional id.
 */
class Application {
  readonly #memory = new MemoryFileSystem();
  readonly #protocol: Protocol;
  readonly #random: Random;
  readonly #count: number;
  #transactions = 0;
  deaths = 0;

  constructor(options: { protocol: Protocol; random: Random; count: number }) {
    this.#protocol = options.protocol;
    this.#random = options.random;
    this.#count = options.count;
  }

  async create(): Promise<void> {
    await this.#live(undefined, async (client) => {
      await createTopic(client, topic, { partitions: 2 });
      await RawProducer.start(client, transactionalId, this.#protocol);
      await patiently(
        () => client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: [groupId] }),
        ({ coordinators }) => coordinators[0]?.errorCode ?? -1,
      );
    });
  }

  /** Works until the broker dies; answers how often the broker wrote. */
  workUntil(death: Death): Promise<number> {
    return this.#live(death, (client) => this.#work(client));
  }

  /** Works until all is done, and looks at what came of it. */
  async finish(): Promise<void> {
    await this.#live(undefined, async (client) => {
      await this.#work(client);
      await this.#check(client);
    });
  }

  async #work(client: RawClient): Promise<void> {
    const producer = await RawProducer.start(client, transactionalId, this.#protocol);
    for (;;) {
      const next = await nextNumber(client);
      if (next >= this.#count) return;
      await this.#transact(client, producer, next);
      // Of a commit's markers and last record more is to be seen while nothing else is written.
      if (this.#random.below(2) === 0) await producer.settled();
    }
  }

  async #transact(client: RawClient, producer: RawProducer, number: number): Promise<void> {
    if (this.#protocol === 'v1') {
      expectNone((await producer.addPartitions(topic, 0, 1))[0]);
      const { transactionalId: id, producerId, producerEpoch } = producer;
      const { errorCode } = await client.call('addOffsetsToTxn', 3, {
        transactionalId: id,
        producerId,
        producerEpoch,
        groupId,
      });
      expectNone(errorName(errorCode));
    }
    for (const partition of [0, 1]) {
      expectNone(await producer.send(topic, [`${number}`], { partition }));
    }
    expectNone(await this.#commitNumber(client, producer, number + 1));
    // The first is aborted and done again.
    const isCommit = this.#transactions++ > 0 && this.#random.below(3) > 0;
    expectNone(isCommit ? await producer.commit() : await producer.abort());
  }

  async #commitNumber(client: RawClient, producer: RawProducer, next: number): Promise<string> {
    const { producerId, producerEpoch } = producer;
    const partitions = [{ partitionIndex: 0, committedOffset: BigInt(next) }];
    const { topics } = await patiently(
      () =>
        client.call('txnOffsetCommit', versions[this.#protocol].txnOffsetCommit, {
          transactionalId,
          groupId,
          producerId,
          producerEpoch,
          topics: [{ name: topic, partitions }],
        }),
      (answer) => answer.topics[0]?.partitions[0]?.errorCode ?? -1,
    );
    return errorName(topics[0]?.partitions[0]?.errorCode);
  }

  /** Every number is there once and in order, in both partitions, and no transaction is left open. */
  async #check(client: RawClient): Promise<void> {
    const numbers = Array.from({ length: this.#count }, (_, n) => String(n));
    const last = new RawProducer(client, transactionalId, this.#protocol);
    assert.equal(await last.init(), 'NONE');
    for (const partition of [0, 1]) {
      assert.deepEqual(await consume(client, topic, { partition }), numbers);
      const { lastStableOffset, highWatermark } = await fetchOnce(client, topic, { partition });
      assert.equal(lastStableOffset, highWatermark);
    }
    assert.equal(await nextNumber(client), this.#count);
  }

  /** One life of the broker. */
  async #live(
    death: Death | undefined,
    use: (client: RawClient) => Promise<void>,
  ): Promise<number> {
    let client: RawClient | undefined;
    const broker = new DyingProcess(this.#memory, death, () => client?.close());
    let cluster: RunningCluster | undefined;
    try {
      const { fileSystem } = broker;
      cluster = await startCluster({ dataDir: '/data', port: 0, fileSystem, configs });
      client = await RawClient.open(cluster.bootstrap);
      await use(client);
    } catch (error) {
      if (!broker.isDead) throw error;
      this.deaths++;
    }
    client?.close();
    // What is left of a dead process has no effect on the files.
    await cluster?.close().catch((error: unknown) => {
      if (!broker.isDead) throw error;
    });
    return broker.writes;
  }
}

function expectNone(error: string | undefined): void {
  if (error !== 'NONE') throw new Killed(`an answer was ${error}`);
}

/** The number that the group has come to; waits while a transaction may change it. */
async function nextNumber(client: RawClient): Promise<number> {
  for (;;) {
    const { groups } = await patiently(
      () =>
        client.call('offsetFetch', 8, {
          groups: [{ groupId, topics: [{ name: topic, partitionIndexes: [0] }] }],
          requireStable: true,
        }),
      (answer) => answer.groups[0]?.errorCode ?? -1,
    );
    const partition = groups[0]?.topics[0]?.partitions[0];
    if (!partition) throw new Killed('no offset');
    if (partition.errorCode === 0) return Math.max(0, Number(partition.committedOffset));
    await sleep(5);
  }
}

describe(`transactions of a broker that is killed, KAFKA_WORKBENCH_SEED=${seed}`, function () {
  this.timeout(120_000);

  for (const protocol of Object.keys(versions) as Protocol[]) {
    it(`[A4] [A6] are exact after a kill at any of their writes (${protocol}, embedded)`, async () => {
      let atWrite = 0;
      for (let isOver = false; !isOver; atWrite++) {
        for (const isWritten of [false, true]) {
          const random = seededRandom(seed);
          const application = new Application({ protocol, random, count: 1 });
          await application.create();
          const writes = await application.workUntil({ atWrite, isWritten });
          isOver = writes <= atWrite;
          await application.finish();
        }
      }
      assert(atWrite > 15, `only ${atWrite} writes`);
    });

    it(`[A4] [A6] are exact after many kills at random (${protocol}, embedded)`, async () => {
      for (let schedule = 0; schedule < schedules; schedule++) {
        const random = seededRandom(seed + schedule);
        const application = new Application({ protocol, random, count: 6 });
        await application.create();
        for (let life = 0; life < 6; life++) {
          const isWritten = random.below(2) === 0;
          await application.workUntil({ atWrite: random.below(40), isWritten });
        }
        await application.finish();
        assert(application.deaths > 0);
      }
    });
  }
});
