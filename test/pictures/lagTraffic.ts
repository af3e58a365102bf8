// Something to see in the Lag panel: two members that now and then fall behind a producer with transactions.
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';

const topic = 'orders';
const partitionCount = 3;
const tickMs = 250;

export interface Traffic {
  /** Has the members stand still before some committed, some aborted and some open transactions. */
  hold(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTraffic(bootstrap: string): Promise<Traffic> {
  const kafka = new Kafka({
    brokers: [bootstrap],
    clientId: 'billing',
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: partitionCount }] });
  await admin.disconnect();
  const producer = await transactional(kafka, 'shop');
  const members = [
    await member(bootstrap, 'billing-1', 12),
    await member(bootstrap, 'billing-2', 7),
  ];
  let isStopping = false;
  const producing = (async () => {
    for (let tick = 0; !isStopping; tick++) {
      await sendTick(producer, tick);
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
  })();
  const late = await transactional(kafka, 'back-office');
  return {
    hold: async () => {
      for (const each of members) each.pause([{ topic }]);
      isStopping = true;
      await producing;
      for (const tick of [18, 19, 20]) await sendTick(producer, tick);
      const transaction = await late.transaction();
      for (let partition = 0; partition < partitionCount; partition++) {
        const messages = Array.from({ length: 6 }, () => ({ partition, value: 'late' }));
        await transaction.send({ topic, messages });
      }
    },
    stop: async () => {
      isStopping = true;
      await producing;
      await Promise.all([producer, late, ...members].map((client) => client.disconnect()));
    },
  };
}

async function transactional(kafka: Kafka, transactionalId: string): Promise<Producer> {
  const producer = kafka.producer({ transactionalId, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  return producer;
}

/** Takes a while for each record, so that bursts pile up. */
async function member(bootstrap: string, clientId: string, recordMs: number): Promise<Consumer> {
  const kafka = new Kafka({ brokers: [bootstrap], clientId, logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: 'billing', maxWaitTimeInMs: 200 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    autoCommitInterval: 1000,
    eachMessage: () => new Promise((resolve) => setTimeout(resolve, recordMs)),
  });
  return consumer;
}

/** More and less in waves, more on one partition than on others, and one transaction in twelve aborted. */
async function sendTick(producer: Producer, tick: number): Promise<void> {
  const wave = 1 + Math.sin(tick / 14) + (tick % 90 > 60 ? 1.4 : 0);
  const transaction = await producer.transaction();
  for (let partition = 0; partition < partitionCount; partition++) {
    const count = Math.round(wave * (partition === 1 ? 13 : 6));
    const messages = Array.from({ length: count }, (_, i) => ({
      partition,
      key: `O-${tick}-${i}`,
      value: JSON.stringify({ id: tick * 100 + i, total: 10 + i }),
    }));
    if (count > 0) await transaction.send({ topic, messages });
  }
  await (tick % 12 === 7 ? transaction.abort() : transaction.commit());
}
