// The two brokers of the comparison, set alike.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCluster } from '../../../src/embedded.ts';
import { type ApiName, apis } from '../../../src/protocol/apis.ts';
import { parseVersions } from '../../../src/protocol/versions.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { untilCoordinating } from '../../support/kafka/untilCoordinating.ts';
import { RawClient } from '../../wire/broker/support/rawClient.ts';
import { authorizerConfig, plainUsers } from '../../wire/broker/support/saslClient.ts';
import { createTopic } from '../../wire/broker/support/servers.ts';
import { batchOf } from './requests.ts';
import type { SharedVersions } from './run.ts';

export interface Side {
  readonly name: string;
  readonly bootstrap: string;
  /** Where clients have names; only where ACLs decide what they may do. */
  readonly saslBootstrap?: string;
  /** Where the folders of partitions are. */
  readonly logFolder: string;
  stop(): Promise<void>;
}

export interface Sides {
  readonly ours: Side;
  readonly kafka: Side;
  readonly versions: SharedVersions;
}

/** What time has a part in, or what has to be small to be reached. */
const settings = {
  // A pass would take records of long ago.
  'log.retention.check.interval.ms': '3600000',
  'group.initial.rebalance.delay.ms': '0',
  'group.max.size': '3',
  'group.consumer.max.size': '3',
  'group.consumer.assignment.interval.ms': '0',
};

/** Assigns before the heartbeat is answered, as ours does; by default Kafka leaves that to another thread. */
const kafkaSettings = { ...settings, 'group.consumer.assignor.offload.enable': 'false' };

/** Who can come by SASL where ACLs decide; each scenario has its own. */
export const users: readonly string[] = Array.from({ length: 40 }, (_, i) => `user-${i + 1}`);

/** Those of scenarios in Java. */
const javaUsers = Array.from({ length: 6 }, (_, i) => `java-${i + 1}`);

/** `secured`: ACLs decide what may be done by who comes with a name. */
export type Kind = 'open' | 'secured';

export async function startSides(kind: Kind): Promise<Sides> {
  const isSecured = kind === 'secured';
  const [ours, kafka] = await Promise.all([startOurs(isSecured), startReal(isSecured)]);
  await Promise.all([ours, kafka].map(({ bootstrap }) => untilCoordinating(bootstrap)));
  const [oursServes, kafkaServes] = await Promise.all([served(ours), served(kafka)]);
  const versions: SharedVersions = (api) =>
    (oursServes.get(api) ?? []).filter((version) => kafkaServes.get(api)?.includes(version));
  return { ours, kafka, versions };
}

const security: Readonly<Record<string, string>> = {
  ...authorizerConfig,
  ...plainUsers([...users, ...javaUsers]),
};

/** Topics that were made before both open sides were started again, one of them with two records. */
export const restartedTopics = { written: 'restarted-written', empty: 'restarted-empty' } as const;

async function makeRestartedTopics(bootstrap: string): Promise<void> {
  const client = await RawClient.open(bootstrap);
  for (const name of Object.values(restartedTopics)) await createTopic(client, name);
  const { written: name } = restartedTopics;
  const partitionData = [{ index: 0, records: batchOf(['a', 'b']) }];
  await client.call('produce', 9, {
    acks: -1,
    timeoutMs: 10_000,
    topicData: [{ name, partitionData }],
  });
  client.close();
}

async function startOurs(isSecured: boolean): Promise<Side> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'differential-'));
  const listeners = 'PLAINTEXT://127.0.0.1:0,SASL_PLAINTEXT://127.0.0.1:0';
  const configs = { ...settings, ...(isSecured && { ...security, listeners }) };
  const start = () => startCluster({ dataDir, configs });
  const cluster = isSecured ? await start() : await startAgain(start);
  const { SASL_PLAINTEXT: saslBootstrap } = cluster.listeners;
  const nodeFolder = path.join(dataDir, String(cluster.brokers[0]?.id));
  return {
    name: 'ours',
    bootstrap: cluster.bootstrap,
    ...(saslBootstrap !== undefined && { saslBootstrap }),
    logFolder: existsSync(nodeFolder) ? nodeFolder : dataDir,
    async stop() {
      await cluster.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A side with the topics of before. */
async function startAgain<Server extends { bootstrap: string; stop(): Promise<void> }>(
  start: () => Promise<Server>,
): Promise<Server> {
  const first = await start();
  await makeRestartedTopics(first.bootstrap);
  await first.stop();
  return start();
}

async function startReal(isSecured: boolean): Promise<Side> {
  const logFolder = mkdtempSync(path.join(tmpdir(), 'differential-kafka-'));
  const start = () =>
    startKafka({
      config: { ...kafkaSettings, ...(isSecured && security) },
      ...(isSecured && { listeners: { SASL_PLAINTEXT: 'SASL_PLAINTEXT' } }),
      dataDir: logFolder,
    });
  const kafka = isSecured ? await start() : await startAgain(start);
  return {
    name: 'Kafka 4.4',
    bootstrap: kafka.bootstrap,
    ...(isSecured && { saslBootstrap: `127.0.0.1:${kafka.port('SASL_PLAINTEXT')}` }),
    logFolder,
    async stop() {
      await kafka.stop();
      rmSync(logFolder, { recursive: true, force: true });
    },
  };
}

/** What a broker says it serves, of what our schemas know. */
async function served(side: Side): Promise<Map<ApiName, number[]>> {
  const client = await RawClient.open(side.bootstrap);
  const { apiKeys } = await client.call('apiVersions', 4, {
    clientSoftwareName: 'differential',
    clientSoftwareVersion: '1',
  });
  client.close();
  const result = new Map<ApiName, number[]>();
  for (const [name, api] of Object.entries(apis)) {
    const range = apiKeys.find(({ apiKey }) => apiKey === api.key);
    const { min, max } = parseVersions(api.request.versions);
    const all = Array.from({ length: max - min + 1 }, (_, i) => min + i);
    const inRange = all.filter(
      (version) => range && range.minVersion <= version && version <= range.maxVersion,
    );
    result.set(name as ApiName, inRange);
  }
  return result;
}
