// Topics that consumer groups read, with ids that lie alike on both brokers.
import { setTimeout as sleep } from 'node:timers/promises';
import { javaStringHash } from '../../../../src/coordinator/javaStringHash.ts';
import { joining } from '../../../differential/support/consumerRequests.ts';
import type { Run } from '../../../differential/support/run.ts';
import type { Chance } from './randomSequences.ts';

export interface ReadTopic {
  readonly name: string;
  /** Of the last one by this name. */
  id: string;
  /** Of those before it. */
  readonly oldIds: string[];
  /** None: it is not there. */
  partitions: number;
  readonly place: Place;
}

/** In which third of the buckets of a HashMap, and of all ids, a topic's id is. */
interface Place {
  readonly ofBucket: number;
  readonly ofOrder: number;
}

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** More than it takes to come by an id in a place that one in nine is in. */
const mostAttempts = 300;
const patience = 1500;

/**
 * Three topics. Kafka goes through topics in the order of their ids' hashes, or of their ids, as it assigns, and ids
 * are random: so that both brokers have one order, a topic is made anew until its id is where the sequence has it.
 */
export class ReadTopics {
  readonly all: readonly ReadTopic[];
  readonly #run: Run;
  readonly #probe: string;
  #probes = 0;

  /** What the coordinator knows it knows for each partition of its log: it is asked about that of `groupId`. */
  constructor(run: Run, chance: Chance, groupId: string) {
    this.#run = run;
    this.#probe = groupId;
    const [buckets, ids] = [chance.of(orders), chance.of(orders)];
    this.all = [0, 1, 2].map((i) => ({
      name: run.fresh('topic'),
      id: '',
      oldIds: [],
      partitions: 0,
      place: { ofBucket: buckets[i] ?? 0, ofOrder: ids[i] ?? 0 },
    }));
  }

  async create(topic: ReadTopic, partitions: number): Promise<void> {
    if (topic.id !== '') topic.oldIds.push(topic.id);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const { topics } = await this.#run.prepare('createTopics', 7, {
        topics: [{ name: topic.name, numPartitions: 1, replicationFactor: 1 }],
        timeoutMs: 10_000,
      });
      topic.id = topics[0]?.topicId ?? '';
      if (isAt(topic.id, topic.place)) {
        const name = `${topic.name} of ${topic.oldIds.length}`;
        this.#run.topics.push({ name, id: topic.id, partitions: 0 });
        if (partitions > 1) await this.#increase(topic, partitions);
        return this.#untilKnown(topic, partitions);
      }
      await this.#delete(topic);
    }
    throw new Error(`no id of ${topic.name} was where it should be`);
  }

  async grow(topic: ReadTopic, partitions: number): Promise<void> {
    await this.#increase(topic, partitions);
    await this.#untilKnown(topic, partitions);
  }

  async remove(topic: ReadTopic): Promise<void> {
    await this.#delete(topic);
    await this.#untilKnown(topic, 0);
  }

  async #delete({ name, id }: ReadTopic): Promise<void> {
    const request = { topics: [{ name: null, topicId: id }], timeoutMs: 10_000 };
    const { responses } = await this.#run.prepare('deleteTopics', 6, request);
    if (responses[0]?.errorCode !== 0) throw new Error(`${name}: ${responses[0]?.errorMessage}`);
  }

  async #increase({ name }: ReadTopic, count: number): Promise<void> {
    const topics = [{ name, count, assignments: null }];
    await this.#run.prepare('createPartitions', 3, { topics, timeoutMs: 10_000 });
  }

  async #untilKnown(topic: ReadTopic, partitions: number): Promise<void> {
    for (let attempt = 0; attempt < patience; attempt++) {
      const request = joining(this.#nextProbe(), 'probe', topic.name);
      const { assignment } = await this.#run.prepare('consumerGroupHeartbeat', 1, request);
      const known = assignment?.topicPartitions.map((each) => each.partitions.length) ?? [];
      if ((known[0] ?? 0) === partitions) {
        topic.partitions = partitions;
        return;
      }
      await sleep(20);
    }
    throw new Error(`the coordinator does not hear of ${topic.name}`);
  }

  /** A group of the same partition of `__consumer_offsets`. */
  #nextProbe(): string {
    for (;;) {
      const name = `${this.#probe}-probe-${++this.#probes}`;
      if (partitionOf(name) === partitionOf(this.#probe)) return name;
    }
  }
}

/** Of `__consumer_offsets`. */
export const partitionOf = (groupId: string): number => javaStringHash(groupId) % 50;

function isAt(id: string, { ofBucket, ofOrder }: Place): boolean {
  const bytes = Buffer.from(id, 'base64url');
  const hash = [0, 4, 8, 12].reduce((sum, at) => sum ^ bytes.readInt32BE(at), 0);
  const bucket = (hash ^ (hash >>> 16)) & 15;
  const order = bytes.readInt8(0) + 128;
  return Math.floor(bucket / 5) === ofBucket && Math.floor(order / 85) === ofOrder;
}
