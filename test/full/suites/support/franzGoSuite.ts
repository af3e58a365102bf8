// The tests of franz-go's client, from the module that the interop tests use.
import path from 'node:path';
import { cacheDir } from '../../../../.ci/cache.mjs';
import { GO_MODULE } from '../../../interop/support/go.ts';
import { compileGoTests, goModuleFolder, runGoTests } from './goTests.ts';
import type { Suite, SuitePlace, SuiteRun } from './suite.ts';
import type { SuiteSetup } from './suiteBroker.ts';

const PACKAGE = 'github.com/twmb/franz-go';
const VERSION = '1.21.4';
const LIMIT_MS = 15 * 60_000;

const SASL_PORT = 9094;
const [USER, PASSWORD] = ['franz', 'franz-secret'];

const noShareGroups = 'there are no share groups yet';

export const franzGoSuite: Suite = {
  name: 'franz-go',
  version: VERSION,
  description:
    'The tests of its package kgo, those of units as well, with 50,000 records where they copy a topic through chains of groups and of transactions.',
  install,
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

const program = (): string => path.join(cacheDir(), 'go-clients', 'kgo.test');

/** Compiles the tests, and resolves with the folder that they run in. */
async function install(): Promise<string> {
  const packagePath = `${PACKAGE}/pkg/kgo`;
  await compileGoTests({ folder: GO_MODULE, packagePath, program: program() });
  return path.join(await goModuleFolder(PACKAGE), 'pkg', 'kgo');
}

function runTests({ folder, bootstrap }: SuitePlace, only?: readonly string[]): Promise<SuiteRun> {
  const env = {
    KGO_LOG_LEVEL: 'none', // without, it says half a gigabyte
    KGO_SEEDS: bootstrap,
    KGO_TEST_RF: '1',
    KGO_TEST_RECORDS: '50000',
    KGO_TEST_SCRAM: `${USER}:${PASSWORD}`,
    KGO_TEST_SCRAM_SEEDS: `localhost:${SASL_PORT}`,
  };
  return runGoTests({ program: program(), folder, env, only, limitMs: LIMIT_MS });
}
