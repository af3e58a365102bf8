// What a test runs against: our broker in this process, and Apache Kafka, which says what is right.
import { after } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../../src/embedded.ts';
import { errorByCode } from '../../../../src/protocol/errors.ts';
import {
  buildRecordBatch,
  type BatchOptions,
  type RecordInput,
} from '../../../../src/protocol/records/recordBatchBuilder.ts';
import { sharedKafka } from '../../../support/kafka/sharedKafka.ts';
import { RawClient } from './rawClient.ts';

export interface Server {
  /** As titles name it. */
  readonly name: string;
  bootstrap(): Promise<string>;
}

let embedded: Promise<EmbeddedKafka> | undefined;

export const embeddedServer: Server = {
  name: 'embedded',
  async bootstrap() {
    embedded ??= startCluster();
    return (await embedded).bootstrap;
  },
};

const kafkaServer: Server = {
  name: 'Kafka 4.4',
  async bootstrap() {
    return (await sharedKafka()).bootstrap;
  },
};

/** Both, so that what a test expects is what Kafka does. */
export const servers: readonly Server[] = [embeddedServer, kafkaServer];

/** Longer than any start of a real Kafka. */
export const patienceMs = 120_000;

/** Longer than a Kafka that is hard pressed takes to have a new partition led. */
const ledMs = 60_000;

/** Connections that are closed, and a cluster that is stopped, when the calling suite ends. */
export function connections(server: Server): (clientId?: string) => Promise<RawClient> {
  const open: RawClient[] = [];
  after(async () => {
    for (const client of open) client.close();
    if (server !== embeddedServer || !embedded) return;
    const cluster = embedded;
    embedded = undefined;
    await (await cluster).stop();
  });
  return async (clientId) => {
    const client = await RawClient.open(await server.bootstrap(), clientId);
    open.push(client);
    return client;
  };
}

let names = 0;

/** A topic or group name that no other test has. */
export function freshName(prefix = 't'): string {
  return `${prefix}-${process.pid}-${Date.now().toString(36)}-${++names}`;
}

/** Creates a topic with a leader. Answers its id. */
export async function createTopic(
  client: RawClient,
  name: string,
  { partitions = 1, configs = {} }: { partitions?: number; configs?: Record<string, string> } = {},
): Promise<string> {
  const { topics } = await client.call('createTopics', 7, {
    topics: [
      {
        name,
        numPartitions: partitions,
        replicationFactor: 1,
        configs: Object.entries(configs).map(([config, value]) => ({ name: config, value })),
      },
    ],
  });
  const [topic] = topics;
  if (topic?.errorCode !== 0) throw new Error(`${name}: ${topic?.errorMessage ?? 'not created'}`);
  await untilLed(client, name, partitions);
  return topic.topicId;
}

async function untilLed(client: RawClient, name: string, partitions: number): Promise<void> {
  const deadline = performance.now() + ledMs;
  do {
    const topics = Array.from({ length: partitions }, (_, partitionIndex) => partitionIndex);
    const answer = await client.call('listOffsets', 7, {
      replicaId: -1,
      topics: [
        { name, partitions: topics.map((partitionIndex) => ({ partitionIndex, timestamp: -1n })) },
      ],
    });
    if (answer.topics[0]?.partitions.every(({ errorCode }) => errorCode === 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  } while (performance.now() < deadline);
  throw new Error(`${name} has no leader after ${ledMs} ms`);
}

/** A batch of records with these values. */
export function batchOf(
  values: readonly (string | RecordInput)[],
  options: BatchOptions = {},
): Buffer {
  const timestamp = BigInt(Date.now());
  const records = values.map((value) =>
    typeof value === 'string' ? { timestamp, value: Buffer.from(value) } : value,
  );
  return buildRecordBatch({ records, ...options });
}

export function errorName(code: number | undefined): string {
  return code === undefined ? 'nothing' : errorByCode(code).name;
}
