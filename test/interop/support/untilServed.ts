import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, Kafka, logLevel } from 'kafkajs';

/**
 * Kafka answers CreateTopics before every partition is there to be written to. A client that sends again what one
 * partition refused, and what the others had taken with it, would write twice.
 */
export async function untilServed(
  bootstrap: string,
  topic: string,
  partitions: number,
): Promise<void> {
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    while ((await endsOf(admin, topic)) < partitions) await sleep(50);
  } finally {
    await admin.disconnect();
  }
}

/** How many partitions' ends the leaders can tell. */
const endsOf = (admin: Admin, topic: string): Promise<number> =>
  admin.fetchTopicOffsets(topic).then(
    (ends) => ends.length,
    () => 0,
  );
