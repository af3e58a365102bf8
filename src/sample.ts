/**
 * `dist/sample.js`: the application of the sample data. For each group of its task it runs a consumer that
 * reads its share of each partition, commits, and leaves. kafkajs is used as applications use it.
 */
import { Kafka, logLevel, type EachBatchPayload } from 'kafkajs';
import type { SampleGroup, SampleMessage, SampleTask } from './cluster/embedded/sampleConsumers.ts';

function say(message: SampleMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

let readCount = 0;

async function main(task: SampleTask): Promise<void> {
  const kafka = new Kafka({
    clientId: 'flights-sample',
    brokers: task.bootstrap.split(','),
    logLevel: logLevel.ERROR,
  });
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(task.topic);
  await admin.disconnect();
  const endOf = new Map(ends.map(({ partition, high }) => [partition, Number(high)]));
  await Promise.all(task.groups.map((group) => consume(kafka, task.topic, { group, endOf })));
}

interface Assignment {
  readonly group: SampleGroup;
  readonly endOf: ReadonlyMap<number, number>;
}

async function consume(kafka: Kafka, topic: string, { group, endOf }: Assignment): Promise<void> {
  const { groupId, share } = group;
  const targets = new Map(
    [...endOf].map(([partition, end]) => [partition, Math.floor(end * share)]),
  );
  const unfinished = new Set([...targets].filter(([, target]) => target > 0).map(([id]) => id));
  if (unfinished.size === 0) return;
  const consumer = kafka.consumer({ groupId });
  const finished = Promise.withResolvers<undefined>();
  const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
    const { partition, messages } = payload.batch;
    const target = targets.get(partition) ?? 0;
    const read = messages.filter(({ offset }) => Number(offset) < target);
    const last = read.at(-1);
    if (last) {
      readCount += read.length;
      say({ event: 'read', count: readCount });
      const next = Number(last.offset) + 1;
      await consumer.commitOffsets([{ topic, partition, offset: String(next) }]);
      if (next >= target) unfinished.delete(partition);
    }
    if (!unfinished.has(partition)) consumer.pause([{ topic, partitions: [partition] }]);
    if (unfinished.size === 0) finished.resolve(undefined);
    await payload.heartbeat();
  };
  consumer.on('consumer.crash', ({ payload }) => finished.reject(payload.error));
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ autoCommit: false, eachBatch });
  await finished.promise;
  await consumer.disconnect();
}

main(JSON.parse(process.argv[2] ?? '') as SampleTask).then(
  () => say({ event: 'done' }),
  (error: unknown) => {
    say({ event: 'failed', message: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
  },
);
