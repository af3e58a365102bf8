import assert from 'node:assert/strict';
import path from 'node:path';
import { cacheDir } from '../../.ci/cache.mjs';
import { run } from '../support/process.ts';
import { describeClient } from './support/describeClient.ts';
import type { ClientDriver, Received } from './support/describeClient.ts';
import { GO_MODULE, goCommand } from './support/go.ts';

const built = new Map<string, Promise<string>>();

/** Compiles a program once in this run; Go's own cache makes that quick the next time. */
function program(name: string): Promise<string> {
  let file = built.get(name);
  if (!file) built.set(name, (file = build(name)));
  return file;
}

async function build(name: string): Promise<string> {
  const file = path.join(cacheDir(), 'go-clients', name);
  const { code, stderr } = await run(await goCommand(), ['build', '-o', file, `./${name}`], {
    cwd: GO_MODULE,
    timeoutMs: 240_000,
  });
  assert.equal(code, 0, stderr);
  return file;
}

function connect(name: string, bootstrap: string): ClientDriver {
  const command = async (args: readonly string[], input = ''): Promise<string> => {
    const finished = await run(await program(name), [bootstrap, ...args], { input });
    assert.equal(finished.code, 0, finished.stderr);
    return finished.stdout;
  };
  return {
    async createTopic(topic, partitions) {
      await command(['create', topic, String(partitions)]);
    },
    async produce(topic, records) {
      await command(['produce', topic], JSON.stringify(records));
    },
    async consume(group, topic, count) {
      return JSON.parse(await command(['consume', group, topic, String(count)])) as Received[];
    },
  };
}

for (const [name, title] of [
  ['franz', 'franz-go'],
  ['sarama', 'sarama'],
] as const)
  describeClient({
    name: title,
    connect: (bootstrap) => connect(name, bootstrap),
    timeoutMs: 300_000,
  });
