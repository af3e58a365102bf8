import {
  Admin,
  Consumer,
  Producer,
  stringDeserializers,
  stringSerializers,
} from '@platformatic/kafka';
import { describeClient } from './support/describeClient.ts';
import type { ClientDriver, Received, Sent } from './support/describeClient.ts';

function connect(bootstrap: string): ClientDriver {
  const options = { clientId: 'interop', bootstrapBrokers: [bootstrap] };
  return {
    async createTopic(topic, partitions) {
      const admin = new Admin(options);
      await admin.createTopics({ topics: [topic], partitions, replicas: 1 });
      await admin.close();
    },
    async produce(topic, records) {
      const producer = new Producer({ ...options, serializers: stringSerializers });
      await producer.send({ messages: records.map((record) => toMessage(topic, record)) });
      await producer.close();
    },
    async consume(groupId, topic, count) {
      const consumer = new Consumer({ ...options, groupId, deserializers: stringDeserializers });
      const stream = await consumer.consume({
        topics: [topic],
        autocommit: false,
        mode: 'committed',
        fallbackMode: 'earliest',
      });
      const received: Received[] = [];
      for await (const message of stream) {
        received.push({
          partition: message.partition,
          offset: String(message.offset),
          key: orNull(message.key),
          value: orNull(message.value),
          headers: [...message.headers],
        });
        await message.commit();
        if (received.length >= count) break;
      }
      await new Promise<void>((resolve, reject) => {
        consumer.close(true, (error) => (error ? reject(error) : resolve()));
      });
      return received;
    },
  };
}

/** Its types know of no null, its records do. */
const orNull = (text: string | null | undefined): string | null => text ?? null;

const toMessage = (topic: string, { key, value, headers }: Sent) => ({
  topic,
  ...(key !== null && { key }),
  ...(value !== null && { value }),
  headers: new Map(headers),
});

describeClient({ name: '@platformatic/kafka', connect });
