import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe } from 'mocha';
import { type RunningCluster, startCluster } from '../../src/broker/cluster.ts';
import { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';

export interface TestCluster {
  readonly name: 'Kafka 4.4' | 'Kafka 3.9' | 'embedded';
  readonly bootstrap: string;
}

let embedded: Promise<{ readonly cluster: RunningCluster; readonly dataDir: string }> | undefined;

async function startEmbedded(): Promise<{ cluster: RunningCluster; dataDir: string }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kw-scenarios-'));
  // A retention pass would take records that a test gave old timestamps, as on Kafka (test/support/kafka).
  const configs = { 'log.retention.check.interval.ms': '3600000' };
  return { cluster: await startCluster({ dataDir, port: 0, configs }), dataDir };
}

after(async () => {
  if (!embedded) return;
  const { cluster, dataDir } = await embedded;
  await cluster.close();
  await rm(dataDir, { recursive: true, force: true });
});

const starts: Record<TestCluster['name'], () => Promise<string>> = {
  'Kafka 4.4': async () =>
    process.env['KAFKA_WORKBENCH_TEST_BOOTSTRAP'] ?? (await sharedKafka()).bootstrap,
  'Kafka 3.9': async () => (await sharedKafka('3.9')).bootstrap,
  embedded: async () => (await (embedded ??= startEmbedded())).cluster.bootstrap,
};

/** Defines the same tests against real Kafka and against our broker: what differs is our fault. */
export function forEachCluster(
  title: string,
  define: (cluster: () => TestCluster) => void,
  on: TestCluster['name'] | readonly TestCluster['name'][] = ['Kafka 4.4', 'embedded'],
): void {
  for (const name of [on].flat()) {
    describe(`${title} (${name})`, () => {
      let bootstrap: string | undefined;
      before(async function () {
        this.timeout(120_000);
        bootstrap = await starts[name]();
      });
      define(() => {
        if (bootstrap === undefined) throw new Error('asked for before it was started');
        return { name, bootstrap };
      });
    });
  }
}

/** The same with the oldest Kafka that we promise to work with. */
export function forEveryCluster(title: string, define: (cluster: () => TestCluster) => void): void {
  forEachCluster(title, define, ['Kafka 4.4', 'Kafka 3.9', 'embedded']);
}

/** A name of its own for each test, as tests share a cluster. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`;
}

/** A session with a test's cluster. */
export function sessionOn({ name, bootstrap }: TestCluster): ClusterSession {
  const profile = {
    id: name,
    name,
    kind: 'remote',
    bootstrap: [bootstrap],
    readOnly: false,
  } as const;
  return new ClusterSession(profile);
}

/** Polls until something holds, for what becomes true a moment after an answer. Fails after `timeoutMs`. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(`still not so after ${timeoutMs} ms: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
