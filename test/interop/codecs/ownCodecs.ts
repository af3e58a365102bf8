import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { PartitionReader } from '../../../src/client/partitionReader.ts';
import { produceMany } from '../../../src/client/produce.ts';
import { type CodecClient, CODECS, ValueCollector } from './codecClient.ts';

export const ownCodecs: CodecClient = {
  name: 'Kafka Workbench',

  async produce(bootstrap, topic, values) {
    const client = connect(bootstrap);
    for (const [partition, compression] of CODECS.entries()) {
      const records = values.map((value) => ({ partition, key: null, value, headers: [] }));
      await produceMany(client, topic, records, { compression });
    }
    client.dispose();
  },

  async consume(bootstrap, topics, count) {
    const client = connect(bootstrap);
    const collector = new ValueCollector();
    for (const topic of topics) await readTopic(client, topic, count, collector);
    client.dispose();
    return collector.values;
  },
};

const connect = (bootstrap: string) =>
  new KafkaClient({ bootstrap: [bootstrap], clientId: 'codecs' });

async function readTopic(
  client: KafkaClient,
  topic: string,
  count: number,
  collector: ValueCollector,
): Promise<void> {
  const reader = new PartitionReader(client, { topic });
  const end = collector.count + CODECS.length * count;
  for (const partition of CODECS.keys()) reader.start(partition, 0n);
  while (collector.count < end) {
    for (const event of await reader.read()) {
      if (event.kind === 'failed') throw event.error;
      if (event.kind !== 'fetched') continue;
      for (const batch of event.fetched.batches)
        for (const { value } of batch.records())
          collector.add(topic, event.fetched.partition, value ?? Buffer.alloc(0));
    }
  }
  reader.dispose();
}
