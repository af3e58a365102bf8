import type { Kafka, Message } from 'kafkajs';

/**
 * Has kafkajs write records to a topic, each of them once. A topic that was just made may have no leader yet for some
 * partition, and kafkajs then sends all of them again: what was written the first time would be there twice.
 */
export async function sendOnce(
  kafka: Kafka,
  ...writes: readonly { readonly topic: string; readonly messages: Message[] }[]
): Promise<void> {
  const producer = kafka.producer({ idempotent: true });
  await producer.connect();
  try {
    for (const { topic, messages } of writes) await producer.send({ topic, messages });
  } finally {
    await producer.disconnect();
  }
}
