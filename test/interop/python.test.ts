import path from 'node:path';
import { describeClient } from './support/describeClient.ts';
import { python } from './support/python.ts';
import type { ClientDriver, Received } from './support/describeClient.ts';

const CLIENT = path.join(import.meta.dirname, 'python/client.py');

function connect(bootstrap: string): ClientDriver {
  return {
    async createTopic(topic, partitions) {
      await python([CLIENT, bootstrap, 'create', topic, String(partitions)]);
    },
    async produce(topic, records) {
      await python([CLIENT, bootstrap, 'produce', topic], JSON.stringify(records));
    },
    async consume(group, topic, count) {
      const output = await python([CLIENT, bootstrap, 'consume', group, topic, String(count)]);
      return JSON.parse(output) as Received[];
    },
  };
}

describeClient({ name: 'kafka-python', connect });
