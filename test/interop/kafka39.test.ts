// `--emulate kafka-3.9` with the clients that people have, beside Apache Kafka 3.9.2: what works there, and what is
// missing.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../src/embedded.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { describeClient, type NamedBroker } from './support/describeClient.ts';
import { connectJava } from './support/javaClient.ts';
import { createTopicWithTool, kafkaTool } from './support/kafkaTools.ts';
import { connectKcat, kcatRecords } from './support/kcatClient.ts';

const TOOLS = 'org.apache.kafka.tools';

let emulating: Promise<EmbeddedKafka> | undefined;
const emulated = (): Promise<EmbeddedKafka> =>
  (emulating ??= startCluster({
    emulate: 'kafka-3.9',
    configs: { 'group.initial.rebalance.delay.ms': '0' },
  }));

const brokers = [
  ['Kafka 3.9', () => sharedKafka('3.9')],
  ['embedded as Kafka 3.9', emulated],
] as const satisfies readonly NamedBroker[];

const [java, kcat] = [
  { connect: (bootstrap: string) => connectJava(bootstrap, 'classic') },
  { connect: connectKcat, records: kcatRecords },
];
describeClient({ name: 'the Java client', ...java, brokers, rows: '[A16] [A2]' });
describeClient({ name: 'kcat (librdkafka)', ...kcat, brokers, rows: '[A16] [A2]' });

/** APIs of Kafka 3.9 that we have in no version: those of delegation tokens, of lost brokers, of raft. */
const notOurs = /^(?:\w+DelegationToken|UnregisterBroker|(?:Add|Remove)RaftVoter)\(/;

/** Of each API the version that Java uses. Those that no client needs any longer are in the ranges of 3.9 alone. */
function usable(printed: string): string[] {
  const lines = printed.split('\n').map((line) => line.trim());
  return lines
    .map((line) => line.replace(/: [\d to]+ \[usable: (\d+)\]/, ': $1'))
    .filter((line) => /^\w+\(\d+\): /.test(line) && !notOurs.test(line));
}

/** What a tool of Java's fails with, by the last of its complaints. */
async function failure(className: string, bootstrap: string, args: string[]): Promise<string> {
  const { stderr } = await runKafkaTool(`${TOOLS}.${className}`, [
    ...['--bootstrap-server', bootstrap],
    ...args,
  ]);
  return /^org\.apache\.kafka\S+Exception: .*$/m.exec(stderr)?.[0] ?? stderr;
}

/** What Java's administration does and is told. */
async function administer(bootstrap: string) {
  const topic = `topic-${randomUUID()}`;
  await createTopicWithTool(bootstrap, topic, 2);
  const ask = (tool: string, ...args: string[]): Promise<string> =>
    kafkaTool(`${TOOLS}.${tool}`, bootstrap, args);
  const entity = ['--entity-type', 'topics', '--entity-name', topic];
  await ask('ConfigCommand', '--alter', ...entity, '--add-config', 'retention.ms=5000');
  await ask('TopicCommand', '--alter', '--topic', topic, '--partitions', '3');
  const described = await ask('TopicCommand', '--describe', '--topic', topic);
  const features = await ask('FeatureCommand', 'describe');
  return {
    described: described.replaceAll(topic, 'TOPIC').replace(/TopicId: \S+/, ''),
    features: features.replaceAll(/Epoch: \d+/g, ''),
    usable: usable(await ask('BrokerApiVersionsCommand')),
  };
}

describe('Java on a broker that behaves as Kafka 3.9', function () {
  this.timeout(180_000);
  after(async () => (await emulating)?.stop());

  /** On both at once, with the same outcome. */
  async function onBoth<T>(play: (bootstrap: string) => Promise<T>): Promise<T> {
    const [theirs, ours] = await Promise.all(
      brokers.map(async ([, shared]) => play((await shared()).bootstrap)),
    );
    assert.ok(theirs);
    assert.deepEqual(ours, theirs);
    return theirs;
  }

  it('[A16] [A3] administers, and finds the features and versions of 3.9 (embedded) (Kafka 3.9)', async () => {
    const { described, features, usable: versions } = await onBoth(administer);
    assert.match(described, /PartitionCount: 3.*retention\.ms=5000/);
    assert.match(features, /metadata\.version.*FinalizedVersionLevel: 3\.9-IV0/);
    assert.ok(versions.includes('Produce(0): 11,'));
    assert.ok(versions.includes('ShareFetch(78): UNSUPPORTED,'));
  });

  it('[A16] [A7] is told to go back to classic groups (embedded) (Kafka 3.9)', async () => {
    const told = await onBoth(async (bootstrap) => {
      const [topic, group] = [`topic-${randomUUID()}`, `group-${randomUUID()}`];
      await createTopicWithTool(bootstrap, topic, 1);
      const protocol = ['--command-property', 'group.protocol=consumer'];
      const limits = ['--max-messages', '1', '--timeout-ms', '30000'];
      return failure('consumer.ConsoleConsumer', bootstrap, [
        ...['--topic', topic, '--group', group],
        ...protocol,
        ...limits,
      ]);
    });
    assert.match(told, /UnsupportedVersionException: .*group\.protocol=classic/);
  });

  it('[A16] finds no share groups (embedded) (Kafka 3.9)', async () => {
    const told = await onBoth((bootstrap) =>
      failure('VerifiableShareConsumer', bootstrap, [
        ...['--topic', 'any', '--group-id', `group-${randomUUID()}`, '--max-messages', '1'],
      ]),
    );
    assert.match(told, /UnsupportedVersionException: .*ShareGroupHeartbeat/);
  });
});
