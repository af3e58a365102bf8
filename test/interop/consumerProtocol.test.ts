// Groups of the consumer protocol (KIP-848) with the clients that have it: their members come, go and die, on our
// broker and on Kafka, with the same outcome.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, describe, it } from 'mocha';
import { startCluster } from '../../src/embedded.ts';
import { spawnJavaProgram } from '../support/kafka/javaPrograms.ts';
import { startKafka } from '../support/kafka/realKafka.ts';
import { createTopicWithTool, kafkaTool } from './support/kafkaTools.ts';
import { Members, until, untilShared } from './support/members.ts';
import { spawnWithConfluent } from './support/python.ts';

const GROUPS = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';

/** Who dies is missed after 6 s instead of 45. */
const timing = {
  'group.consumer.session.timeout.ms': '6000',
  'group.consumer.heartbeat.interval.ms': '500',
};
const lowered = {
  'group.consumer.min.session.timeout.ms': '6000',
  'group.consumer.min.heartbeat.interval.ms': '500',
};

interface Broker {
  readonly bootstrap: string;
  stop(): Promise<unknown>;
}

const brokers: readonly [name: string, start: () => Promise<Broker>][] = [
  ['Kafka 4.4', () => startKafka({ config: { ...timing, ...lowered } })],
  ['embedded', () => startCluster({ configs: timing })],
];

type Spawn = (args: readonly string[]) => Promise<ChildProcess>;

const clients: readonly [name: string, spawn: Spawn][] = [
  ['Java', (args) => spawnJavaProgram('ConsumerMembers', args)],
  [
    'librdkafka',
    (args) => spawnWithConfluent([path.join(import.meta.dirname, 'python', 'members.py'), ...args]),
  ],
];

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

/** 1 member, 3, 2, then a third that dies. Returns what Kafka's tool said on the way. */
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
  const names = [topic, group];
  const state = await told(bootstrap, names, '--group', group, '--state', '--verbose');
  const shown = await told(bootstrap, names, '--group', group, '--members', '--verbose');
  members.close('b');
  await untilShared([members], [6, 6]);
  const mortal = new Members(await spawn([bootstrap, group, topic]));
  mortal.add('d');
  await untilShared([members, mortal], [4, 4, 4]);
  await mortal.kill();
  await untilShared([members], [6, 6]);
  await members.end();
  const left = await told(bootstrap, names, '--group', group, '--state');
  const offsets = await told(bootstrap, names, '--group', group);
  assert.deepEqual(members.values.length, 60, 'nothing was read twice');
  return { state, columns: shown.map((line) => line.split(' ').length), left, offsets };
}

describe('groups of the consumer protocol', function () {
  this.timeout(180_000);
  const started = new Map<string, Promise<Broker>>();
  const bootstrapOf = async (name: string, start: () => Promise<Broker>): Promise<string> => {
    const broker = started.get(name) ?? start();
    started.set(name, broker);
    return (await broker).bootstrap;
  };
  after(async () => {
    for (const broker of started.values()) await (await broker).stop();
  });

  for (const [client, spawn] of clients) {
    let reference: unknown;
    for (const [name, start] of brokers) {
      it(`[A7] are shared by 1, 3 and 2 members of ${client}, and without one that died (${name})`, async () => {
        const seen = await comeAndGo(await bootstrapOf(name, start), spawn);
        reference ??= seen;
        assert.deepEqual(seen, reference);
      });
    }
  }
});
