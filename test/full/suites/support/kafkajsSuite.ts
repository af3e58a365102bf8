// The tests of kafkajs that talk to a broker, from its repository.
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { globSync } from 'node:fs';
import path from 'node:path';
import type { Certificates } from '../../../support/kafka/certificates.ts';
import { run } from '../../../support/process.ts';
import { checkOut } from './checkOut.ts';
import type { Outcome, Suite, SuitePlace, SuiteRun } from './suite.ts';
import { authorizerConfig, type SuiteSetup, tlsConfig } from './suiteBroker.ts';

const LIMIT_MS = 25 * 60_000;

/** What a spec uses of kafkajs's test helpers if it connects to anything. */
const connects =
  /createCluster|onnectionOpts|createConnection|(?:plainText|ssl|sasl)Brokers|createTopic\b|saslEntries/;

export const kafkajsSuite: Suite = {
  name: 'kafkajs',
  version: '2.2.4',
  description: 'Every spec in the repository that connects to a broker, run by jest.',
  install: () =>
    checkOut({
      name: 'kafkajs',
      url: 'https://github.com/tulios/kafkajs.git',
      tag: 'v2.2.4',
      async prepare(folder) {
        const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
        const { code, stderr } = await run('npm', install, { cwd: folder, timeoutMs: 600_000 });
        if (code !== 0)
          throw new Error(`npm could not install what kafkajs's tests need\n${stderr}`);
      },
    }),
  setup,
  run: runJest,
  exclusions: {},
};

/** As its docker-compose file has three brokers: here one, with the ports of all three. */
function setup(certificates: Certificates): SuiteSetup {
  const plain =
    'org.apache.kafka.common.security.plain.PlainLoginModule required user_test="testtest" user_bob="bobbob" user_alice="alicealice";';
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  const secured = [1, 2, 3].map((n) => `listener.name.sasl_ssl_${n}`);
  return {
    listeners: [1, 2, 3].flatMap((n) => [
      { name: `PLAINTEXT_${n}`, protocol: 'PLAINTEXT', port: 9089 + 3 * n },
      { name: `SSL_${n}`, protocol: 'SSL', port: 9090 + 3 * n },
      { name: `SASL_SSL_${n}`, protocol: 'SASL_SSL', port: 9091 + 3 * n },
    ]),
    config: {
      ...tlsConfig(certificates),
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      ...Object.fromEntries(
        secured.flatMap((prefix) => [
          [`${prefix}.plain.sasl.jaas.config`, plain],
          [`${prefix}.scram-sha-256.sasl.jaas.config`, scram],
          [`${prefix}.scram-sha-512.sasl.jaas.config`, scram],
        ]),
      ),
      'num.partitions': 2,
      'group.initial.rebalance.delay.ms': 0,
      ...authorizerConfig,
    },
    scram: [
      ['testscram', 'SCRAM-SHA-256=[iterations=8192,password=testtestscram=256]'],
      ['testscram', 'SCRAM-SHA-512=[password=testtestscram=512]'],
    ],
  };
}

interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

async function runJest({ folder }: SuitePlace, only?: readonly string[]): Promise<SuiteRun> {
  const files = only
    ? [...new Set(only.map((name) => name.split(': ')[0] ?? ''))]
    : await specs(folder);
  const work = await mkdtemp(path.join(tmpdir(), 'kafkajs-suite-'));
  const report = path.join(work, 'report.json');
  const dockerFile = path.join(import.meta.dirname, 'docker.mjs');
  await symlink(dockerFile, path.join(work, 'docker'));
  const jest = path.join('node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--ci', '--no-watchman', '--forceExit', '--maxWorkers=2', '--reporters=default'];
  const said = await run(
    process.execPath,
    [jest, ...options, '--json', `--outputFile=${report}`, '--runTestsByPath', ...files],
    {
      cwd: folder,
      timeoutMs: LIMIT_MS,
      env: {
        ...process.env,
        PATH: [work, path.dirname(process.execPath), process.env['PATH'] ?? ''].join(
          path.delimiter,
        ),
        NODE_ENV: 'test',
        KAFKA_VERSION: '4.4',
        KAFKAJS_DEBUG_PROTOCOL_BUFFERS: '1',
      },
    },
  );
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`jest left no report\n${said.stdout}${said.stderr}`);
  });
  await rm(work, { recursive: true });
  return resultsOf(folder, JSON.parse(text) as JestReport);
}

async function specs(folder: string): Promise<string[]> {
  const all = globSync('src/**/*.spec.js', { cwd: folder }).sort();
  const texts = await Promise.all(all.map((file) => readFile(path.join(folder, file), 'utf8')));
  return all.filter((_, i) => connects.test(texts[i] ?? ''));
}

const outcomeOf: Readonly<Record<string, Outcome>> = { passed: 'passed', failed: 'failed' };

function resultsOf(folder: string, { testResults }: JestReport): SuiteRun {
  const outcomes = new Map<string, Outcome>();
  const said = new Map<string, string>();
  for (const { name, message, assertionResults } of testResults) {
    const file = path.relative(folder, name);
    if (assertionResults.length === 0) {
      outcomes.set(`${file}: the file`, 'failed');
      said.set(`${file}: the file`, message);
    }
    for (const { fullName, status, failureMessages } of assertionResults) {
      const test = `${file}: ${fullName}`;
      outcomes.set(test, outcomeOf[status] ?? 'skipped');
      if (failureMessages?.length) said.set(test, failureMessages.join('\n'));
    }
  }
  return { outcomes, said };
}
