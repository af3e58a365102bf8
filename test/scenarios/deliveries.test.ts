import assert from 'node:assert/strict';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, it } from 'mocha';
import { createTopic } from '../../src/client/admin/topics.ts';
import { IdempotentProducer } from '../../src/client/idempotentProducer.ts';
import { KafkaClient } from '../../src/client/kafkaClient.ts';
import type { RecordToProduce } from '../../src/client/produce.ts';
import { readRange } from '../../src/client/readRange.ts';
import { produceInTransaction } from '../../src/client/transaction.ts';
import { eventually, forEachCluster, uniqueName } from './clusters.ts';

forEachCluster('how a record is delivered', (cluster) => {
  let client: KafkaClient;

  before(() => {
    client = new KafkaClient({ bootstrap: [cluster().bootstrap] });
  });
  after(() => client.dispose());

  async function newTopic(): Promise<string> {
    const name = uniqueName('deliveries');
    await createTopic(client, { name, partitionCount: 1, replicationFactor: -1, configs: {} });
    return name;
  }

  const recordFor = (topic: string, value: string): RecordToProduce => ({
    topic,
    partition: 0,
    key: null,
    value: Buffer.from(value),
    headers: [],
  });

  it('idempotent: one producer id, sequences that follow each other [E1]', async () => {
    const topic = await newTopic();
    const producer = new IdempotentProducer(client);
    const sent = await Promise.all(
      ['a', 'b', 'c'].map((value) => producer.send(recordFor(topic, value))),
    );
    assert.deepEqual(
      sent.map(({ offset }) => offset),
      [0n, 1n, 2n],
    );
    const headers = [];
    for await (const { header } of readRange(client, { topic, partition: 0, from: 0n, to: 3n })) {
      headers.push(header);
    }
    assert.equal(new Set(headers.map(({ producerId }) => producerId)).size, 1);
    assert.notEqual(headers[0]?.producerId, -1n);
    assert.deepEqual(
      headers.map(({ baseSequence }) => baseSequence),
      [0, 1, 2],
    );
  });

  it('in a transaction: readers of committed records see what was committed alone [E1] [A6]', async () => {
    const topic = await newTopic();
    const transactionalId = uniqueName('workbench');
    const send = (value: string, outcome: 'commit' | 'abort') =>
      produceInTransaction(client, recordFor(topic, value), { transactionalId, outcome });
    await send('aborted', 'abort');
    const { offset } = await send('committed', 'commit');
    assert.equal(offset, 2n, 'a record and its marker stand before it');
    assert.deepEqual(await committedValues(topic), ['committed']);
    const epochs = await epochsOf(topic, 4n);
    const bump = await epochBumpOfMarkers();
    assert.deepEqual([epochs[1], epochs[3]], [(epochs[0] ?? 0) + bump, (epochs[2] ?? 0) + bump]);
  });

  /** Of each batch, markers too. */
  async function epochsOf(topic: string, to: bigint): Promise<number[]> {
    const epochs: number[] = [];
    for await (const { header } of readRange(client, { topic, partition: 0, from: 0n, to })) {
      epochs.push(header.producerEpoch);
    }
    return epochs;
  }

  /** A transaction of the second protocol ends in the next epoch. [KIP-890] */
  async function epochBumpOfMarkers(): Promise<number> {
    const level = (await client.finalizedFeatures()).get('transaction.version') ?? 0;
    return level >= 2 ? 1 : 0;
  }

  /** As kafkajs, which asks for committed records by default, reads them. */
  async function committedValues(topic: string): Promise<string[]> {
    const kafka = new Kafka({ brokers: [cluster().bootstrap], logLevel: logLevel.NOTHING });
    const consumer = kafka.consumer({ groupId: uniqueName('committed') });
    const values: string[] = [];
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      eachMessage: ({ message }) => {
        values.push(String(message.value));
        return Promise.resolve();
      },
    });
    await eventually(() => values.includes('committed'));
    await consumer.disconnect();
    return values;
  }
});
