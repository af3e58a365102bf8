// What the tests of the offsets panel find on a cluster, made by applications.
import { once } from 'node:events';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Admin, Kafka } from 'kafkajs';
import { sendOnce } from '../support/kafka/sendOnce.ts';
import { spawnOwned } from '../support/process.ts';
import type { StagedCluster } from './bothClusters.ts';

const root = path.join(import.meta.dirname, '../..');
const hourMs = 3_600_000;

/** Records are an hour apart, and the last is some hours old: how long a tool takes to start makes no difference. */
export const firstRecordMs = Math.floor((Date.now() - 40 * hourMs) / 1000) * 1000;

export interface Names {
  readonly topic: string;
  readonly group: string;
  readonly otherGroup: string;
}

/** Of a file of tests its own: they share clusters. */
export function namesOf(prefix: string): Names {
  return { topic: `${prefix}.orders`, group: `${prefix}.billing`, otherGroup: `${prefix}.audit` };
}

/** Three partitions of ten records, and where two groups are on them. */
export async function stageOffsets({ kafka, admin }: StagedCluster, names: Names): Promise<void> {
  const { topic, otherGroup } = names;
  const configEntries = [{ name: 'retention.ms', value: '-1' }];
  await admin.createTopics({ topics: [{ topic, numPartitions: 3, configEntries }] });
  const messages = Array.from({ length: 30 }, (_, i) => ({
    key: `O-${i}`,
    value: `{"id":${i}}`,
    partition: i % 3,
    timestamp: String(firstRecordMs + i * hourMs),
  }));
  await sendOnce(kafka, { topic, messages });
  await commitAsMember(kafka, names, [4, 5]);
  await setOffsets(admin, { topic, group: otherGroup }, [2, 3, 1]);
}

type Commits = Pick<Names, 'topic' | 'group'>;

/** Commits of partitions 0, 1 and so on. */
export async function setOffsets(
  admin: Admin,
  { topic, group: groupId }: Commits,
  offsets: readonly number[],
): Promise<void> {
  const partitions = offsets.map((offset, partition) => ({ partition, offset: String(offset) }));
  await admin.setOffsets({ groupId, topic, partitions });
}

/** Only a member commits with metadata: one that then leaves. */
async function commitAsMember(
  kafka: Kafka,
  { topic, group: groupId }: Commits,
  offsets: readonly number[],
): Promise<void> {
  const consumer = kafka.consumer({ groupId });
  const joined = new Promise((resolve) => consumer.on('consumer.group_join', resolve));
  await consumer.connect();
  await consumer.subscribe({ topic });
  await consumer.run({ autoCommit: false, eachMessage: () => Promise.resolve() });
  await joined;
  await consumer.commitOffsets(
    offsets.map((offset, partition) => {
      return { topic, partition, offset: String(offset), metadata: metadataOf(partition) };
    }),
  );
  await consumer.disconnect();
}

export function metadataOf(partition: number): string {
  return `kept ${partition}`;
}

/** Where a group is on each partition, as an application reads it; -1: no commit. */
export async function committed(cluster: StagedCluster, of: Commits): Promise<string[]> {
  return (await commits(cluster, of)).map(({ offset }) => offset);
}

export async function committedMetadata(
  cluster: StagedCluster,
  of: Commits,
): Promise<(string | null)[]> {
  return (await commits(cluster, of)).map(({ metadata }) => metadata);
}

async function commits({ admin }: StagedCluster, { topic, group: groupId }: Commits) {
  const [offsets] = await admin.fetchOffsets({ groupId, topics: [topic] });
  return (offsets?.partitions ?? []).toSorted((a, b) => a.partition - b.partition);
}

/** On SIGTERM it leaves the group; killed, it stays in it. */
const MEMBER = `
const { Kafka } = require(${JSON.stringify(path.join(root, 'node_modules/kafkajs'))});
const [, server, groupId, topic] = process.argv;
const kafka = new Kafka({ clientId: 'at-work', brokers: [server], logLevel: 0 });
const consumer = kafka.consumer({ groupId, sessionTimeout: 300000 });
consumer.on('consumer.group_join', () => console.log('joined'));
process.on('SIGTERM', () => consumer.disconnect().then(() => process.exit()));
consumer.connect().then(() => consumer.subscribe({ topic }))
  .then(() => consumer.run({ autoCommit: false, eachMessage: async () => {} }));
`;

/** A process that is to become a member of a group. */
export function spawnMember(bootstrap: string, { group, topic }: Commits): ChildProcess {
  const args = ['--no-warnings', '-e', MEMBER, bootstrap, group, topic];
  return spawnOwned(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A member of a group in a process of its own, and in the group when this resolves. */
export async function startMember(bootstrap: string, of: Commits): Promise<ChildProcess> {
  const member = spawnMember(bootstrap, of);
  if (!member.stdout) throw new Error('no output');
  await once(createInterface(member.stdout), 'line');
  return member;
}
