import assert from 'node:assert/strict';
import path from 'node:path';
import { installOnce } from '../../.ci/installOnce.ts';
import { run } from '../support/process.ts';
import { describeClient } from './support/describeClient.ts';
import type { ClientDriver, Received } from './support/describeClient.ts';

// Not librdkafka under another name: a protocol implementation of its own.
const PACKAGE = 'kafka-python==3.0.12';
const CLIENT = path.join(import.meta.dirname, 'python/client.py');

async function python(args: readonly string[], input = ''): Promise<string> {
  const folder = await installOnce(PACKAGE.replace('==', '-'), installPackage);
  // A folder of packages: unlike a virtual environment it can be moved into place.
  const env = { ...process.env, PYTHONPATH: folder };
  const finished = await run('python3', args, { input, env, timeoutMs: 60_000 });
  assert.equal(finished.code, 0, finished.stderr);
  return finished.stdout;
}

async function installPackage(folder: string): Promise<void> {
  const args = ['-m', 'pip', 'install', '--quiet', '--target', folder, PACKAGE];
  const { code, stderr } = await run('python3', args, { timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`pip could not install ${PACKAGE}\n${stderr}`);
}

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
