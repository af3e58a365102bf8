// Members of consumer groups that read what regular expressions match, while topics change [KIP-848].
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  decodeCoordinatorRecord,
  groupRecordTypes,
} from '../../../src/protocol/records/coordinatorRecordCodec.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import type { Beat } from '../../differential/support/consumerRequests.ts';
import type { Run } from '../../differential/support/run.ts';
import { inOrder, type Member, memberNamed, say } from './support/consumerMember.ts';
import { partitionOf, ReadTopics } from './support/consumerTopics.ts';
import { type Chance, compareRandomly, type Sequence } from './support/randomSequences.ts';

/** Expressions are matched again at the first beat after so long. [REGEX_BATCH_REFRESH_MIN_INTERVAL_MS] */
const refreshMs = 10_500;
const patience = 1500;

class Group {
  readonly groupId: string;
  readonly #run: Run;
  readonly #chance: Chance;
  readonly #regexes: readonly string[];
  readonly #names: readonly string[];
  readonly #assignor: string | null;
  readonly #regexOf = new Map<Member, string>();
  /** Those that were matched, and that members still have. */
  #resolved = new Set<string>();

  get #members(): Member[] {
    return [...this.#regexOf.keys()];
  }

  constructor(run: Run, chance: Chance, groupId: string, names: readonly string[]) {
    this.groupId = groupId;
    this.#run = run;
    this.#chance = chance;
    this.#names = names;
    this.#assignor = chance.of([null, 'uniform', 'range']);
    const [a = '', b = '', c = ''] = names;
    const all = `${a.slice(0, -1)}.*`;
    this.#regexes = [all, `${a}|${b}`, `${b}|${c}`, c, `(?i)${a.toUpperCase()}`, 'nothing'];
  }

  /** After topics have come, and a while. */
  async refresh(): Promise<void> {
    const member = this.#members[0];
    if (member === undefined) return;
    this.#resolved.clear();
    await this.#say('again', member, {});
  }

  async play(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++)
      await this.#chance.step([
        [2, () => this.#join(this.#chance.of(['', ...this.#regexes]))],
        [8, () => this.#beat()],
        [2, () => this.#change()],
        [1, () => this.#leave()],
        [2, () => this.describe()],
      ])();
  }

  async #join(subscribedTopicRegex: string): Promise<void> {
    const member = memberNamed(this.#run.fresh('member'));
    await this.#say('joining', member, {
      subscribedTopicRegex,
      subscribedTopicNames: this.#chance.oneIn(2) ? null : this.#some(),
      rebalanceTimeoutMs: 600_000,
      topicPartitions: [],
    });
  }

  #some(): string[] {
    return this.#names.filter(() => this.#chance.oneIn(2));
  }

  async #beat(): Promise<void> {
    const member = this.#someone();
    await this.#say('beating', member, {
      topicPartitions: this.#chance.of([member.owned, member.owned, member.before, []]),
    });
  }

  async #change(): Promise<void> {
    const member = this.#someone();
    const regex = this.#chance.of(['', '(', ...this.#regexes]);
    await this.#say('changing', member, {
      subscribedTopicRegex: regex,
      ...(this.#chance.oneIn(3) && { subscribedTopicNames: this.#some() }),
      topicPartitions: member.owned,
    });
  }

  async #leave(): Promise<void> {
    await this.#say('leaving', this.#someone(), { memberEpoch: -1 });
  }

  async describe(): Promise<void> {
    const version = this.#chance.of(this.#run.versions('consumerGroupDescribe'));
    const request = { groupIds: [this.groupId] };
    const answer = await this.#run.prepare('consumerGroupDescribe', version, request);
    this.#run.note('consumerGroupDescribe', version, inOrder(answer));
  }

  #someone(): Member {
    const members = this.#members;
    return members.length > 0 ? this.#chance.of(members) : memberNamed('nobody');
  }

  /** Where nothing was matched yet, a heartbeat has all be matched, without waiting for that. */
  async #say(label: string, member: Member, more: Partial<Beat>): Promise<void> {
    const count = this.#resolved.size === 0 ? this.#resolvedCount() : Infinity;
    const request = { groupId: this.groupId, serverAssignor: this.#assignor, ...more };
    const answer = await say(this.#run, member, { version: 1, label, request });
    if (answer.errorCode !== 0) return;
    if (answer.memberEpoch < 0) this.#regexOf.delete(member);
    else this.#regexOf.set(member, more.subscribedTopicRegex ?? this.#regexOf.get(member) ?? '');
    const subscribed = new Set([...this.#regexOf.values()].filter((regex) => regex !== ''));
    const isMatched = answer.memberEpoch >= 0 && count < Infinity && subscribed.size > 0;
    if (isMatched) await this.#untilResolved(count);
    const known = isMatched ? subscribed : this.#resolved;
    this.#resolved = new Set([...known].filter((regex) => subscribed.has(regex)));
  }

  /** Kafka matches on another thread, and writes what it has found. */
  async #untilResolved(before: number): Promise<void> {
    for (let attempt = 0; attempt < patience; attempt++) {
      if (this.#resolvedCount() > before) return;
      await sleep(10);
    }
    throw new Error(`the expressions of ${this.groupId} were never matched`);
  }

  #resolvedCount(): number {
    const { logFolder } = this.#run;
    const folder = path.join(logFolder, `__consumer_offsets-${partitionOf(this.groupId)}`);
    const files = readdirSync(folder).filter((file) => file.endsWith('.log'));
    const log = Buffer.concat(files.sort().map((file) => readFileSync(path.join(folder, file))));
    return [...batches(log)].filter((batch) => isOfRegex(batch, this.groupId)).length;
  }
}

const noKey = Buffer.alloc(0);

function isOfRegex(batch: Parameters<typeof readRecords>[0], groupId: string): boolean {
  if (batch.header.isControl) return false;
  return [...readRecords(batch)].some(({ key, value }) => {
    const record = decodeCoordinatorRecord(groupRecordTypes, { key: key ?? noKey, value });
    return (
      record?.kind === 'consumerRegex' && record.value !== null && record.key.groupId === groupId
    );
  });
}

const groups = 6;
const rounds = 3;

const regexes: Sequence = async (run, chance) => {
  const first = run.fresh('group');
  const topics = new ReadTopics(run, chance, first);
  const [a, b, c] = topics.all;
  if (!a || !b || !c) throw new Error('there are three topics');
  await topics.create(a, 2);
  await topics.create(b, 3);
  const names = topics.all.map(({ name }) => name);
  const all = together(first, groups).map((groupId) => new Group(run, chance, groupId, names));
  for (let round = 0; round < rounds; round++) {
    for (const group of all) {
      await group.play(12);
      await group.describe();
    }
    // A topic that none reads has all expressions be matched again.
    await run.prepare('createTopics', 7, {
      topics: [{ name: run.fresh('other'), numPartitions: 1, replicationFactor: 1 }],
      timeoutMs: 10_000,
    });
    const topic = chance.of(topics.all);
    if (topic.partitions === 0) await topics.create(topic, 2);
    else if (chance.oneIn(2)) await topics.grow(topic, topic.partitions + 1);
    else await topics.remove(topic);
    await sleep(refreshMs);
    for (const group of all) await group.refresh();
  }
};

/** Names of groups that one partition of `__consumer_offsets` keeps. */
function together(name: string, count: number): string[] {
  const names = [name];
  for (let i = 0; names.length < count; i++) {
    const groupId = `${name}-${i}`;
    if (partitionOf(groupId) === partitionOf(name)) names.push(groupId);
  }
  return names;
}

compareRandomly('open', { regexes });
