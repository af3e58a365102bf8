// Topics of a random sequence, which are deleted, made again under the same name, and set otherwise as it goes.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createTopic } from '../../../wire/broker/support/servers.ts';
import { changing, describing, types } from '../../../differential/support/configRequests.ts';
import { unknownTopicId } from '../../../differential/support/requests.ts';
import type { Run, Topic } from '../../../differential/support/run.ts';
import type { Chance } from './randomSequences.ts';

type Configs = Record<string, string>;

/** What a sequence knows of a topic. */
export interface ChangingTopic extends Topic {
  /** Of those that had the name before. */
  readonly formerIds: readonly string[];
  readonly isThere: boolean;
  /** Some of its records may have the time of the day. */
  readonly hasAppendTime: boolean;
}

/** The source of what a topic was given itself. */
const ofTopics = 1;
const long = 2n ** 63n - 1n;

/** Never compacted while it is looked at. */
const uncompacted = { 'cleanup.policy': 'compact', 'min.cleanable.dirty.ratio': '1.0' };

const byTimes: readonly Configs[] = [
  {},
  { 'message.timestamp.type': 'LogAppendTime' },
  { 'message.timestamp.type': 'CreateTime' },
  { 'message.timestamp.before.max.ms': '1000' },
  { 'message.timestamp.before.max.ms': '300000000000' },
  { 'message.timestamp.after.max.ms': String(long) },
  { 'message.timestamp.after.max.ms': '0', 'message.timestamp.before.max.ms': '0' },
];
const bySizes: readonly Configs[] = [
  {},
  { 'internal.segment.bytes': '300' },
  { 'internal.segment.bytes': '1000', 'index.interval.bytes': '0' },
  { 'segment.index.bytes': '24', 'index.interval.bytes': '0' },
  { 'max.message.bytes': '250' },
  { 'compression.type': 'uncompressed' },
];
// How many bytes of it there are is up to the implementation of a codec: nothing may depend on it.
const byCodecs: readonly Configs[] = ['gzip', 'snappy', 'lz4', 'zstd'].map((codec) => ({
  'compression.type': codec,
}));
const byPolicy: readonly Configs[] = [{}, {}, {}, uncompacted, { 'cleanup.policy': 'delete' }];

export class ChangingTopics {
  readonly #run: Run;
  readonly #chance: Chance;
  readonly #topics: ChangingTopic[] = [];
  /** Brokers compress what they are sent: the sizes of batches are not the same on both sides. */
  readonly isRecompressed: boolean;

  constructor(run: Run, chance: Chance) {
    this.#run = run;
    this.#chance = chance;
    this.isRecompressed = chance.oneIn(3);
  }

  async make(count: number): Promise<void> {
    for (let i = 0; i < count; i++) this.#topics.push(await this.#made(this.#run.fresh('topic')));
  }

  get(): ChangingTopic {
    return this.#chance.of(this.#topics);
  }

  /** Its id, or one that it had, or one of nobody. */
  idOf({ id, formerIds }: ChangingTopic): string {
    return this.#chance.oneIn(10) ? this.#chance.of([id, ...formerIds, unknownTopicId]) : id;
  }

  nameOf({ name }: ChangingTopic): string {
    return this.#chance.oneIn(20) ? this.#chance.of([`${name}-not`, '', 'a b']) : name;
  }

  /** One of its partitions, or one that is not there. */
  partitionOf({ partitions }: ChangingTopic): number {
    const { below, of, oneIn } = bound(this.#chance);
    return oneIn(20) ? of([-1, partitions, 99]) : below(partitions);
  }

  async deleteOrMake(): Promise<void> {
    const topic = this.get();
    const { name } = topic;
    if (!topic.isThere) {
      this.#set(await this.#made(name, [...topic.formerIds, topic.id]));
      return;
    }
    await this.#run.ask('deleteTopics', 5, { topicNames: [name], timeoutMs: 10_000 });
    await this.#run.until(
      ['describeLogDirs', 1, { topics: [{ topic: name, partitions: [0, 1, 2] }] }],
      ({ results }) => results.every(({ topics }) => topics.length === 0),
    );
    this.#set({ ...topic, isThere: false });
  }

  /** Resolves once Kafka goes by it. */
  async configure(): Promise<void> {
    const topic = this.get();
    if (!topic.isThere) return;
    const { name } = topic;
    const changed = this.#configs();
    const changes = Object.entries(changed);
    if (changes.length === 0) return;
    const set = changes.map(([config, value]) => [config, 'set', value] as const);
    await this.#run.last('incrementalAlterConfigs', changing(types.topic, name, set));
    await this.#run.until(
      ['describeConfigs', 4, describing(types.topic, name, Object.keys(changed))],
      ({ results: [result] }) =>
        result?.configs.every(
          (told) => told.configSource === ofTopics && told.value === changed[told.name],
        ) === true,
    );
    // What is told is a little ahead of what is done, but what comes after is done after it.
    await createTopic(await this.#run.connect(), this.#run.fresh('after'));
    const setsTime = changed['message.timestamp.type'] === 'LogAppendTime';
    this.#set({ ...topic, hasAppendTime: topic.hasAppendTime || setsTime });
  }

  /** Where segments begin. */
  noteSegments(): void {
    if (this.isRecompressed) return;
    const segments = this.#topics.flatMap(({ name, partitions }) =>
      Array.from({ length: partitions }, (_, i) => ({ name, i, files: this.#files(name, i) })),
    );
    this.#run.note('produce', 9, { segments }, 'segments');
  }

  #files(name: string, partition: number): string {
    const folder = path.join(this.#run.logFolder, `${name}-${partition}`);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const logs = files.filter((file) => file.endsWith('.log')).sort();
    // Ours makes the first with the first batch.
    return logs.join(' ') || '00000000000000000000.log';
  }

  #configs(): Configs {
    const { of } = bound(this.#chance);
    const bySize = this.isRecompressed ? byCodecs : bySizes;
    return { ...of(byTimes), ...of(bySize), ...of(byPolicy) };
  }

  async #made(name: string, formerIds: readonly string[] = []): Promise<ChangingTopic> {
    const [partitions, configs] = [1 + this.#chance.below(3), this.#configs()];
    const id = await createTopic(await this.#run.connect(), name, { partitions, configs });
    const hasAppendTime = configs['message.timestamp.type'] === 'LogAppendTime';
    this.#run.topics.push({ name, id, partitions });
    return { name, id, partitions, formerIds, isThere: true, hasAppendTime };
  }

  #set(topic: ChangingTopic): void {
    const at = this.#topics.findIndex(({ name }) => name === topic.name);
    this.#topics[at] = topic;
  }
}

/** Its methods by themselves. */
const bound = (chance: Chance) => ({
  below: (limit: number) => chance.below(limit),
  oneIn: (count: number) => chance.oneIn(count),
  of: <T>(choices: readonly T[]) => chance.of(choices),
});
