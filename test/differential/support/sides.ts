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
  'log.initial.task.delay.ms': '3600000',
  'group.initial.rebalance.delay.ms': '0',
  'group.max.size': '3',
  'group.consumer.max.size': '3',
  'group.consumer.assignment.interval.ms': '0',
  // Kafka assigns before the heartbeat is answered then, as ours does; by default it leaves that to another thread.
  'group.consumer.assignor.offload.enable': 'false',
};

/** Who can come by SASL where ACLs decide; each scenario has its own. */
export const users: readonly string[] = Array.from({ length: 40 }, (_, i) => `user-${i + 1}`);

/** Those of scenarios in Java. */
const javaUsers = Array.from({ length: 6 }, (_, i) => `java-${i + 1}`);

/**
 * `secured`: ACLs decide what may be done by who comes with a name. `olderTransactions`: with transactions of version
 * 1, as clusters have them that were not told to go on to version 2 [KIP-890].
 */
export type Kind = 'open' | 'secured' | 'olderTransactions';

export async function startSides(kind: Kind): Promise<Sides> {
  const [ours, kafka] = await Promise.all([startOurs(kind), startReal(kind)]);
  await Promise.all([ours, kafka].map(({ bootstrap }) => untilCoordinating(bootstrap)));
  if (kind === 'olderTransactions')
    await Promise.all([ours, kafka].map(({ bootstrap }) => lowerTransactions(bootstrap)));
  const [oursServes, kafkaServes] = await Promise.all([served(ours), served(kafka)]);
  const versions: SharedVersions = (api) =>
    (oursServes.get(api) ?? []).filter((version) => kafkaServes.get(api)?.includes(version));
  return { ours, kafka, versions };
}

const saslListener = 'listener.name.sasl_plaintext';
const saslModules = 'org.apache.kafka.common.security';

const security: Readonly<Record<string, string>> = {
  ...authorizerConfig,
  ...plainUsers([...users, ...javaUsers]),
  [`${saslListener}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,OAUTHBEARER',
  [`${saslListener}.scram-sha-256.sasl.jaas.config`]: `${saslModules}.scram.ScramLoginModule required;`,
  [`${saslListener}.oauthbearer.sasl.jaas.config`]: `${saslModules}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
  'connection.failed.authentication.delay.ms': '0',
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

const transactionFeature = 'transaction.version';

/** As `kafka-features downgrade` does; resolves when clients are told. */
async function lowerTransactions(bootstrap: string): Promise<void> {
  const client = await RawClient.open(bootstrap);
  const { errorCode, errorMessage } = await client.call('updateFeatures', 2, {
    timeoutMs: 10_000,
    featureUpdates: [{ feature: transactionFeature, maxVersionLevel: 1, upgradeType: 2 }],
    validateOnly: false,
  });
  if (errorCode !== 0) throw new Error(`${bootstrap}: ${errorCode} ${errorMessage}`);
  const asked = { clientSoftwareName: 'differential', clientSoftwareVersion: '1' };
  for (let level: number | undefined = 2; level !== 1;) {
    const { finalizedFeatures } = await client.call('apiVersions', 4, asked);
    level = finalizedFeatures.find(({ name }) => name === transactionFeature)?.maxVersionLevel;
  }
  client.close();
}

async function startOurs(kind: Kind): Promise<Side> {
  const isSecured = kind === 'secured';
  const dataDir = mkdtempSync(path.join(tmpdir(), 'differential-'));
  const listeners = 'PLAINTEXT://127.0.0.1:0,SASL_PLAINTEXT://127.0.0.1:0';
  const configs = { ...settings, ...(isSecured && { ...security, listeners }) };
  const start = () => startCluster({ dataDir, configs });
  const cluster = kind === 'open' ? await startAgain(start) : await start();
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

async function startReal(kind: Kind): Promise<Side> {
  const isSecured = kind === 'secured';
  const logFolder = mkdtempSync(path.join(tmpdir(), 'differential-kafka-'));
  const start = () =>
    startKafka({
      config: { ...settings, ...(isSecured && security) },
      ...(isSecured && { listeners: { SASL_PLAINTEXT: 'SASL_PLAINTEXT' } }),
      dataDir: logFolder,
    });
  const kafka = kind === 'open' ? await startAgain(start) : await start();
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
