// The tests of librdkafka that need a broker, built from its source.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../../support/process.ts';
import { checkOut } from './checkOut.ts';
import { writeKafkaScripts } from './kafkaScripts.ts';
import type { Outcome, Suite, SuitePlace, SuiteRun } from './suite.ts';
import { authorizerConfig, type SuiteSetup } from './suiteBroker.ts';

const TAG = 'v2.15.0';
const BUILD_LIMIT_MS = 20 * 60_000;
/** A test that hangs is ended after this; each has a limit of its own as well. */
const TEST_LIMIT_MS = 5 * 60_000;
/** They wait more than they work. */
const AT_ONCE = 5;

/** An entry of the table of tests in test.c; those that bring their own mock of a broker are left out. */
const entry = /^ {4}_TEST\((?<name>\d{4}_\w+),\s*(?<flags>[^,)]*)/gm;
const needsNoBroker = /TEST_F_(?:LOCAL|MANUAL)/;
const bringsMock = (name: string): boolean => name.endsWith('_mock');

const description =
  'Every test of its test-runner that needs a broker, with `-Q -p1 -E`: quick, one a process, without its network emulation. Of the tests of share consumers only 0184 does anything with `-Q`.';
const withoutQuick =
  '0113 was run without `-Q` as well, by hand: it passes on both, but on both its part `l_unsubscribe` fails with `group.initial.rebalance.delay.ms=0`, since it takes two members that join one after the other to be given their partitions at once.';

export function librdkafkaSuite(groupProtocol: 'classic' | 'consumer'): Suite {
  return {
    name: groupProtocol === 'classic' ? 'librdkafka' : 'librdkafka with group.protocol=consumer',
    version: TAG.slice(1),
    description: groupProtocol === 'classic' ? `${description} ${withoutQuick}` : description,
    install,
    setup,
    run: (place, only) => runTests(place, groupProtocol, only),
    exclusions: { '0184_share_consumer_topic_recreate': 'there are no share groups yet' },
    chance: {},
  };
}

const install = () =>
  checkOut({
    name: 'librdkafka',
    url: 'https://github.com/confluentinc/librdkafka.git',
    tag: TAG,
    async prepare(folder) {
      await build('./configure', ['--disable-gssapi'], folder);
      await build('make', ['-j2', 'libs'], folder);
      await build('make', ['-j2', '-C', 'tests', 'test-runner'], folder);
    },
  });

async function build(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, stderr } = await run(command, args, { cwd, timeoutMs: BUILD_LIMIT_MS });
  if (code !== 0)
    throw new Error(`librdkafka could not be built: ${command}\n${stderr.slice(-4000)}`);
}

/** Its scenario `default`, on one broker. Some tests have two members start at the same time. */
function setup(): SuiteSetup {
  return {
    listeners: [{ name: 'PLAINTEXT', protocol: 'PLAINTEXT', port: 9092 }],
    config: {
      'num.partitions': 4,
      'group.initial.rebalance.delay.ms': 500,
      ...authorizerConfig,
    },
  };
}

/** What every process of a run is given. */
interface Runner {
  readonly folder: string;
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
}

async function runTests(
  { folder, bootstrap }: SuitePlace,
  groupProtocol: string,
  only?: readonly string[],
): Promise<SuiteRun> {
  const names = only ?? (await brokerTests(path.join(folder, 'tests')));
  const work = await mkdtemp(path.join(tmpdir(), 'librdkafka-suite-'));
  const runner = { folder, work, env: await environment(folder, work, bootstrap, groupProtocol) };
  const outcomes = new Map<string, Outcome>(names.map((name) => [name, 'failed']));
  const said = new Map<string, string>();
  const numbers = [...new Set(names.map((name) => name.slice(0, 4)))].values();
  const worker = async () => {
    for (const number of numbers) {
      const { states, output } = await runNumber(number, runner);
      for (const name of names.filter((each) => each.startsWith(number))) {
        const outcome = states.get(name) ?? 'failed';
        outcomes.set(name, outcome);
        if (outcome === 'failed') said.set(name, output);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await rm(work, { recursive: true });
  return { outcomes, said };
}

async function environment(
  folder: string,
  work: string,
  bootstrap: string,
  groupProtocol: string,
): Promise<NodeJS.ProcessEnv> {
  const settings = {
    'bootstrap.servers': bootstrap,
    'test.topic.random': true,
    'test.timeout.multiplier': 3,
  };
  const config = path.join(work, 'test.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(config, lines.join(''));
  const kafkaPath = path.join(work, 'kafka');
  await writeKafkaScripts(kafkaPath);
  return {
    ...process.env,
    BROKERS: bootstrap,
    KAFKA_PATH: kafkaPath,
    LD_LIBRARY_PATH: ['src', 'src-cpp'].map((part) => path.join(folder, part)).join(':'),
    RDKAFKA_TEST_CONF: config,
    TEST_CONSUMER_GROUP_PROTOCOL: groupProtocol,
    TEST_KAFKA_VERSION: '4.4.0',
  };
}

/** The tests of one number, in a process of their own: one that fails may end it. */
async function runNumber(number: string, { folder, work, env }: Runner) {
  const report = path.join(work, `${number}.json`);
  const { stdout, stderr } = await run('./test-runner', ['-Q', '-p1', '-E', '-L'], {
    cwd: path.join(folder, 'tests'),
    timeoutMs: TEST_LIMIT_MS,
    env: { ...env, TEST_REPORT: report, TESTS: number },
  }).catch((error: unknown) => ({ stdout: '', stderr: String(error) }));
  return { states: await statesIn(report), output: stdout + stderr };
}

async function brokerTests(folder: string): Promise<string[]> {
  const table = await readFile(path.join(folder, 'test.c'), 'utf8');
  return [...table.matchAll(entry)]
    .map(({ groups = {} }) => groups)
    .filter(({ flags = '' }) => !needsNoBroker.test(flags))
    .map(({ name = '' }) => name)
    .filter((name) => !bringsMock(name));
}

const outcomeOf: Readonly<Record<string, Outcome>> = { PASSED: 'passed', SKIPPED: 'skipped' };

/** None if the runner did not come to its end. */
async function statesIn(report: string): Promise<Map<string, Outcome>> {
  const text = await readFile(report, 'utf8').catch(() => '{"tests":{}}');
  const { tests } = JSON.parse(text) as { tests: Record<string, { name: string; state: string }> };
  return new Map(
    Object.values(tests).map(({ name, state }) => [name, outcomeOf[state] ?? 'failed']),
  );
}
