// Groups of the consumer protocol (KIP-848) with the clients that have it: their members come, go and die, on our
// broker and on Kafka, with the same outcome.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, describe, it } from 'mocha';
import { startCluster } from '../../src/embedded.ts';
import { spawnJavaProgram } from '../support/kafka/javaPrograms.ts';
import { startKafka } from '../support/kafka/realKafka.ts';
import { untilCoordinating } from '../support/kafka/untilCoordinating.ts';
import { createTopicWithTool, kafkaTool } from './support/kafkaTools.ts';
import { Members, until, untilShared } from './support/members.ts';
import { spawnWithConfluent } from './support/python.ts';

const GROUPS = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';

/** Who dies is missed after 6 s instead of 45. */
const timing = {
  'group.consumer.session.timeout.ms': '6000',
  'group.consumer.heartbeat.interval.ms': '500',
  'group.consumer.min.session.timeout.ms': '6000',
  'group.consumer.min.heartbeat.interval.ms': '500',
};

interface Broker {
  readonly bootstrap: string;
  stop(): Promise<unknown>;
}

type Spawn = (args: readonly string[]) => Promise<ChildProcess>;

const spawnJava: Spawn = (args) => spawnJavaProgram('ConsumerMembers', args);

const spawnLibrdkafka: Spawn = (args) =>
  spawnWithConfluent([path.join(import.meta.dirname, 'python', 'members.py'), ...args]);

async function produce(bootstrap: string, topic: string, count: number): Promise<void> {
  const producer = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  const messages = Array.from({ length: count }, (_, index) => ({
    partition: index % 12,
    value: String(index),
  }));
  await producer.send({ topic, messages });
  await producer.disconnect();
}

/** What Kafka's tool says, without what differs from run to run. */
async function told(bootstrap: string, names: readonly string[], ...args: string[]) {
  let text = await kafkaTool(GROUPS, bootstrap, ['--describe', ...args]);
  for (const name of [...names, bootstrap]) text = text.replaceAll(name, 'NAME');
  return text
    .replaceAll(/\b(rdkafka-)?[A-Za-z0-9_-]{22}\b/g, 'ID')
    .split('\n')
    .map((line) => line.trim().replaceAll(/ +/g, ' '))
    .sort();
}

async function kafkajsState(bootstrap: string, group: string): Promise<string> {
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const { groups } = await admin.describeGroups([group]);
  await admin.disconnect();
  return groups[0]?.state ?? '';
}

/** 1 member, 3, 2, then a third that dies. */
async function comeAndGo(bootstrap: string, spawn: Spawn): Promise<unknown> {
  const [topic, group] = [`topic-${randomUUID()}`, `group-${randomUUID()}`];
  await createTopicWithTool(bootstrap, topic, 12);
  const members = new Members(await spawn([bootstrap, group, topic]));
  members.add('a');
  await untilShared([members], [12]);
  members.add('b');
  members.add('c');
  await untilShared([members], [4, 4, 4]);
  await produce(bootstrap, topic, 60);
  await until(
    () => new Set(members.values).size === 60,
    () => `read: ${members.values.join()}`,
  );
  members.close('b');
  await untilShared([members], [6, 6]);
  const mortal = new Members(await spawn([bootstrap, group, topic]));
  mortal.add('d');
  await untilShared([members, mortal], [4, 4, 4]);
  await mortal.kill();
  await untilShared([members], [6, 6]);
  await members.end();
  return members.values.toSorted((one, other) => Number(one) - Number(other));
}

/** What Kafka's tool says while there are members, and when they have left. */
async function describeWithTool(bootstrap: string, spawn: Spawn): Promise<unknown> {
  const [topic, group] = [`topic-${randomUUID()}`, `group-${randomUUID()}`];
  await createTopicWithTool(bootstrap, topic, 12);
  const members = new Members(await spawn([bootstrap, group, topic]));
  members.add('a');
  await untilShared([members], [12]);
  members.add('b');
  await untilShared([members], [6, 6]);
  const names = [topic, group];
  const state = await told(bootstrap, names, '--group', group, '--state', '--verbose');
  const shown = await told(bootstrap, names, '--group', group, '--members', '--verbose');
  await members.end();
  const left = await told(bootstrap, names, '--group', group, '--state');
  return { state, members: shown, left };
}

/** Members of the classic protocol are followed by one of the consumer protocol, and that by one of the classic. */
async function changeProtocols(bootstrap: string): Promise<unknown> {
  const [topic, group] = [`topic-${randomUUID()}`, `group-${randomUUID()}`];
  await createTopicWithTool(bootstrap, topic, 12);
  const classics = new Members(await spawnJava([bootstrap, group, topic]));
  const consumers = new Members(await spawnLibrdkafka([bootstrap, group, topic]));
  const states: string[] = [];
  const note = async (): Promise<void> => {
    states.push(await kafkajsState(bootstrap, group));
  };
  classics.add('a', 'classic');
  classics.add('b', 'classic');
  await untilShared([classics], [6, 6]);
  await note();
  consumers.add('c');
  await untilShared([classics, consumers], [4, 4, 4]);
  await note();
  classics.close('a');
  classics.close('b');
  await untilShared([classics, consumers], [12]);
  classics.add('d', 'classic');
  await untilShared([classics, consumers], [6, 6]);
  await note();
  consumers.close('c');
  await untilShared([classics, consumers], [12]);
  await note();
  await Promise.all([classics.end(), consumers.end()]);
  // To kafkajs a group of the consumer protocol is Dead.
  assert.deepEqual(states, ['Stable', 'Dead', 'Dead', 'Stable']);
  return states;
}

/** Java and librdkafka subscribe to one topic by a pattern. */
async function subscribeByPattern(bootstrap: string): Promise<unknown> {
  const [topic, group] = [`topic-${randomUUID()}`, `group-${randomUUID()}`];
  const args = [bootstrap, group, `~${topic.slice(0, -4)}.+`];
  const java = new Members(await spawnJava(args));
  const librdkafka = new Members(await spawnLibrdkafka(args));
  await createTopicWithTool(bootstrap, topic, 12);
  java.add('a');
  await untilShared([java], [12]);
  librdkafka.add('b');
  await untilShared([java, librdkafka], [6, 6]);
  await Promise.all([java.end(), librdkafka.end()]);
  return [...java.values, ...librdkafka.values];
}

describe('groups of the consumer protocol (embedded, Kafka 4.4)', function () {
  this.timeout(180_000);
  let started: Promise<readonly Broker[]>;
  before(async () => {
    started = Promise.all([startCluster({ configs: timing }), startKafka({ config: timing })]);
    for (const { bootstrap } of await started) await untilCoordinating(bootstrap);
  });
  after(async () => {
    for (const broker of await started) await broker.stop();
  });

  /** On both at once, with the same outcome. */
  const onBoth = async (play: (bootstrap: string) => Promise<unknown>): Promise<void> => {
    const brokers = await started;
    const [ours, kafkas] = await Promise.all(brokers.map(({ bootstrap }) => play(bootstrap)));
    assert.deepEqual(ours, kafkas);
  };

  for (const [client, spawn] of [
    ['Java', spawnJava],
    ['librdkafka', spawnLibrdkafka],
  ] as const) {
    it(`[A7] are shared by 1, 3 and 2 members of ${client}, and without one that died`, () =>
      onBoth((bootstrap) => comeAndGo(bootstrap, spawn)));
  }

  it('[A7] are what kafka-consumer-groups describes alike', () =>
    onBoth((bootstrap) => describeWithTool(bootstrap, spawnJava)));

  it('[A7] take over from members of the classic protocol, and give way to them', () =>
    onBoth(changeProtocols));

  it('[A7] follow a pattern of topics, that of Java as that of librdkafka', () =>
    onBoth(subscribeByPattern));
});
