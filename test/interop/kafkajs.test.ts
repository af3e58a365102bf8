import { Kafka, logLevel } from 'kafkajs';
import type { IHeaders } from 'kafkajs';
import { describeClient } from './support/describeClient.ts';
import type { ClientDriver, Received, Sent } from './support/describeClient.ts';

function connect(bootstrap: string): ClientDriver {
  const kafka = new Kafka({
    clientId: 'interop',
    brokers: [bootstrap],
    logLevel: logLevel.NOTHING,
  });
  return {
    async createTopic(topic, numPartitions) {
      const admin = kafka.admin();
      await admin.connect();
      await admin.createTopics({ topics: [{ topic, numPartitions }] });
      await admin.disconnect();
    },
    async produce(topic, records) {
      const producer = kafka.producer();
      await producer.connect();
      await producer.send({ topic, messages: records.map(toMessage) });
      await producer.disconnect();
    },
    async consume(groupId, topic, count) {
      const consumer = kafka.consumer({ groupId });
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      const received: Received[] = [];
      const { promise: enough, resolve, reject } = Promise.withResolvers<undefined>();
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ partition, message }) => {
          received.push({
            partition,
            offset: message.offset,
            key: message.key?.toString() ?? null,
            value: message.value?.toString() ?? null,
            headers: toPairs(message.headers ?? {}),
          });
          const offset = (BigInt(message.offset) + 1n).toString();
          await consumer.commitOffsets([{ topic, partition, offset }]);
          if (received.length >= count) resolve(undefined);
        },
      });
      await enough;
      await consumer.disconnect();
      return received;
    },
  };
}

const toMessage = ({ key, value, headers }: Sent) => ({
  key,
  value,
  headers: Object.fromEntries(headers),
});

const toPairs = (headers: IHeaders) =>
  Object.entries(headers).map(([name, value]) => [name, String(value)] as const);

describeClient({ name: 'kafkajs', connect });
