// What lies in logs: produced, read, looked for and deleted, in topics that are made anew and set otherwise.
import { int32Max, produceTo } from '../../differential/support/requests.ts';
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import { type ChangingTopic, ChangingTopics } from './support/changingTopics.ts';
import { distinct } from './support/distinct.ts';
import { changedBatch, randomBatch, type Sender, timeOf } from './support/randomBatches.ts';
import { type Chance, compareRandomly, type Sequence } from './support/randomSequences.ts';

/** Sequences of idempotent producers, as far as a sequence has followed them. */
class Producers {
  readonly #next = new Map<string, { epoch: number; last: number; next: number }>();
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** The sequence that is due, mostly; it is taken for written. */
  send(where: string, count: number): Sender {
    const producerId = BigInt(1000 + this.#chance.below(3));
    const key = `${where} ${producerId}`;
    const known = this.#next.get(key) ?? { epoch: 0, last: 0, next: 0 };
    const epoch = known.epoch + (this.#chance.oneIn(10) ? 1 : 0);
    const due = epoch > known.epoch ? 0 : known.next;
    if (this.#chance.oneIn(3))
      return {
        producerId: this.#chance.oneIn(20) ? -2n : producerId,
        producerEpoch: this.#chance.oneIn(5) ? this.#chance.below(4) - 1 : known.epoch,
        baseSequence: this.#chance.of([known.last, known.last, 0, due + 1, -1, int32Max]),
      };
    this.#next.set(key, { epoch, last: due, next: due + count });
    return { producerId, producerEpoch: epoch, baseSequence: due };
  }
}

const asReplica = (replicaId: number, version: number): RequestInput<'fetch'> =>
  version < 15 ? { replicaId } : { replicaState: { replicaId } };

const sizes = [-1, 0, 1, 100, 250, 700, int32Max, int32Max];
/** Where batches have other sizes on both sides. */
const anySizes = [-1, 0, 1, int32Max, int32Max];
const specials = [-1n, -2n, -3n, -4n, -5n, -6n, -7n, -100n];

const records: Sequence = async (run, chance) => {
  const topics = new ChangingTopics(run, chance);
  const producers = new Producers(chance);
  await topics.make(2);
  for (let step = 0; step < 50; step++) {
    const ask = chance.step([
      [20, produce],
      [1, produceUnasked],
      [8, fetch],
      [8, listOffsets],
      [3, deleteRecords],
      [2, epochs],
      [1, () => topics.deleteOrMake()],
      [2, () => topics.configure()],
    ]);
    await ask();
  }
  topics.noteSegments();

  function batchFor(where: string): Buffer {
    const count = 1 + chance.below(4);
    const sender = chance.oneIn(2) ? producers.send(where, count) : undefined;
    const batch = randomBatch(chance, count, sender);
    if (chance.oneIn(12)) return changedBatch(chance, batch);
    return chance.oneIn(25) ? Buffer.concat([batch, randomBatch(chance, 1)]) : batch;
  }

  async function produce() {
    const version = chance.of(run.versions('produce'));
    const topicData = distinct(1 + chance.below(2), () => topics.get()).map((topic) => ({
      ...(version >= 13 ? { topicId: topics.idOf(topic) } : { name: topics.nameOf(topic) }),
      partitionData: distinct(1 + chance.below(2), () => topics.partitionOf(topic)).map(
        (index) => ({ index, records: batchFor(`${topic.id} ${index}`) }),
      ),
    }));
    const acks = chance.oneIn(30) ? 2 : chance.of([-1, 1]);
    const again = chance.oneIn(15) ? topicData.slice(0, 1) : [];
    await run.ask('produce', version, {
      acks,
      timeoutMs: 10_000,
      topicData: [...topicData, ...again],
    });
  }

  /** What is asked next on its connection is done after it. */
  async function produceUnasked() {
    const topic = topics.get();
    if (!topic.isThere) return;
    const [index, version] = [chance.below(topic.partitions), run.latest('produce')];
    const client = await run.connect();
    const batch = randomBatch(chance, 1 + chance.below(3));
    client.send('produce', version, produceTo(topic, version, batch, { index, acks: 0 }));
    const partitions = [{ partitionIndex: index, timestamp: -1n }];
    const topicsAsked = { replicaId: -1, topics: [{ name: topic.name, partitions }] };
    await run.closingOn(['listOffsets', run.latest('listOffsets'), topicsAsked], client);
  }

  async function fetch() {
    const version = chance.of(run.versions('fetch'));
    const bytes = topics.isRecompressed ? anySizes : sizes;
    const topicsAsked = distinct(1 + chance.below(2), () => topics.get()).map((topic) => ({
      ...(version >= 13 ? { topicId: topics.idOf(topic) } : { topic: topics.nameOf(topic) }),
      partitions: distinct(1 + chance.below(3), () => topics.partitionOf(topic)).map(
        (partition) => ({
          partition,
          fetchOffset: offset(),
          partitionMaxBytes: chance.of(bytes),
          currentLeaderEpoch: epoch(),
          lastFetchedEpoch: version >= 12 ? epoch() : -1,
          logStartOffset: chance.of([-1n, 0n, 3n]),
        }),
      ),
    }));
    await run.ask('fetch', version, {
      maxWaitMs: chance.of([0, 0, 0, 1, -1]),
      minBytes: chance.of([0, 1, 1000, -1]),
      maxBytes: chance.of(bytes),
      isolationLevel: chance.oneIn(20) ? chance.of([2, -1]) : chance.below(2),
      topics: topicsAsked,
      ...(version >= 11 && { rackId: chance.of(['', 'rack']) }),
      ...(chance.oneIn(10) && asReplica(chance.of([-1, -2, -3, 1, 7]), version)),
    });
  }

  async function listOffsets() {
    const version = chance.of(run.versions('listOffsets'));
    const asked = distinct(1 + chance.below(2), () => topics.get()).map((topic) => ({
      name: topics.nameOf(topic),
      partitions: distinct(1 + chance.below(3), () => topics.partitionOf(topic)).map(
        (partitionIndex) => ({
          partitionIndex,
          timestamp: timeFor(topic),
          currentLeaderEpoch: epoch(),
        }),
      ),
    }));
    await run.ask('listOffsets', version, {
      replicaId: chance.oneIn(10) ? chance.of([-2, -3, 1, 7]) : -1,
      isolationLevel: version >= 2 ? chance.below(2) : 0,
      topics: asked,
      timeoutMs: 10_000,
    });
  }

  function timeFor({ hasAppendTime }: ChangingTopic): bigint {
    const time = chance.oneIn(2) ? chance.of(specials) : timeOf(chance);
    // Which of the records that came in one millisecond is the first of it depends on the milliseconds.
    return time === -3n && hasAppendTime ? -1n : time;
  }

  async function deleteRecords() {
    const topic = topics.get();
    const partitionIndex = topics.partitionOf(topic);
    const partitions = [{ partitionIndex, offset: offset() }];
    await run.ask('deleteRecords', chance.of(run.versions('deleteRecords')), {
      topics: [{ name: topics.nameOf(topic), partitions }],
      timeoutMs: 10_000,
    });
  }

  async function epochs() {
    const topic = topics.get();
    const partition = topics.partitionOf(topic);
    const partitions = [{ partition, currentLeaderEpoch: epoch(), leaderEpoch: epoch() }];
    await run.ask('offsetForLeaderEpoch', chance.of(run.versions('offsetForLeaderEpoch')), {
      replicaId: chance.of([-1, -1, -2, 1, 7]),
      topics: [{ topic: topics.nameOf(topic), partitions }],
    });
  }

  function offset(): bigint {
    return chance.oneIn(8) ? chance.of([-1n, -2n, 1000n]) : BigInt(chance.below(30));
  }

  function epoch(): number {
    return chance.oneIn(8) ? chance.of([0, 0, 1, 5, -2]) : -1;
  }
};

compareRandomly('open', { records });
