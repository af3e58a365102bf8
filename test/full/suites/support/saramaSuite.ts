// sarama's functional tests, from the module that the interop tests use, behind the proxy that they make trouble with.
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installOnce } from '../../../../.ci/installOnce.ts';
import { goCommand } from '../../../interop/support/go.ts';
import { freePorts, run, spawnOwned, stopProcess } from '../../../support/process.ts';
import { compileGoTests, goModuleFolder, runGoTests } from './goTests.ts';
import { writeKafkaScripts } from './kafkaScripts.ts';
import type { Suite, SuitePlace, SuiteRun } from './suite.ts';
import type { SuiteSetup } from './suiteBroker.ts';

const MODULE = 'github.com/IBM/sarama';
const VERSION = '1.50.1';
const PROXY = 'github.com/Shopify/toxiproxy/v2/cmd/server@v2.12.0';
const LIMIT_MS = 15 * 60_000;

/** Where its five brokers are, and where its proxies for them listen: one of ours has the places of all. */
const numbers = [1, 2, 3, 4, 5];
const brokerPort = (number: number): number => 9090 + number;
const proxyPort = (number: number): number => 29_090 + number;

export const saramaSuite: Suite = {
  name: 'sarama',
  version: VERSION,
  description:
    "Its functional tests, behind toxiproxy, compiled with a replication factor of 1 instead of 3. Its docker commands run Kafka's console tools, and fail where they are to stop one of five brokers or to show a log.",
  install,
  setup,
  run: runTests,
  exclusions: {},
  chance: {},
};

function setup(): SuiteSetup {
  return {
    listeners: numbers.map((number) => ({
      name: `PLAINTEXT_${number}`,
      protocol: 'PLAINTEXT',
      port: brokerPort(number),
      advertisedPort: proxyPort(number),
    })),
    config: { 'auto.create.topics.enable': false, 'group.initial.rebalance.delay.ms': 0 },
  };
}

/** What is compiled, beside the sources. */
const PROGRAM = 'functional.test';

/** Resolves with a copy of the module, whose tests ask for one replica, compiled. */
function install(): Promise<string> {
  return installOnce(`sarama-suite-${VERSION}`, async (folder) => {
    await cp(await goModuleFolder(MODULE), folder, { recursive: true });
    await run('chmod', ['-R', 'u+w', folder]);
    const source = path.join(folder, 'functional_test.go');
    const text = await readFile(source, 'utf8');
    await writeFile(
      source,
      text
        .replaceAll(/(ReplicationFactor: +)3,/g, '$11,')
        .replace('len(partition.Isr) != 3', 'len(partition.Isr) != 1'),
    );
    await compileGoTests({ folder, program: path.join(folder, PROGRAM), flags: ['-tags', 'functional'] }); // prettier-ignore
  });
}

/** The functional ones: those of units, which need no broker, are compiled with them. */
async function testsIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => /^functional_\w+_test\.go$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/^func (Test\w+)/gm)].map(([, name = '']) => name)); // prettier-ignore
}

async function runTests(
  { folder, bootstrap }: SuitePlace,
  only?: readonly string[],
): Promise<SuiteRun> {
  const work = await mkdtemp(path.join(tmpdir(), 'sarama-suite-'));
  await writeKafkaScripts(work);
  await writeDocker(work, bootstrap);
  const proxy = await startProxy(work);
  try {
    const env = {
      PATH: [work, process.env['PATH'] ?? ''].join(path.delimiter),
      TOXIPROXY_ADDR: proxy.address,
      KAFKA_VERSION: '4.4.0',
    };
    const program = path.join(folder, PROGRAM);
    const tests = only ?? (await testsIn(folder));
    return await runGoTests({ program, folder, env, only: tests, limitMs: LIMIT_MS });
  } finally {
    await proxy.stop();
    await rm(work, { recursive: true });
  }
}

/** Stands in for `docker compose exec -T CONTAINER TOOL ...`, which reaches the broker by its name there. */
async function writeDocker(work: string, bootstrap: string): Promise<void> {
  const script = `#!/bin/sh
[ "$2" = exec ] || { echo "docker $*: there is one broker, of which this is not to be had" >&2; exit 1; }
shift 4
tool=$(basename "$1")
shift
for each do
  shift
  [ "$each" = kafka-1:9091 ] && each=${bootstrap}
  set -- "$@" "$each"
done
exec '${work}/bin/'"$tool" "$@"
`;
  await writeFile(path.join(work, 'docker'), script, { mode: 0o755 });
}

async function startProxy(work: string) {
  const folder = await installOnce('toxiproxy-2.12.0', async (target) => {
    const env = { ...process.env, GOBIN: target };
    const args = ['install', PROXY];
    const { code, stderr } = await run(await goCommand(), args, { env, timeoutMs: 300_000 });
    if (code !== 0) throw new Error(`toxiproxy could not be installed\n${stderr}`);
  });
  const proxies = numbers.map((number) => ({
    name: `kafka${number}`,
    listen: `127.0.0.1:${proxyPort(number)}`,
    upstream: `localhost:${brokerPort(number)}`,
    enabled: true,
  }));
  const config = path.join(work, 'toxiproxy.json');
  await writeFile(config, JSON.stringify(proxies));
  const [port = 0] = await freePorts(1);
  const args = ['-host', '127.0.0.1', '-port', String(port), '-config', config];
  const child = spawnOwned(path.join(folder, 'server'), args, { stdio: 'ignore' });
  await once(child, 'spawn');
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    const answer = await fetch(`${address}/proxies`).catch(() => undefined);
    const known = answer?.ok ? Object.keys((await answer.json()) as object) : [];
    if (known.length === proxies.length) break;
    if (child.exitCode !== null) throw new Error('toxiproxy ended');
    await sleep(50);
  }
  return { address, stop: () => stopProcess(child) };
}
