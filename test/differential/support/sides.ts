// The two brokers of the comparison, set alike.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '../../../src/embedded.ts';
import { type ApiName, apis } from '../../../src/protocol/apis.ts';
import { parseVersions } from '../../../src/protocol/versions.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { RawClient } from '../../wire/broker/support/rawClient.ts';
import { createTopic } from '../../wire/broker/support/servers.ts';
import { batchOf } from './requests.ts';
import type { SharedVersions } from './run.ts';

export interface Side {
  readonly name: string;
  readonly bootstrap: string;
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
  'group.initial.rebalance.delay.ms': '0',
  'group.max.size': '3',
  'group.consumer.max.size': '3',
  'group.consumer.assignment.interval.ms': '0',
};

/** Assigns before the heartbeat is answered, as ours does; by default Kafka leaves that to another thread. */
const kafkaSettings = { ...settings, 'group.consumer.assignor.offload.enable': 'false' };

export async function startSides(): Promise<Sides> {
  const [ours, kafka] = await Promise.all([startOurs(), startReal()]);
  await Promise.all([untilCoordinating(ours), untilCoordinating(kafka)]);
  const [oursServes, kafkaServes] = await Promise.all([served(ours), served(kafka)]);
  const versions: SharedVersions = (api) =>
    (oursServes.get(api) ?? []).filter((version) => kafkaServes.get(api)?.includes(version));
  return { ours, kafka, versions };
}

/** Topics that were made before both sides were started again, one of them with two records. */
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

async function startOurs(): Promise<Side> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'differential-'));
  const first = await startCluster({ dataDir, configs: settings });
  await makeRestartedTopics(first.bootstrap);
  await first.stop();
  const cluster = await startCluster({ dataDir, configs: settings });
  const nodeFolder = path.join(dataDir, String(cluster.brokers[0]?.id));
  return {
    name: 'ours',
    bootstrap: cluster.bootstrap,
    logFolder: existsSync(nodeFolder) ? nodeFolder : dataDir,
    async stop() {
      await cluster.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startReal(): Promise<Side> {
  const logFolder = mkdtempSync(path.join(tmpdir(), 'differential-kafka-'));
  const options = { config: kafkaSettings, dataDir: logFolder };
  const first = await startKafka(options);
  await makeRestartedTopics(first.bootstrap);
  await first.stop();
  const kafka = await startKafka(options);
  return {
    name: 'Kafka 4.4',
    bootstrap: kafka.bootstrap,
    logFolder,
    async stop() {
      await kafka.stop();
      rmSync(logFolder, { recursive: true, force: true });
    },
  };
}

/** The first question for a group makes `__consumer_offsets`, whose partitions then load one by one. */
async function untilCoordinating(side: Side): Promise<void> {
  const client = await RawClient.open(side.bootstrap);
  const groups = Array.from({ length: 200 }, (_, i) => `warm-up-${i}`);
  for (let attempt = 0; ; attempt++) {
    await client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: groups.slice(0, 1) });
    const described = await client.call('describeGroups', 5, { groups });
    if (described.groups.every(({ errorCode }) => errorCode === 0)) break;
    if (attempt === 300) throw new Error(`${side.name} does not coordinate groups after 30 s`);
    await sleep(100);
  }
  client.close();
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
