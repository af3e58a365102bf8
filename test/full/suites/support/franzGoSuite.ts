// The tests of franz-go's client, from the module that the interop tests use.
import path from 'node:path';
import { cacheDir } from '../../../../.ci/cache.mjs';
import { GO_MODULE, goCommand } from '../../../interop/support/go.ts';
import { run } from '../../../support/process.ts';
import type { Outcome, Suite, SuitePlace, SuiteRun } from './suite.ts';
import type { SuiteSetup } from './suiteBroker.ts';

const PACKAGE = 'github.com/twmb/franz-go';
const VERSION = '1.21.4';
const BUILD_LIMIT_MS = 10 * 60_000;
const LIMIT_MS = 15 * 60_000;

const SASL_PORT = 9094;
const [USER, PASSWORD] = ['franz', 'franz-secret'];

const noShareGroups = 'there are no share groups yet';

export const franzGoSuite: Suite = {
  name: 'franz-go',
  version: VERSION,
  description:
    'The tests of its package kgo, those of units as well, with 50,000 records where they copy a topic through chains of groups and of transactions.',
  install: compile,
  setup,
  run: runTests,
  exclusions: {
    TestShareGroup: noShareGroups,
    TestShareGroupAckOnClose: noShareGroups,
    TestShareGroupETL: noShareGroups,
    TestShareGroupOffsetsAdmin: noShareGroups,
  },
  chance: {},
};

function setup(): SuiteSetup {
  const login = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  return {
    listeners: [
      { name: 'PLAINTEXT', protocol: 'PLAINTEXT', port: 9092 },
      { name: 'SASL', protocol: 'SASL_PLAINTEXT', port: SASL_PORT },
    ],
    config: {
      'group.initial.rebalance.delay.ms': 0,
      'sasl.enabled.mechanisms': 'SCRAM-SHA-256',
      'listener.name.sasl.scram-sha-256.sasl.jaas.config': login,
    },
    scram: [[USER, `SCRAM-SHA-256=[password=${PASSWORD}]`]],
  };
}

/** Compiles the tests, and resolves with the folder that they run in. */
async function compile(): Promise<string> {
  const go = await goCommand();
  const options = { cwd: GO_MODULE, timeoutMs: BUILD_LIMIT_MS };
  const compiled = await run(go, ['test', '-c', '-o', binary(), `${PACKAGE}/pkg/kgo`], options);
  if (compiled.code !== 0) throw new Error(`franz-go's tests do not compile\n${compiled.stderr}`);
  const listed = await run(go, ['list', '-m', '-f', '{{.Dir}}', PACKAGE], options);
  return path.join(listed.stdout.trim(), 'pkg', 'kgo');
}

const binary = () => path.join(cacheDir(), 'go-clients', 'kgo.test');

const testLine = /^ *--- (?<state>PASS|FAIL|SKIP): (?<name>\S+) \(/gm;
const outcomeOf: Readonly<Record<string, Outcome>> = { PASS: 'passed', SKIP: 'skipped' };

async function runTests(
  { folder, bootstrap }: SuitePlace,
  only?: readonly string[],
): Promise<SuiteRun> {
  const wanted = only && [...new Set(only.map((name) => `^${name.split('/')[0] ?? ''}$`))];
  const { stdout, stderr } = await run(
    binary(),
    [
      '-test.v',
      `-test.timeout=${LIMIT_MS}ms`,
      ...(wanted ? [`-test.run=${wanted.join('|')}`] : []),
    ],
    {
      cwd: folder,
      timeoutMs: LIMIT_MS + 30_000,
      env: {
        ...process.env,
        KGO_LOG_LEVEL: 'none', // without, it says half a gigabyte
        KGO_SEEDS: bootstrap,
        KGO_TEST_RF: '1',
        KGO_TEST_RECORDS: '50000',
        KGO_TEST_SCRAM: `${USER}:${PASSWORD}`,
        KGO_TEST_SCRAM_SEEDS: `localhost:${SASL_PORT}`,
      },
    },
  );
  const found = [...stdout.matchAll(testLine)].map(({ groups = {} }) => groups);
  if (found.length === 0) throw new Error(`franz-go's tests said nothing\n${stdout}${stderr}`);
  const outcomes = new Map(
    found.map(({ name = '', state = '' }) => [name, outcomeOf[state] ?? 'failed']),
  );
  const failed = [...outcomes].filter(([, outcome]) => outcome === 'failed');
  const output = (stdout + stderr).slice(-8000);
  return { outcomes, said: new Map(failed.map(([name]) => [name, output])) };
}
