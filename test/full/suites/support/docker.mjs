#!/usr/bin/env node
// Stands in for docker where kafkajs's scripts have a container add partitions: that is asked of the broker instead.
import { createRequire } from 'node:module';
import path from 'node:path';

const [command, ...args] = process.argv.slice(2);
if (command === 'ps') {
  console.log('kafka1');
} else {
  const { Kafka } = createRequire(path.join(process.cwd(), 'index.js'))('./index.js');
  const { topic, count } =
    /--topic (?<topic>\S+) --partitions (?<count>\d+)/.exec(args.join(' '))?.groups ?? {};
  const admin = new Kafka({ brokers: ['localhost:9092'] }).admin();
  await admin.connect();
  await admin.createPartitions({ topicPartitions: [{ topic, count: Number(count) }] });
  await admin.disconnect();
}
