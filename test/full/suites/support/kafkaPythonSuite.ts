// kafka-python's integration tests, from its repository, with a broker that runs already.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../../support/process.ts';
import { checkOut } from './checkOut.ts';
import { writeBrokerScripts } from './kafkaScripts.ts';
import type { Outcome, Suite, SuitePlace, SuiteRun } from './suite.ts';
import { authorizerConfig, type SuiteSetup } from './suiteBroker.ts';

const VERSION = '3.0.11';
const LIMIT_MS = 20 * 60_000;
/** The client has been seen to wait for itself for ever while it bootstraps. */
const TEST_LIMIT_S = 120;
/** What the tests need, beside the client. */
const PACKAGES = [
  'pytest==8.3.5',
  'pytest-mock==3.14.0',
  'pytest-timeout==2.3.1',
  'py==1.11.0',
  'crc32c==2.7.1',
  'lz4==4.4.5',
  'python-snappy==0.7.3',
  'zstandard==0.25.0',
];
const fileOf = (part: string): string => `test/integration/test_${part}_integration.py`;
const PACKAGE_FOLDER = 'packages-for-tests';

export const kafkaPythonSuite: Suite = {
  name: 'kafka-python',
  version: VERSION,
  description:
    'Its integration tests but those of SASL and TLS, run by pytest with the broker given.',
  install,
  setup,
  run: (place, only = ['admin', 'consumer', 'producer'].map(fileOf)) =>
    runPytest(place, only, { KAFKA_URI: `kafka://${place.bootstrap}` }),
  exclusions: {},
  chance: {},
};

export const kafkaPythonSecuritySuite: Suite = {
  name: 'kafka-python with SASL and TLS',
  version: VERSION,
  description:
    'Its other integration tests, which start a broker for each, by scripts that start ours with the same properties.',
  install,
  run: (place, only = ['sasl', 'ssl'].map(fileOf)) => runPytest(place, only, {}),
  exclusions: {},
  chance: {},
};

function install(): Promise<string> {
  return checkOut({
    name: 'kafka-python',
    url: 'https://github.com/dpkp/kafka-python.git',
    tag: VERSION,
    async prepare(folder) {
      const target = path.join(folder, PACKAGE_FOLDER);
      const pip = ['-m', 'pip', 'install', '--quiet', '--target', target, ...PACKAGES];
      const { code, stderr } = await run('python3', pip, { timeoutMs: 300_000 });
      if (code !== 0) throw new Error(`pip could not install what the tests need\n${stderr}`);
    },
  });
}

/** As its kafka.properties have it. */
function setup(): SuiteSetup {
  return {
    listeners: [{ name: 'PLAINTEXT', protocol: 'PLAINTEXT', port: 9092 }],
    config: {
      'num.partitions': 4,
      ...authorizerConfig,
      'offsets.commit.timeout.ms': 500,
      'offsets.topic.num.partitions': 2,
      'group.min.session.timeout.ms': 1000,
      'group.initial.rebalance.delay.ms': 0,
    },
  };
}

async function runPytest(
  { folder, kind }: SuitePlace,
  tests: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<SuiteRun> {
  const work = await mkdtemp(path.join(tmpdir(), 'kafka-python-suite-'));
  await writeBrokerScripts(work, kind);
  const report = path.join(work, 'report.xml');
  const options = [
    ...['-q', '--no-header', '-p', 'no:cacheprovider', '-o', 'junit_family=xunit1'],
    `--timeout=${TEST_LIMIT_S}`,
  ];
  const { stdout, stderr } = await run(
    'python3',
    ['-m', 'pytest', ...options, `--junitxml=${report}`, ...tests],
    {
      cwd: folder,
      timeoutMs: LIMIT_MS,
      env: {
        ...process.env,
        ...env,
        KAFKA_VERSION: '4.3.0',
        KAFKA_ROOT: work,
        PYTHONPATH: [folder, path.join(folder, PACKAGE_FOLDER)].join(path.delimiter),
      },
    },
  );
  const xml = await readFile(report, 'utf8').catch(() => {
    throw new Error(`pytest left no report\n${stdout.slice(-4000)}${stderr}`);
  });
  await rm(work, { recursive: true });
  return resultsOf(xml);
}

const testCase =
  /<testcase classname="(?<module>[^"]*)" name="(?<name>[^"]*)" file="(?<file>[^"]*)"[^>]*?(?:\/>|>(?<inside>[\s\S]*?)<\/testcase>)/g;

function resultsOf(xml: string): SuiteRun {
  const outcomes = new Map<string, Outcome>();
  const said = new Map<string, string>();
  for (const { groups = {} } of xml.matchAll(testCase)) {
    const { module = '', name = '', file = '', inside = '' } = groups;
    const inClass = module.slice(file.length - '.py'.length).replaceAll('.', '::');
    const test = `${file}${inClass}::${unescaped(name)}`;
    const isFailed = /^\s*<(?:failure|error)\b/.test(inside);
    outcomes.set(test, isFailed ? 'failed' : inside.includes('<skipped') ? 'skipped' : 'passed');
    if (isFailed) said.set(test, unescaped(inside));
  }
  return { outcomes, said };
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
