// Kafka's own tools as a judge: what they print of our broker has to be what they print of Kafka.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { createTopicWithTool, kafkaTool } from './support/kafkaTools.ts';
import { BROKERS } from './support/describeClient.ts';

const GROUPS = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';
const PRODUCER = 'org.apache.kafka.tools.ConsoleProducer';
const CONSUMER = 'org.apache.kafka.tools.consumer.ConsoleConsumer';
const OFFSETS = 'org.apache.kafka.tools.GetOffsetShell';

/** What each step printed, with names and the broker's address made alike. */
type Transcript = Readonly<Record<string, string>>;

async function script(bootstrap: string): Promise<Transcript> {
  const [topic, group] = [`topic-${randomUUID()}`, `group-${randomUUID()}`];
  const normal = (text: string) =>
    text
      .replaceAll(topic, 'TOPIC')
      .replaceAll(group, 'GROUP')
      .replaceAll(bootstrap, 'HOST:PORT')
      .split('\n')
      .map((line) => line.trim().replaceAll(/ +/g, ' '))
      .sort()
      .join('\n');
  const groups = async (...args: string[]) =>
    normal(await kafkaTool(GROUPS, bootstrap, [...args, '--group', group]));
  await createTopicWithTool(bootstrap, topic, 2);
  const keys = ['--reader-property', 'parse.key=true', '--reader-property', 'key.separator=:'];
  const lines = Array.from({ length: 20 }, (_, i) => `${i % 4}:${i}\n`).join('');
  await kafkaTool(PRODUCER, bootstrap, ['--topic', topic, ...keys], lines);
  const reading = ['--topic', topic, '--group', group, '--from-beginning', '--max-messages', '20'];
  await kafkaTool(CONSUMER, bootstrap, [...reading, '--timeout-ms', '30000']);
  const reset = ['--reset-offsets', '--topic', topic];
  return {
    ends: normal(await kafkaTool(OFFSETS, bootstrap, ['--topic', topic])),
    offsets: await groups('--describe'),
    state: await groups('--describe', '--state'),
    members: await groups('--describe', '--members'),
    preview: await groups(...reset, '--to-earliest', '--dry-run'),
    shifted: await groups(...reset, '--shift-by', '-3', '--execute'),
    afterShift: await groups('--describe'),
    exported: await groups(...reset, '--to-current', '--export', '--dry-run'),
    offsetsDeleted: await groups('--delete-offsets', '--topic', `${topic}:0`),
    afterDelete: await groups('--describe'),
    deleted: await groups('--delete'),
  };
}

describe('kafka-consumer-groups', function () {
  this.timeout(180_000);
  let reference: Promise<Transcript> | undefined;
  const kafka = () => (reference ??= sharedKafka().then(({ bootstrap }) => script(bootstrap)));
  for (const [broker, shared] of BROKERS)
    it(`[A3] describes, resets and deletes a group of the Java client (${broker})`, async () => {
      const { bootstrap } = await shared();
      const seen = shared === sharedKafka ? await kafka() : await script(bootstrap);
      assert.match(seen['afterShift'] ?? '', /GROUP TOPIC [01] \d+ \d+ 3 - - -/);
      assert.deepEqual(seen, await kafka());
    });
});
