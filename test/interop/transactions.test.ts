// Transactions by the clients that people have, on both brokers: what readers of committed records then see.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { describe, it } from 'mocha';
import { run } from '../support/process.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import { BROKERS } from './support/describeClient.ts';
import { untilServed } from './support/untilServed.ts';

const messageCount = 400;
const transactionSize = 30;

describe('transactions of clients on both brokers', function () {
  this.timeout(120_000);
  for (const [broker, shared] of BROKERS) {
    it(`[A6] Java copies a topic exactly once, aborting at random (${broker})`, async () => {
      const { bootstrap } = await shared();
      const [input, output] = [`in-${randomUUID()}`, `out-${randomUUID()}`];
      await createTopics(bootstrap, input, output);
      const values = Array.from({ length: messageCount }, (_, i) => `message ${i}`);
      await kcatProduce(bootstrap, input, values);
      await copy(bootstrap, input, output);
      // The values stay in order: an aborted transaction is done again before the next.
      assert.deepEqual(await committed(bootstrap, output), values);
    });

    it(`[A6] kcat's transaction is seen whole, and kafkajs reads and commits in one (${broker})`, async () => {
      const { bootstrap } = await shared();
      const [input, output] = [`in-${randomUUID()}`, `out-${randomUUID()}`];
      await createTopics(bootstrap, input, output);
      const settings = ['-X', `transactional.id=kcat-${randomUUID()}`];
      await kcatProduce(bootstrap, input, ['a', 'b', 'c'], settings);
      assert.deepEqual(await committed(bootstrap, input), ['a', 'b', 'c']);

      const groupId = `group-${randomUUID()}`;
      const kafka = kafkaOf(bootstrap);
      const producer = kafka.producer({
        transactionalId: `kafkajs-${randomUUID()}`,
        maxInFlightRequests: 1,
        idempotent: true,
      });
      await producer.connect();
      for (const [value, offset] of [
        ['dropped', '1'],
        ['kept', '2'],
      ] as const) {
        const transaction = await producer.transaction();
        await transaction.send({ topic: output, messages: [{ value }] });
        const topics = [{ topic: input, partitions: [{ partition: 0, offset }] }];
        await transaction.sendOffsets({ consumerGroupId: groupId, topics });
        await (value === 'kept' ? transaction.commit() : transaction.abort());
      }
      await producer.disconnect();
      assert.deepEqual(await committed(bootstrap, output), ['kept']);
      const admin = kafka.admin();
      await admin.connect();
      const [offsets] = await admin.fetchOffsets({ groupId, topics: [input] });
      await admin.disconnect();
      assert.equal(offsets?.partitions[0]?.offset, '2');
    });
  }
});

async function kcatProduce(
  bootstrap: string,
  topic: string,
  values: readonly string[],
  settings: readonly string[] = [],
): Promise<void> {
  const args = ['-P', '-b', bootstrap, '-t', topic, ...settings];
  const input = values.map((value) => `${value}\n`).join('');
  const { code, stderr } = await run('kcat', args, { input, timeoutMs: 60_000 });
  assert.equal(code, 0, stderr);
}

/** Kafka's own copier: a consumer, and a producer that commits what it consumed in its transactions. */
async function copy(bootstrap: string, input: string, output: string): Promise<void> {
  const { code, stdout, stderr } = await runKafkaTool(
    'org.apache.kafka.tools.TransactionalMessageCopier',
    [
      ...['--broker-list', bootstrap, '--input-topic', input, '--output-topic', output],
      ...['--input-partition', '0', '--max-messages', String(messageCount)],
      ...['--consumer-group', `copier-${randomUUID()}`, '--transactional-id', randomUUID()],
      ...['--transaction-size', String(transactionSize), '--enable-random-aborts'],
      '--use-group-metadata',
    ],
    { timeoutMs: 60_000 },
  );
  assert.equal(code, 0, stdout + stderr);
}

/** What librdkafka gives who reads committed records only. */
async function committed(bootstrap: string, topic: string): Promise<string[]> {
  const args = ['-C', '-b', bootstrap, '-t', topic, '-p', '0', '-o', 'beginning', '-e', '-q'];
  const isolation = ['-X', 'isolation.level=read_committed'];
  const { code, stdout, stderr } = await run('kcat', [...args, ...isolation]);
  assert.equal(code, 0, stderr);
  return stdout.split('\n').filter(Boolean);
}

async function createTopics(bootstrap: string, ...topics: string[]): Promise<void> {
  const admin = kafkaOf(bootstrap).admin();
  await admin.connect();
  await admin.createTopics({ topics: topics.map((topic) => ({ topic, numPartitions: 1 })) });
  await admin.disconnect();
  for (const topic of topics) await untilServed(bootstrap, topic, 1);
}

function kafkaOf(bootstrap: string): Kafka {
  return new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
}
